import { ownEntry } from '../values/json.ts';
import { boundsText } from '../values/scalars.ts';
import type { DescribedField, DescribedFilter, DescribedOperation, DescribedResource } from './described.ts';
import type { FromCatalog } from './from-catalog.ts';

/** A difference between two API specs, such as a new field or a missing filter. */
export interface SchemaChange {
  /** The resource, such as `work-items` or `work-items subtasks`. */
  readonly noun: string;
  readonly what: 'resource' | 'field' | 'filter' | 'sort' | 'include' | 'view' | 'operation' | 'list';
  /** The name of the changed part, such as a field or a filter. Empty for the resource itself. */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** True if a script that worked can fail, because an input or a value is missing or has another form. */
  readonly breaking: boolean;
  /**
   * The old state (`before`) and the new state (`now`), described for a person. Empty for a state that does not exist, or that has only a
   * name.
   */
  readonly before: string;
  readonly now: string;
}

type Facts = Omit<SchemaChange, 'noun'>;

/** Returns the changes from one API spec to another. Breaking changes come first. */
export function compareImports(before: readonly DescribedResource[], now: readonly DescribedResource[]): SchemaChange[] {
  const [old, fresh] = [flatResources(before), flatResources(now)];
  const changes: SchemaChange[] = [];
  for (const [noun, is] of fresh) {
    const was = old.get(noun);
    if (was === undefined) changes.push({ noun, ...added('resource', '', summaryOf(is)) });
    else changes.push(...resourceChanges(was, is).map((change) => ({ noun, ...change })));
  }
  for (const [noun, was] of old) if (!fresh.has(noun)) changes.push({ noun, ...removed('resource', '', summaryOf(was)) });
  return breakingFirst(changes);
}

/** Returns the breaking changes, and then the other changes. Both parts keep the given order. */
export function breakingFirst<C extends { readonly breaking: boolean }>(changes: readonly C[]): C[] {
  return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)];
}

/**
 * Returns all resources and child resources, by the words that a user types for the resource.
 * @param above words of the parent. Default: no parent.
 */
export function flatResources(nouns: readonly DescribedResource[], above = ''): Map<string, DescribedResource> {
  const found = new Map<string, DescribedResource>();
  for (const noun of nouns) {
    const name = above === '' ? noun.noun : `${above} ${noun.noun}`;
    found.set(name, noun);
    for (const [below, nested] of flatResources(noun.nested ?? [], name)) found.set(below, nested);
  }
  return found;
}

function resourceChanges(was: DescribedResource, is: DescribedResource): Facts[] {
  return [
    ...tableChanges('operation', byName(was.operations), byName(is.operations), operationText, operationBreaks),
    ...tableChanges('field', was.fields, is.fields, fieldText, fieldBreaks),
    ...newlyRequired(was.fields, is.fields),
    ...tableChanges(
      'filter',
      was.list?.filters ?? {},
      is.list?.filters ?? {},
      filterText,
      (a, b) => a.operators.some((operator) => !b.operators.includes(operator)) || a.kind !== b.kind,
    ),
    ...listChanges('sort', was.list?.sorts, is.list?.sorts),
    ...listChanges('include', was.includes && Object.keys(was.includes), is.includes && Object.keys(is.includes)),
    ...viewChanges(was, is),
    ...oneChange('paged', was.list?.paged, is.list?.paged, was.list?.paged === true),
    ...oneChange('search', was.list?.search, is.list?.search, was.list?.search === true),
    ...oneChange('default sort', was.list?.defaultSort, is.list?.defaultSort, false),
    ...oneChange(
      'rows of a page',
      was.list?.maxPerPage,
      is.list?.maxPerPage,
      (is.list?.maxPerPage ?? Number.POSITIVE_INFINITY) < (was.list?.maxPerPage ?? 0),
    ),
  ];
}

function tableChanges<Entry>(
  what: SchemaChange['what'],
  was: Readonly<Record<string, Entry>>,
  is: Readonly<Record<string, Entry>>,
  text: (entry: Entry) => string,
  breaks: (was: Entry, is: Entry) => boolean,
): Facts[] {
  const changes: Facts[] = [];
  for (const [name, entry] of Object.entries(is)) {
    const old = ownEntry(was, name);
    if (old === undefined) changes.push(added(what, name, text(entry)));
    else if (text(old) !== text(entry))
      changes.push({ what, name, change: 'changed', breaking: breaks(old, entry), before: text(old), now: text(entry) });
  }
  for (const [name, entry] of Object.entries(was)) if (!Object.hasOwn(is, name)) changes.push(removed(what, name, text(entry)));
  return changes;
}

