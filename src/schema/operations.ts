import { withoutUndefined } from '../values/without-undefined.ts';
import type { Flat, Schemas } from './flatten.ts';
import { shown } from './names.ts';
import { type DocumentTable, type FollowReference, isTable, membersOf, textsOf } from './references.ts';

export interface Reader {
  readonly follow: FollowReference;
  readonly schemas: Schemas;
  /** Records a part of the document that svc does not use, for the report of the import. */
  readonly ignore: (at: string, reason: string) => void;
}

/** One HTTP method of one path, as the document describes it. */
export interface RawOperation {
  readonly method: string;
  /** The path, without the path of the API (`/api/v2`). */
  readonly path: string;
  readonly said: DocumentTable;
  /** The query parameters by name, including parameters that the path declares for all methods. */
  readonly query: ReadonlyMap<string, RawParameter>;
  readonly body?: { readonly contentType: string; readonly schema: Flat; readonly wrapped: boolean };
  /** The JSON answer to a successful request. Absent if the document does not describe the answer. */
  readonly answer?: Flat;
}

export interface RawParameter {
  readonly name: string;
  readonly said: DocumentTable;
  readonly schema: Flat;
  readonly required: boolean;
}

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** The members of a path’s object that are not methods. */
const NO_METHODS: ReadonlySet<string> = new Set(['$ref', 'summary', 'description', 'servers', 'parameters']);

export function pathOperations(reader: Reader, path: string, item: DocumentTable): RawOperation[] {
  const shared = parametersIn(reader, path, item);
  return Object.entries(item).flatMap(([method, said]) => {
    if (NO_METHODS.has(method) || method.startsWith('x-')) return [];
    const at = `${/^[a-z]+$/.test(method) ? method.toUpperCase() : shown(method)} ${path}`;
    if (!METHODS.has(method)) reader.ignore(at, 'svc has no command for this method');
    else if (!isTable(said)) reader.ignore(at, 'it is not an object');
    if (!METHODS.has(method) || !isTable(said)) return [];
    const answer = answerOf(reader, said['responses']);
    const body = bodyOf(reader, said['requestBody'], answer);
    return [
      {
        method: method.toUpperCase(),
        path,
        said,
        query: queryOf(reader, at, [...shared, ...parametersIn(reader, at, said)]),
        ...withoutUndefined({ body, answer }),
      },
    ];
  });
}

/** Returns the list of parameters. Any other value counts as an empty list, and the report of the import says so. */
function parametersIn({ ignore }: Reader, at: string, { parameters }: DocumentTable): readonly unknown[] {
  if (Array.isArray(parameters)) return parameters;
  if (parameters !== undefined) ignore(at, 'its parameters is not a list');
  return [];
}

/** Returns an object of a document, or the target of its `$ref`. Returns an empty object for any other value. */
function followed({ follow }: Reader, value: unknown): DocumentTable {
  if (!isTable(value)) return {};
  return typeof value['$ref'] === 'string' ? follow(value['$ref']).value : value;
}

/** The parameter locations in OpenAPI. svc itself sends the parameters outside the query. */
const PLACES: ReadonlySet<unknown> = new Set(['query', 'path', 'header', 'cookie']);

function queryOf(reader: Reader, at: string, parameters: readonly unknown[]): Map<string, RawParameter> {
  const found = new Map<string, RawParameter>();
  for (const parameter of parameters) {
    const said = followed(reader, parameter);
    const { name } = said;
    if (typeof name !== 'string' || !PLACES.has(said['in'])) reader.ignore(at, `svc cannot use its parameter ${shown(name)}`);
    if (said['in'] !== 'query' || typeof name !== 'string') continue;
    const [content] = membersOf(said['content']);
    const schema = reader.schemas.flat(said['schema'] ?? (isTable(content?.[1]) ? content[1]['schema'] : undefined));
    found.set(name, { name, said, schema, required: said['required'] === true });
  }
  return found;
}

/**
 * Returns the request body in JSON. If the operation does not accept JSON, returns the body in the first content type. The members of a
 * body can be under `data`. This form does not count if a record itself has a field `data`.
 */
function bodyOf(reader: Reader, value: unknown, answer: Flat | undefined): RawOperation['body'] {
  const contents = membersOf(followed(reader, value)['content']);
  const [type, content] = contents.find(([name]) => isJson(name)) ?? contents[0] ?? [];
  if (type === undefined) return undefined;
  const schema = reader.schemas.flat(isTable(content) ? content['schema'] : undefined);
  const inner = schema.properties.size === 1 ? reader.schemas.flat(schema.properties.get('data')) : undefined;
  const wrapped = (inner?.properties.size ?? 0) > 0 && recordsOf(reader, answer, '')?.record.properties.has('data') !== true;
  return {
    contentType: type.split(';', 1)[0]?.trim().toLowerCase() ?? type,
    schema: wrapped && inner !== undefined ? inner : schema,
    wrapped,
  };
}

