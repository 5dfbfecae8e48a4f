import type { Flat, Schemas } from './flatten.ts';
import { type DocumentTable, isTable, membersOf, type References, textsOf } from './references.ts';

/** What reads a document: its references followed, its schemas put together. */
export interface Reader {
  readonly references: References;
  readonly schemas: Schemas;
}

/** One method of one path, as the document has it. */
export interface RawOperation {
  /** In capitals. */
  readonly method: string;
  /** Below the API. */
  readonly path: string;
  readonly said: DocumentTable;
  /** Its query parameters by name, those of its path included. */
  readonly query: ReadonlyMap<string, RawParameter>;
  /** What it takes. Absent: nothing. */
  readonly body?: { readonly contentType: string; readonly schema: Flat };
  /** What it answers when it is done, of JSON. Absent: not described. */
  readonly answer?: Flat;
}

export interface RawParameter {
  readonly name: string;
  readonly said: DocumentTable;
  readonly schema: Flat;
  readonly required: boolean;
}

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** The operations of one path, in the order of the document. */
export function pathOperations(reader: Reader, path: string, item: unknown): RawOperation[] {
  const table = followed(reader, item);
  const shared = Array.isArray(table['parameters']) ? table['parameters'] : [];
  return Object.entries(table).flatMap(([method, said]) => {
    if (!METHODS.has(method) || !isTable(said)) return [];
    const own = Array.isArray(said['parameters']) ? said['parameters'] : [];
    const body = bodyOf(reader, said['requestBody']);
    const answer = answerOf(reader, said['responses']);
    return [
      {
        method: method.toUpperCase(),
        path,
        said,
        query: queryOf(reader, [...shared, ...own]),
        ...(body !== undefined && { body }),
        ...(answer !== undefined && { answer }),
      },
    ];
  });
}

/** A table, or what its `$ref` leads to; an empty one for anything else. */
function followed({ references }: Reader, value: unknown): DocumentTable {
  if (!isTable(value)) return {};
  return typeof value['$ref'] === 'string' ? references.follow(value['$ref']).value : value;
}

function queryOf(reader: Reader, parameters: readonly unknown[]): Map<string, RawParameter> {
  const found = new Map<string, RawParameter>();
  for (const parameter of parameters) {
    const said = followed(reader, parameter);
    const { name } = said;
    if (said['in'] !== 'query' || typeof name !== 'string') continue;
    const [content] = membersOf(said['content']);
    const schema = reader.schemas.flat(said['schema'] ?? (isTable(content?.[1]) ? content[1]['schema'] : undefined));
    found.set(name, { name, said, schema, required: said['required'] === true });
  }
  return found;
}

/** JSON where it takes that, else the first that it names. */
function bodyOf(reader: Reader, value: unknown): RawOperation['body'] {
  const contents = membersOf(followed(reader, value)['content']);
  const [type, content] = contents.find(([name]) => isJson(name)) ?? contents[0] ?? [];
  if (type === undefined) return undefined;
  return {
    contentType: type.split(';', 1)[0]?.trim().toLowerCase() ?? type,
    schema: reader.schemas.flat(isTable(content) ? content['schema'] : undefined),
  };
}

/** Of the first status that means it was done. */
function answerOf(reader: Reader, responses: unknown): Flat | undefined {
  const done = membersOf(responses).find(([status]) => /^2(?:\d\d|XX)$/i.test(status));
  const contents = membersOf(followed(reader, done?.[1])['content']);
  const json = contents.find(([name]) => isJson(name))?.[1];
  return isTable(json) && json['schema'] !== undefined ? reader.schemas.flat(json['schema']) : undefined;
}

export function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType) || contentType === '*/*';
}

/** The abilities of which an operation needs one: in its scopes, in extensions, else in its description. Narrowed ones, where there are. */
export function abilitiesOfOperation({ said }: RawOperation): string[] {
  const scopes = Array.isArray(said['security'])
    ? said['security'].flatMap((way) => membersOf(way).flatMap(([, names]) => textsOf(names)))
    : [];
  const extended = ['x-abilities', 'x-ability', 'x-required-abilities', 'x-scopes', 'x-required-scopes'].flatMap((name) => {
    const value = said[name];
    return typeof value === 'string' ? [value] : textsOf(value);
  });
  const described =
    typeof said['description'] === 'string' ? (said['description'].match(/\bapi:(?:read|write|destroy)(?::[a-z_]+)?/g) ?? []) : [];
  const found = [scopes, extended, described].find((names) => names.length > 0) ?? [];
  const fit = [...new Set(found)].filter((name) => /^[\w.:/-]{1,100}$/.test(name));
  const narrowed = fit.filter((name) => name.split(':').length > 2);
  return narrowed.length > 0 ? narrowed : fit;
}

/** `absences::manage`: in an extension, else in its description. */
export function permissionOf({ said }: RawOperation): string | undefined {
  const extended = ['x-permission', 'x-permissions', 'x-required-permission'].flatMap((name) => {
    const value = said[name];
    return typeof value === 'string' ? [value] : textsOf(value);
  });
  const described = typeof said['description'] === 'string' ? /\b[a-z_]+::[a-z_]+\b/.exec(said['description'])?.[0] : undefined;
  return [...extended, described].find((name) => name !== undefined && /^[\w.:-]{1,100}$/.test(name));
}

/** Names that lists of records have in answers of one object. */
const LISTS = ['data', 'items', 'results', 'records', 'rows'];

/** The records of an answer. */
export interface AnswerRecords {
  /** All that any of them may show. */
  readonly record: Flat;
  /** The answer is a list of them. */
  readonly many: boolean;
  /** Where there are records of several forms, by their schemas' names: of a summary and of all the detail. */
  readonly forms: readonly Flat[];
}

/** @param word What a list may be called besides: the last segment of the path. */
export function recordsOf(reader: Reader, answer: Flat | undefined, word: string): AnswerRecords | undefined {
  if (answer === undefined) return undefined;
  const { record, many } = unwrapped(reader, answer, word);
  const wholes = answer.branches?.map((branch) => unwrapped(reader, branch, word).record) ?? [];
  return { record, many, forms: [...wholes, ...(record.branches ?? []), record].filter(({ name }) => name !== undefined) };
}

function unwrapped({ schemas }: Reader, answer: Flat, word: string): { readonly record: Flat; readonly many: boolean } {
  if (answer.types.includes('array')) return { record: schemas.flat(answer.items), many: true };
  // What has an id is a record, whatever else it has.
  if (answer.properties.has('id')) return { record: answer, many: false };
  for (const name of [...LISTS, word]) {
    if (!answer.properties.has(name)) continue;
    const inner = schemas.flat(answer.properties.get(name));
    if (inner.types.includes('array')) return { record: schemas.flat(inner.items), many: true };
    if (name === 'data' && inner.properties.size > 0) return { record: inner, many: false };
  }
  return { record: answer, many: false };
}