/** Returns a breaking change for each new required field of a create, because earlier creates lack the field. */
function newlyRequired(was: DescribedResource['fields'], is: DescribedResource['fields']): Facts[] {
  return Object.entries(is).flatMap(([name, field]) =>
    field.required && !Object.hasOwn(was, name)
      ? [{ what: 'field' as const, name, change: 'changed' as const, breaking: true, before: 'not there', now: 'required on create' }]
      : [],
  );
}

function listChanges(what: SchemaChange['what'], was: readonly string[] | undefined, is: readonly string[] | undefined): Facts[] {
  if (was === undefined || is === undefined) return [];
  return [
    ...is.filter((name) => !was.includes(name)).map((name) => added(what, name, '')),
    ...was.filter((name) => !is.includes(name)).map((name) => removed(what, name, '')),
  ];
}

function viewChanges({ views: was = {} }: DescribedResource, { views: is = {} }: DescribedResource): Facts[] {
  return (['summary', 'detail'] as const).flatMap((view) =>
    listChanges('view', was[view], is[view]).map((change) => ({ ...change, name: `${view}: ${change.name}` })),
  );
}

function oneChange(name: string, was: string | number | boolean | undefined, is: typeof was, breaking: boolean): Facts[] {
  return was === is ? [] : [{ what: 'list', name, change: 'changed', breaking, before: String(was ?? ''), now: String(is ?? '') }];
}

function fieldBreaks(was: DescribedField, is: DescribedField): boolean {
  const lost = writes(was).some((write) => !writes(is).includes(write));
  const values = was.values?.some((value) => !is.values?.includes(value)) ?? false;
  return was.kind !== is.kind || lost || (is.required === true && was.required !== true) || (values && is.values !== undefined);
}

function operationBreaks(was: DescribedOperation, is: DescribedOperation): boolean {
  const abilities =
    was.abilities !== undefined && is.abilities !== undefined && was.abilities.some((ability) => !is.abilities?.includes(ability));
  const bodies = Object.entries(is.body ?? {}).some(([name, field]) => field.required && was.body?.[name]?.required !== true);
  const lost = Object.keys(was.body ?? {}).some((name) => !Object.hasOwn(is.body ?? {}, name));
  return was.method !== is.method || was.path !== is.path || abilities || bodies || lost || was.contentType !== is.contentType;
}

/** Describes a field for a person: its kind, values, writability and other properties. */
export function fieldText(field: DescribedField): string {
  const { kind, items = 'json', minimum, maximum, write, required, nullable, values, extensible, ref, writeOnly, deprecated } = field;
  const what = items === 'json' ? kind : `list of ${items}`;
  return [
    ref === undefined ? what : `${what} of ${ref}`,
    boundsText({ minimum, maximum }),
    values && `${values.join('|')}${extensible ? '|…' : ''}`,
    nullable && 'or null',
    write === undefined ? 'read-only' : write === 'both' ? 'create, update' : `${write} only`,
    required && 'required',
    writeOnly && 'never shown',
    deprecated && 'deprecated',
  ]
    .filter(Boolean)
    .join(', ');
}

export function filterText({ kind, operators, values }: Pick<DescribedFilter, 'kind' | 'operators' | 'values'>): string {
  return [kind, operators.join(' '), values?.join('|')].filter(Boolean).join(', ');
}

export function operationText({ method, path, abilities, permission, body, contentType, deprecated }: DescribedOperation): string {
  const members = Object.entries(body ?? {}).map(([name, { required }]) => (required ? `${name}*` : name));
  return [
    `${method} ${path}`,
    abilities?.join(' or '),
    permission,
    contentType,
    members.length > 0 && `body: ${members.join(' ')}`,
    deprecated && 'deprecated',
  ]
    .filter(Boolean)
    .join(', ');
}

function writes({ write }: DescribedField): string[] {
  return write === 'both' ? ['create', 'update'] : write === undefined ? [] : [write];
}

function byName(operations: readonly DescribedOperation[]): Record<string, DescribedOperation> {
  return Object.fromEntries(operations.map((operation) => [operation.name, operation]));
}