/** Returns the schema of the JSON answer with the first success status. Undefined if the document has no such schema. */
function answerOf(reader: Reader, responses: unknown): Flat | undefined {
  const done = membersOf(responses).find(([status]) => /^2(?:\d\d|XX)$/i.test(status));
  const contents = membersOf(followed(reader, done?.[1])['content']);
  const json = contents.find(([name]) => isJson(name))?.[1];
  return isTable(json) && json['schema'] !== undefined ? reader.schemas.flat(json['schema']) : undefined;
}

export function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType) || contentType === '*/*';
}

/**
 * Returns the abilities for an operation. The user needs only one of these abilities. The abilities come from scopes, extensions or the
 * description, in this order. Abilities for one resource take precedence over general abilities.
 */
export function abilitiesOfOperation({ said }: RawOperation): string[] {
  const scopes = Array.isArray(said['security'])
    ? said['security'].flatMap((way) => membersOf(way).flatMap(([, names]) => textsOf(names)))
    : [];
  const extended = wordsIn(said, ['x-abilities', 'x-ability', 'x-required-abilities', 'x-scopes', 'x-required-scopes']);
  const described =
    typeof said['description'] === 'string' ? (said['description'].match(/\bapi:(?:read|write|destroy)(?::[a-z_]+)?/g) ?? []) : [];
  const found = [scopes, extended, described].find((names) => names.length > 0) ?? [];
  const fit = [...new Set(found)].filter((name) => /^[\w.:/-]{1,100}$/.test(name));
  const narrowed = fit.filter((name) => name.split(':').length > 2);
  return narrowed.length > 0 ? narrowed : fit;
}

/**
 * Returns the required permission, such as `absences::manage`, from an extension or the description. Undefined if the document names no
 * permission.
 */
export function permissionOf({ said }: RawOperation): string | undefined {
  const extended = wordsIn(said, ['x-permission', 'x-permissions', 'x-required-permission']);
  const described = typeof said['description'] === 'string' ? /\b[a-z_]+::[a-z_]+\b/.exec(said['description'])?.[0] : undefined;
  return [...extended, described].find((name) => name !== undefined && /^[\w.:-]{1,100}$/.test(name));
}

/** Returns the texts in several members: each a text, or a list of texts. */
function wordsIn(said: DocumentTable, names: readonly string[]): string[] {
  return names.map((name) => said[name]).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value)));
}

/** Possible names of the property that contains the records of an answer. */
const LISTS = ['data', 'items', 'results', 'records', 'rows'];

/** The schemas of the records in an answer, as {@link recordsOf} finds them. */
export interface AnswerRecords {
  /** The merged schema of the records: the fields that any record may have. */
  readonly record: Flat;
  readonly many: boolean;
  /** The named schemas of the records, such as one for the summary view and one for the detail view. Empty if no schema has a name. */
  readonly forms: readonly Flat[];
}

/**
 * Finds the records in an answer. Undefined without an answer.
 *
 * @param word another possible name of the property that contains the records: the last segment of the path.
 */
export function recordsOf(reader: Reader, answer: Flat | undefined, word: string): AnswerRecords | undefined {
  if (answer === undefined) return undefined;
  const { record, many } = unwrapped(reader, answer, word);
  const wholes = answer.branches?.map((branch) => unwrapped(reader, branch, word).record) ?? [];
  return { record, many, forms: [...wholes, ...(record.branches ?? []), record].filter(({ name }) => name !== undefined) };
}

function unwrapped({ schemas }: Reader, answer: Flat, word: string): { readonly record: Flat; readonly many: boolean } {
  if (answer.types.includes('array')) return { record: schemas.flat(answer.items), many: true };
  // An answer with an id is a single record.
  if (answer.properties.has('id')) return { record: answer, many: false };
  for (const name of [...LISTS, word]) {
    if (!answer.properties.has(name)) continue;
    const inner = schemas.flat(answer.properties.get(name));
    if (inner.types.includes('array')) return { record: schemas.flat(inner.items), many: true };
    if (name === 'data' && inner.properties.size > 0) return { record: inner, many: false };
  }
  return { record: answer, many: false };
}
