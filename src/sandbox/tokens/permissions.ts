import type { Row } from '../json.ts';

/** The classes of abilities. Each class includes the classes before it (rules 11.6, 11.7). */
const CLASSES = ['read', 'write', 'destroy'] as const;
export type AbilityClass = (typeof CLASSES)[number];

/**
 * The ability that an operation needs: a class, and one of several resource names. `any`: an ability for any resource is enough.
 * `unnarrowed`: only an ability for all resources is enough.
 */
export interface Need {
  readonly class: AbilityClass;
  readonly prefixes: readonly string[] | 'any' | 'unnarrowed';
}

/** Returns true if one of the abilities is sufficient. No ability is a wildcard, and `mcp:use` is never sufficient. */
export function covers(abilities: readonly string[], need: Need): boolean {
  return abilities.some((ability) => {
    const [api, abilityClass, prefix] = ability.split(':');
    if (api !== 'api' || rank(abilityClass) < rank(need.class)) return false;
    if (prefix === undefined || need.prefixes === 'any') return true;
    return need.prefixes !== 'unnarrowed' && need.prefixes.includes(prefix);
  });
}

function rank(abilityClass: string | undefined): number {
  const known: readonly (string | undefined)[] = CLASSES;
  return known.indexOf(abilityClass);
}

/**
 * Returns the abilities that the token page creates: one for each class and resource (rules 12.23, 12.24). Without resources, the result
 * has one ability for each class. Ignores unknown resources.
 */
export function abilitiesOf(classes: readonly AbilityClass[], resources: readonly string[], known: readonly string[]): string[] {
  if (resources.length === 0) return classes.map((abilityClass) => `api:${abilityClass}`);
  const limited = resources.filter((resource) => known.includes(resource));
  return classes.flatMap((abilityClass) => limited.map((resource) => `api:${abilityClass}:${resource}`));
}

/** The assumed name of the permission for tokens and for signing in with an app. The service calls the permission Manage API tokens. */
export const MANAGE_API_TOKENS = 'api_tokens::manage';

const may = (verb: string, ...names: readonly string[]) => names.map((name) => `${name}::${verb}`);

const EMPLOYEE = [
  ...may('read', 'projects', 'budgets', 'budget_groups', 'work_types', 'workflows', 'customers', 'customer_categories', 'company_branches'),
  ...may('read', 'users', 'project_management', 'kanban', 'drive', 'holidays', 'free_days', 'events', 'hours', 'checkins'),
  'project_management::manage_work_items',
  'drive::write',
  'events::create',
];

const MANAGER = [
  ...EMPLOYEE,
  MANAGE_API_TOKENS,
  ...may('read', 'sales_invoices', 'invoices', 'customer_subscriptions', 'subscription_types', 'subscription_products', 'furlough'),
  ...may('create', 'projects', 'budgets', 'customers', 'sales_invoices', 'kanban'),
  ...may('update', 'projects', 'budgets', 'customers', 'sales_invoices', 'kanban', 'events'),
  ...may('delete', 'sales_invoices', 'events'),
  ...may('manage', 'absences', 'hours'),
  'times::write_overtime',
];

const ROLES: Readonly<Record<string, 'all' | readonly string[]>> = {
  admin: 'all',
  manager: MANAGER,
  employee: EMPLOYEE,
  contractor: ['projects::read', 'project_management::read', 'users::read', MANAGE_API_TOKENS],
};

export const ROLE_NAMES: readonly string[] = Object.keys(ROLES);

/**
 * Returns true if a user has a permission. Each request calls this function, so a change of role applies immediately.
 *
 * With the records of an organisation, the user of these records can read every record and manage tokens. If this user has none of the
 * sandbox’s roles, the user has every permission. An inactive user has no permission.
 */
export function userMay(read: { readonly userId: number } | undefined, user: Row, permission: string, isReading = false): boolean {
  if (user['is_active'] === false) return false;
  const role = String(user['role']);
  if (read?.userId === user.id && (isReading || permission === MANAGE_API_TOKENS || !ROLE_NAMES.includes(role))) return true;
  const permissions = Object.hasOwn(ROLES, role) ? ROLES[role] : [];
  return permissions === 'all' || permissions?.includes(permission) === true;
}