function summaryOf({ path, itemPath }: DescribedResource): string {
  return path ?? itemPath ?? '';
}

function added(what: SchemaChange['what'], name: string, now: string): Facts {
  return { what, name, change: 'added', breaking: false, before: '', now };
}

function removed(what: SchemaChange['what'], name: string, before: string): Facts {
  return { what, name, change: 'removed', breaking: true, before, now: '' };
}

/** A difference between an organisation’s API spec and the built-in catalog. */
export interface CatalogChange extends Omit<SchemaChange, 'change'> {
  /**
   * - `confirmed`: svc assumed the fact, and the spec agrees.
   * - `corrected`: the spec differs from the catalog.
   * - `added`: only the spec has the fact.
   * - `missing`: only the catalog has the fact.
   */
  readonly change: 'confirmed' | 'corrected' | 'added' | 'missing';
  /** True if svc had assumed the fact. False if the fact is documented, or only in the spec. */
  readonly assumed: boolean;
}

/**
 * Compares a resource of the catalog with the same resource of an API spec. A new fact or a wrong assumption is not breaking, because svc
 * uses the spec from now on. Any other difference from the documentation is breaking.
 *
 * @param name name as the user types it: `work-items subtasks`.
 */
export function compareCatalog(name: string, catalog: FromCatalog, described: DescribedResource): CatalogChange[] {
  const { noun: knew, isAssumed } = catalog;
  const changes: CatalogChange[] = [];
  const note = (
    what: CatalogChange['what'],
    key: string,
    change: CatalogChange['change'],
    { assumed = false, before = '', now = '' }: Partial<Pick<CatalogChange, 'assumed' | 'before' | 'now'>>,
  ) => {
    const breaking = (change === 'corrected' || change === 'missing') && !assumed;
    changes.push({ noun: name, what, name: key, change, breaking, assumed, before, now });
  };
  const compareEntries = <Entry>(
    what: 'field' | 'filter' | 'include',
    was: Readonly<Record<string, Entry>>,
    is: Readonly<Record<string, Entry>> | undefined,
    text: (entry: Entry) => string,
    agrees: (was: Entry, is: Entry) => boolean,
  ) => {
    if (is === undefined) return;
    for (const [key, entry] of Object.entries(is)) {
      const old = ownEntry(was, key);
      const assumed = isAssumed(what, key);
      if (old === undefined) note(what, key, 'added', { now: text(entry) });
      else if (!agrees(old, entry)) note(what, key, 'corrected', { assumed, before: text(old), now: text(entry) });
      else if (assumed) note(what, key, 'confirmed', { assumed, before: text(old), now: text(entry) });
    }
    for (const [key, entry] of Object.entries(was))
      if (!Object.hasOwn(is, key)) note(what, key, 'missing', { assumed: isAssumed(what, key), before: text(entry) });
  };
  compareEntries(
    'field',
    knew.fields,
    described.fields,
    fieldText,
    (was, is) => was.kind === is.kind && was.write === is.write && (was.required ?? false) === (is.required ?? false),
  );
  compareEntries(
    'filter',
    knew.list?.filters ?? {},
    described.list?.filters,
    filterText,
    (was, is) => was.kind === is.kind && was.operators.every((operator) => is.operators.includes(operator)),
  );
  compareEntries(
    'include',
    knew.includes ?? {},
    described.includes,
    ({ many }) => (many ? 'many' : 'one'),
    (was, is) => was.many === is.many,
  );
  const isIn = (operations: readonly DescribedOperation[]) => (one: DescribedOperation) =>
    operations.some(({ method, path }) => method === one.method && samePath(path, one.path));
  const isKnown = isIn(knew.operations);
  const isDescribed = isIn(described.operations);
  for (const operation of described.operations)
    if (!isKnown(operation)) note('operation', operation.name, 'added', { now: `${operation.method} ${operation.path}` });
  for (const operation of knew.operations)
    if (!isDescribed(operation))
      note('operation', operation.name, 'missing', { assumed: isAssumed('path', ''), before: `${operation.method} ${operation.path}` });
  return changes;
}

/** Returns true if two paths are the same apart from the names of their parameters. */
function samePath(one: string, other: string): boolean {
  return one.replace(/\{[^}]*\}/g, '{}') === other.replace(/\{[^}]*\}/g, '{}');
}
