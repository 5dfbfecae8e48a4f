import { ownEntry } from '../values/json.ts';
import { withoutUndefined } from '../values/without-undefined.ts';
import type { DescribedOperation, DescribedResource } from './described.ts';
import { bodyFields, mergeFields, type RawField } from './fields.ts';
import type { Flat } from './flatten.ts';
import { plainText } from './names.ts';
import { type AnswerRecords, abilitiesOfOperation, isJson, permissionOf, type RawOperation, type Reader, recordsOf } from './operations.ts';
import { includesOf, listOf, ownQuery, type RawList } from './parameters.ts';
import { isTable } from './references.ts';

/** A resource whose references to other resources svc has not resolved yet. */
export interface RawResource extends Omit<DescribedResource, 'fields' | 'list' | 'includes' | 'operations' | 'nested'> {
  readonly fields: Readonly<Record<string, RawField>>;
  readonly list?: RawList;
  readonly includes?: Readonly<Record<string, { readonly many?: true; readonly hint?: string }>>;
  readonly operations: readonly RawDescribedOperation[];
  readonly nested?: readonly RawResource[];
}

export interface RawDescribedOperation extends Omit<DescribedOperation, 'body' | 'query'> {
  readonly body?: Readonly<Record<string, RawField>>;
  readonly query?: Readonly<Record<string, RawField>>;
}

export interface NamedOperation {
  readonly name: string;
  readonly operation: RawOperation;
}

export interface ResourceParts {
  readonly noun: string;
  readonly singular: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly path: string | null;
  readonly itemPath: string | null;
  readonly operations: readonly NamedOperation[];
  readonly nested: readonly RawResource[];
}

export function createResource(reader: Reader, parts: ResourceParts): RawResource {
  const { schemas } = reader;
  const { noun, singular, summary, description, path, itemPath, nested } = parts;
  const by = (name: string) => parts.operations.find((operation) => operation.name === name)?.operation;
  const [list, get, create, update] = [by('list'), by('get'), by('create'), by('update') ?? by('replace')];
  const records = (operation: RawOperation | undefined) => recordsOf(reader, operation?.answer, noun);
  const [listed, single] = [records(list), records(get) ?? records(create) ?? records(update)];
  const body = (operation: RawOperation | undefined, write: 'create' | 'update') =>
    operation?.body === undefined ? {} : bodyFields(operation.body.schema, schemas, write, operation.method);
  const shown = [single, listed].filter((found) => found !== undefined);
  const fields = mergeFields(
    schemas,
    shown.map(({ record }) => record),
    body(create, 'create'),
    body(update, 'update'),
  );
  const includes = includesFor(
    reader,
    [list, get],
    shown.map(({ record }) => record),
  );
  const views = viewsFor(reader, listed, single, Object.keys(includes ?? {}));
  const schema = [single, listed].flatMap((found) => found?.record.name ?? found?.forms[0]?.name ?? [])[0];
  return {
    noun,
    singular,
    summary,
    path,
    itemPath,
    ...withoutUndefined({ description, schema: schema !== undefined && plainText(schema) === schema ? schema : undefined }),
    fields,
    ...withoutUndefined({ list: list && listOf(list, schemas), includes, views: views && inOrder(views, Object.keys(fields)) }),
    operations: parts.operations.map((operation) => describe(reader, operation)),
    ...(nested.length > 0 && { nested }),
  };
}

