import { type DefinedResource, relationName, type ServedField, storedName } from '../../../src/sandbox/resources/define.ts';
import type { Random } from '../../../src/sandbox/seed/seeding.ts';
import { DEMANDED_FIELDS, MORE_FIELDS, OTHER_FIELDS } from './pools.ts';
import type { TenantChange } from './tenant-change.ts';

/** The resources that a tenant only extends, because nobody could otherwise sign in or log hours. */
const CORE = ['users', 'worklogs'];
/** The enums that decide the sandbox’s own behaviour. */
const FIXED_ENUMS = ['role', 'owner_type', 'category', 'status', 'state'];
/** The resources that tickets create. Their fields stay the same. */
const UNTOUCHED = ['attachments', 'tags'];

type Note = (change: Omit<TenantChange, 'resource'>) => void;

/** Returns a resource with renamed, added and removed fields, and with other filters, sorts, includes and values. */
export function varied(resource: DefinedResource, random: Random, log: (change: TenantChange) => void): DefinedResource {
  if (UNTOUCHED.includes(resource.name)) return resource;
  const note: Note = (change) => log({ ...change, resource: resource.path });
  const isCore = CORE.includes(resource.name);
  const storedAs = isCore ? resource.fields : renamedFields(resource, random, note);
  const more = addedFields(resource, isCore, random, note);
  const { created_at, updated_at, deleted_at, ...own } = storedAs;
  const stamps = { ...(created_at && { created_at }), ...(updated_at && { updated_at }), ...(deleted_at && { deleted_at }) };
  const fields = { ...own, ...more, ...stamps };
  return {
    ...resource,
    fields: isCore ? fields : Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, turned(name, field, random, note)])),
    many: isCore ? resource.many : someOf(resource.many, random, note),
    defaultSort: sortIn(resource.defaultSort, storedAs),
  };
}

function renamedFields(resource: DefinedResource, random: Random, note: Note): DefinedResource['fields'] {
  const entries = Object.entries(resource.fields).flatMap(([name, field]): [string, ServedField][] => {
    const other = Object.hasOwn(OTHER_FIELDS, name) ? OTHER_FIELDS[name] : undefined;
    if (other === undefined || Object.hasOwn(resource.fields, other)) return [[name, field]];
    if (random.chance(0.35)) {
      note({ kind: 'renamed', what: 'field', name: other, was: name });
      return [[other, { ...field, storedAs: storedName(name, field) }]];
    }
    if (field.write !== 'required' && !resource.search.includes(name) && random.chance(0.2)) {
      note({ kind: 'removed', what: 'field', name });
      return [];
    }
    return [[name, field]];
  });
  return Object.fromEntries(entries);
}

/** Returns additional fields. @param isCore true for a core resource, which gets no required fields. */
export function addedFields(
  { fields, verbs }: Pick<DefinedResource, 'fields' | 'verbs'>,
  isCore: boolean,
  random: Random,
  note: Note,
): Record<string, ServedField> {
  if (verbs.length === 0) return {};
  const added: Record<string, ServedField> = {};
  const pick = (pool: Readonly<Record<string, ServedField>>): void => {
    const name = random.pick(Object.keys(pool));
    const field = pool[name];
    if (field === undefined || Object.hasOwn(fields, name) || Object.hasOwn(added, name)) return;
    added[name] = field;
    note({ kind: 'added', what: 'field', name });
  };
  for (let left = random.integer(0, 3); left > 0; left--) pick(MORE_FIELDS);
  if (!isCore && verbs.includes('create') && random.chance(0.25)) pick(DEMANDED_FIELDS);
  return added;
}

/** Returns a field with another filter, sort or include, or with other values. */
function turned(name: string, field: ServedField, random: Random, note: Note): ServedField {
  const { filter, sort, alone: _, ...rest } = field;
  let next: ServedField = field;
  const isPlain = field.compute === undefined && field.shown !== 'never' && field.shown !== 'demand';
  const filterable = isPlain && !['html', 'markdown', 'object', 'references', 'coordinate', 'time'].includes(field.type);
  if (filter !== undefined && name !== 'id' && random.chance(0.12)) {
    next = { ...rest, ...(sort === true && { sort }) };
    note({ kind: 'removed', what: 'filter', name });
  } else if (filter === undefined && filterable && name !== 'id' && random.chance(0.2)) {
    next = { ...next, filter: true };
    note({ kind: 'added', what: 'filter', name });
  }
  if (sort === true && name !== 'id' && random.chance(0.12)) {
    const { sort: __, ...unsorted } = next;
    next = unsorted;
    note({ kind: 'removed', what: 'sort', name });
  } else if (sort === undefined && filterable && field.type !== 'boolean' && random.chance(0.15)) {
    next = { ...next, sort: true };
    note({ kind: 'added', what: 'sort', name });
  }
  const relation = relationName(name, field);
  if (relation !== undefined && random.chance(0.1)) {
    next = { ...next, alone: true };
    note({ kind: 'removed', what: 'include', name: relation });
  }
  return field.type === 'enum' ? withValues(name, next, random, note) : next;
}

function withValues(name: string, field: ServedField, random: Random, note: Note): ServedField {
  const { values = [], write } = field;
  if (write === undefined || FIXED_ENUMS.includes(storedName(name, field))) return field;
  let next = values;
  const [, ...dispensable] = values;
  if (dispensable.length > 1 && random.chance(0.25)) {
    const gone = random.pick(dispensable);
    next = next.filter((value) => value !== gone);
    note({ kind: 'removed', what: 'value', name: gone, was: name });
  }
  if (random.chance(0.35)) {
    const more = random.pick(['other', 'on-request', 'Unclear', 'to_be_decided']);
    if (!next.includes(more)) {
      next = [...next, more];
      note({ kind: 'added', what: 'value', name: more, was: name });
    }
  }
  return { ...field, values: next };
}

function someOf(many: DefinedResource['many'], random: Random, note: Note): DefinedResource['many'] {
  const storedAs = Object.entries(many).filter(([name]) => {
    const isGone = random.chance(0.1);
    if (isGone) note({ kind: 'removed', what: 'include', name });
    return !isGone;
  });
  return Object.fromEntries(storedAs);
}

/** Returns the default order with the tenant’s names. If the tenant lacks the field, returns the order by id. */
function sortIn(defaultSort: string, fields: DefinedResource['fields']): string {
  const bare = defaultSort.replace(/^-/, '');
  const found = Object.entries(fields).find(([name, field]) => storedName(name, field) === bare)?.[0];
  return found === undefined ? 'id' : `${defaultSort.startsWith('-') ? '-' : ''}${found}`;
}
