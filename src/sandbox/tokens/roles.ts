import type { Row } from '../json.ts';

/** Needed to hold tokens and to sign in with an app. The service names it Manage API tokens; this spelling is assumed. */
export const MANAGE_API_TOKENS = 'api_tokens::manage';

const EMPLOYEE = [
  'projects::read',
  'budgets::read',
  'budget_groups::read',
  'work_types::read',
  'workflows::read',
  'customers::read',
  'customer_categories::read',
  'company_branches::read',
  'users::read',
  'project_management::read',
  'project_management::manage_work_items',
  'kanban::read',
  'drive::read',
  'drive::write',
  'holidays::read',
  'free_days::read',
  'events::read',
  'events::create',
  'hours::read',
  'checkins::read',
] as const;

const MANAGER = [
  ...EMPLOYEE,
  MANAGE_API_TOKENS,
  'projects::create',
  'projects::update',
  'budgets::create',
  'budgets::update',
  'customers::create',
  'customers::update',
  'sales_invoices::read',
  'sales_invoices::create',
  'sales_invoices::update',
  'sales_invoices::delete',
  'invoices::read',
  'customer_subscriptions::read',
  'subscription_types::read',
  'subscription_products::read',
  'furlough::read',
  'absences::manage',
  'hours::manage',
  'times::write_overtime',
  'kanban::create',
  'kanban::update',
  'events::update',
  'events::delete',
] as const;

/** Permissions of each role; `all` is everything there is. A contractor may sign in, but not read hours back. */
const ROLES: Readonly<Record<string, 'all' | readonly string[]>> = {
  admin: 'all',
  manager: MANAGER,
  employee: EMPLOYEE,
  contractor: ['projects::read', 'project_management::read', 'users::read', MANAGE_API_TOKENS],
};

export const ROLE_NAMES: readonly string[] = Object.keys(ROLES);

/** Whether the user's role has the permission. Each request looks again, so a change of role works at once. */
export function roleMay(user: Row, permission: string): boolean {
  if (user['is_active'] === false) return false;
  const permissions = ROLES[String(user['role'])] ?? [];
  return permissions === 'all' || permissions.includes(permission);
}