function describe({ schemas }: Reader, { name, operation }: NamedOperation): RawDescribedOperation {
  const { method, path, said, body } = operation;
  const summary = plainText(said['summary']) ?? firstSentence(said['description']);
  const abilities = abilitiesOfOperation(operation);
  const permission = permissionOf(operation);
  const query = ownQuery(operation, schemas);
  const write = name === 'create' ? 'create' : name === 'update' || name === 'replace' ? 'update' : 'both';
  const members = body === undefined ? undefined : bodyFields(body.schema, schemas, write, method);
  const { contentType = '' } = body ?? {};
  return {
    ...{ name, method, path },
    ...withoutUndefined({ summary, abilities: abilities.length > 0 ? abilities : undefined, permission, body: members }),
    ...(body?.wrapped && { wrapped: true }),
    ...(contentType !== '' && !isJson(contentType) && plainText(contentType) === contentType && { contentType }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(said['deprecated'] === true && { deprecated: true }),
  };
}

function inOrder(views: NonNullable<DescribedResource['views']>, names: readonly string[]): NonNullable<DescribedResource['views']> {
  const sorted = (view: readonly string[]) => {
    const fields = new Set(view);
    return names.filter((name) => fields.has(name));
  };
  const { summary, detail } = views;
  return { ...(summary && { summary: sorted(summary) }), ...(detail && { detail: sorted(detail) }) };
}

/**
 * Returns the first sentence of a text without its full stop, for one line of help. Undefined for an empty text.
 * @param most highest number of characters in the result. Default: 100.
 */
export function firstSentence(text: unknown, most = 100): string | undefined {
  const line = plainText(text, 1_000);
  if (line === undefined) return undefined;
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  return plainText(sentence.replace(/\.$/, ''), most);
}

/**
 * Returns the relations that `include` accepts. Empty if no operation has `include`. Undefined without a list or get operation, or if the
 * document does not list the relations. The extension `x-includes`, a property of the record or the description shows which relations are
 * to-many.
 */
function includesFor(
  { schemas }: Reader,
  operations: readonly (RawOperation | undefined)[],
  records: readonly Flat[],
): RawResource['includes'] | undefined {
  const documented = operations.filter((operation) => operation !== undefined);
  const lists = documented.map(({ query }) => includesOf(query, schemas));
  if (!documented.some(({ query }) => query.has('include'))) return documented.length === 0 ? undefined : {};
  const paths = new Set(lists.flatMap((list) => list ?? []));
  if (paths.size === 0) return undefined;
  const description = documented.map(({ query }) => query.get('include')?.said['description']).find((text) => typeof text === 'string') as
    | string
    | undefined;
  return Object.fromEntries(
    [...paths].map((path) => {
      const said = explicit(path);
      if (said !== undefined) return [path, said];
      const found = records.map((record) => relation(path.split('.'), record)).find((at) => at !== undefined);
      const many = found?.many ?? isCalledMany(path, description ?? '');
      return [path, { ...(many && { many: true as const }), ...(found?.hint !== undefined && { hint: found.hint }) }];
    }),
  );

  /** Reads a relation from the extension `x-includes`, for facts that the record schema lacks. */
  function explicit(path: string): { readonly many?: true; readonly hint?: string } | undefined {
    for (const { query } of documented) {
      const table = query.get('include')?.said['x-includes'];
      const entry = isTable(table) ? ownEntry(table, path) : undefined;
      if (!isTable(entry)) continue;
      const { many, ref } = entry;
      return { ...(many === true && { many }), ...(typeof ref === 'string' && { hint: ref.slice(0, 200) }) };
    }
    return undefined;
  }

  function relation(path: readonly string[], record: Flat): { readonly many: boolean; readonly hint: string | undefined } | undefined {
    const [first = '', ...rest] = path;
    if (!record.properties.has(first)) return undefined;
    const property = schemas.flat(record.properties.get(first));
    const many = property.types.includes('array');
    const target = many ? schemas.flat(property.items) : property;
    if (rest.length === 0) return { many, hint: target.name };
    const below = relation(rest, target);
    return below && { ...below, many: many || below.many };
  }
}

/** Returns true if a description has “to-many” after a relation’s name and before the next name. */
function isCalledMany(path: string, description: string): boolean {
  const at = description.indexOf(`\`${path}\``);
  if (at < 0) return false;
  const behind = description.slice(at + path.length + 2).split('`', 1)[0] ?? '';
  return /\bto-many\b/i.test(behind);
}

/**
 * Finds the fields of the summary view and the detail view. svc reads extensions, or else the names of schemas. Without such extensions and
 * names, svc compares a record of a list with a single record. Undefined if the two views are not known.
 */
function viewsFor(
  { schemas }: Reader,
  listed: AnswerRecords | undefined,
  single: AnswerRecords | undefined,
  relations: readonly string[],
): DescribedResource['views'] | undefined {
  const named = (view: RegExp) => [listed, single].flatMap((found) => found?.forms ?? []).find(({ name = '' }) => view.test(name));
  const namesOf = (record: Flat) => [...record.properties.keys()].filter((name) => !relations.includes(name));
  const marked = (view: string) => {
    const record = single?.record ?? listed?.record;
    const said = [...(record?.properties ?? [])].map(([name, property]) => [name, viewsOf(schemas.flat(property))] as const);
    if (!said.some(([, views]) => views?.includes(view))) return undefined;
    return said
      .filter(([, views]) => views === undefined || views.includes(view))
      .flatMap(([name]) => (relations.includes(name) ? [] : [name]));
  };
  const [summary, detail] = [marked('summary'), marked('detail')];
  if (summary !== undefined || detail !== undefined) return { ...(summary && { summary }), ...(detail && { detail }) };
  const short = named(/summary$/i);
  const long = named(/detail(?:s|ed)?$/i) ?? (short !== undefined && single?.record.name !== short.name ? single?.record : undefined);
  if (short !== undefined || long !== undefined)
    return { ...(short && { summary: namesOf(short) }), ...(long && { detail: namesOf(long) }) };
  if (listed === undefined || single === undefined || single.many) return undefined;
  const [few, all] = [namesOf(listed.record), namesOf(single.record)];
  return few.length > 0 && few.length < all.length && few.every((name) => single.record.properties.has(name))
    ? { summary: few, detail: all }
    : undefined;
}

function viewsOf({ extensions }: Flat): readonly string[] | undefined {
  const said = extensions.get('x-views') ?? extensions.get('x-view');
  if (typeof said === 'string') return said === 'summary' ? ['summary', 'detail'] : [said];
  return Array.isArray(said) ? said.filter((view): view is string => typeof view === 'string') : undefined;
}
