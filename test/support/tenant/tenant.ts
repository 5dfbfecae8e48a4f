import { INTERPRETATIONS, type Interpretations } from '../../../src/sandbox/interpretations.ts';
import { type DefinedResource, defineServedResource, type ServedField } from '../../../src/sandbox/resources/define.ts';
import { createService, DEFINED } from '../../../src/sandbox/resources/index.ts';
import type { ServiceVariant } from '../../../src/sandbox/sandbox-state.ts';
import { createRandom, type Random } from '../../../src/sandbox/seed/seeding.ts';
import { DISPENSABLE, NEW_RESOURCES, type NewResource, OTHER_RESOURCES } from './pools.ts';
import { seedTenant } from './seed-tenant.ts';
import type { TenantChange } from './tenant-change.ts';
import { addedFields, varied } from './vary.ts';

/** An organisation whose service differs from the documented one. */
export interface Tenant extends ServiceVariant {
  /** All differences. */
  readonly changes: readonly TenantChange[];
}

/** Creates the tenant of a seed. The same seed gives the same tenant. */
export function createTenant(seed: number): Tenant {
  const random = createRandom(seed * 7919 + 1);
  const changes: TenantChange[] = [];
  const log = (change: TenantChange): void => void changes.push(change);
  const gone = someNames(DISPENSABLE, random.integer(2, 4), random);
  for (const name of gone) log({ kind: 'removed', what: 'resource', resource: name });
  const there = without(DEFINED, new Set(gone));
  const named = renamed(there, random, log);
  const changed = named.map((resource) => varied(resource, random, log));
  const fresh = someNames(NEW_RESOURCES, random.integer(2, 4), random).flatMap((noun) => made(noun, random, log));
  return { service: createService([...changed, ...fresh]), interpretations: documentStyle(random), fill: seedTenant, changes };
}

function someNames<T>(pool: readonly T[], count: number, random: Random): T[] {
  const left = [...pool];
  const chosen: T[] = [];
  while (chosen.length < count && left.length > 0) chosen.push(...left.splice(random.integer(0, left.length - 1), 1));
  return chosen;
}

/** Returns the other resources, without references to removed resources. */
function without(resources: readonly DefinedResource[], gone: ReadonlySet<string>): DefinedResource[] {
  const stays = (name: string | undefined): boolean => name === undefined || !gone.has(name);
  return resources
    .filter(({ name }) => stays(name))
    .map((resource) => ({
      ...resource,
      fields: Object.fromEntries(Object.entries(resource.fields).filter(([, { to }]) => stays(to))),
      many: Object.fromEntries(Object.entries(resource.many).filter(([, many]) => stays(many.resource))),
      nested: resource.nested.filter(({ parent }) => stays(parent)),
    }))
    .filter(({ topLevel, nested, verbs }) => topLevel || nested.length > 0 || verbs.length === 0);
}

function renamed(resources: readonly DefinedResource[], random: Random, log: (change: TenantChange) => void): DefinedResource[] {
  const names = new Set(someNames(Object.keys(OTHER_RESOURCES), random.integer(1, 2), random));
  return resources.map((resource) => {
    const other = OTHER_RESOURCES[resource.name as keyof typeof OTHER_RESOURCES];
    if (!names.has(resource.name) || other === undefined) return resource;
    log({ kind: 'renamed', what: 'resource', resource: other.path, was: resource.path });
    return { ...resource, ...other };
  });
}

/** Creates a new resource and its child resources. */
function made(noun: NewResource, random: Random, log: (change: TenantChange) => void): DefinedResource[] {
  const { name, schema, parameter, search, child, actions = [] } = noun;
  const prefix = name.replaceAll('-', '_');
  const counted = random.chance(0.5);
  const softDelete = random.chance(0.3);
  log({ kind: 'added', what: 'resource', resource: name });
  for (const action of actions) log({ kind: 'added', what: 'action', resource: name, name: action.name });
  const parent: DefinedResource = {
    ...defineServedResource<string>(name, {
      schema,
      parameter,
      prefixes: [prefix],
      counted,
      softDelete,
      search: random.chance(0.8) ? search : [],
      fields: withMore(name, noun.fields, random, log),
      ...(child !== undefined && { many: { [child.segment]: { resource: child.name, by: `${parameter}_id` } } }),
    }),
    actions: actions.map(({ sets, ...action }) => ({ ...action, sets: { state: sets } })),
  };
  if (child === undefined) return [parent];
  log({ kind: 'added', what: 'resource', resource: child.topLevel ? child.name : `${name}/${child.segment}` });
  const by = `${parameter}_id`;
  const toParent: ServedField = { type: 'reference', to: name, write: 'required', filter: true, sort: true };
  const below = defineServedResource<string>(child.name, {
    schema: child.schema,
    parameter: child.parameter,
    prefixes: [prefix],
    topLevel: child.topLevel,
    nested: [{ parent: name, segment: child.segment, by, counted: random.chance(0.5) }],
    fields: { [by]: toParent, ...child.fields },
  });
  return [parent, below];
}

function withMore(
  resource: string,
  fields: Readonly<Record<string, ServedField>>,
  random: Random,
  log: (change: TenantChange) => void,
): Record<string, ServedField> {
  // A new resource is new as a whole, so the log has only the resource.
  const more = addedFields({ fields, verbs: ['create'] }, false, random, () => {});
  for (const name of Object.keys(more)) log({ kind: 'added', what: 'field', resource, name });
  return { ...fields, ...more };
}

/** Returns the style of the document, mostly the newer version, as most documents have. */
function documentStyle(random: Random): Partial<Interpretations> {
  const chosen = Object.keys(INTERPRETATIONS)
    .filter((name) => /^openapi./.test(name))
    .map((name) => {
      const values: readonly unknown[] = INTERPRETATIONS[name as keyof Interpretations];
      if (name === 'openapiVersion') return [name, random.chance(0.25) ? '3.0.3' : '3.1.0'];
      return [name, random.pick(values)];
    });
  return Object.fromEntries(chosen) as Partial<Interpretations>;
}
