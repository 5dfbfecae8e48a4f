import { UsageError } from '../errors.ts';

/** A JSON value. A number that JavaScript would change (`12345678901234567890`, `1.10`, `1e400`, `-0`) is a {@link RawNumber}. */
export type JsonValue = string | number | boolean | null | RawNumber | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A number with its original text, from `JSON.rawJSON`. `JSON.stringify` writes that text. */
interface RawNumber {
  readonly rawJSON: string;
}

/** Parses JSON without changing any number. @throws SyntaxError as `JSON.parse` does. */
export function parseJson(text: string): JsonValue {
  // A reviver visits every value, at several times the cost of the parse. Most texts have no number that needs a reviver.
  return SUSPICIOUS_NUMBER.test(text) || STARTS_WITH_NUMBER.test(text) ? native.parse(text, keepNumber) : native.parse(text);
}

export function stringifyJson(value: JsonValue, indent?: number): string {
  // V8 takes twice as long with more arguments, even undefined arguments.
  return indent === undefined ? JSON.stringify(value) : JSON.stringify(value, null, indent);
}

export function isRawNumber(value: unknown): value is RawNumber {
  return native.isRawJSON(value);
}

/** Returns true if a value is an object with fields, and not a list, null or a {@link RawNumber}. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/**
 * Returns a value as text. A string has no quotes. `null` and undefined become an empty text. A list or an object becomes JSON on one line.
 */
export function scalarText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** Returns each value as text, by the rules of {@link scalarText}. */
export function scalarTexts(values: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, scalarText(value)]));
}

export type PlainObject = Readonly<Record<string, unknown>>;

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a JSON text as JavaScript parses it. Undefined for a text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON as {@link parseJson} does. Undefined for a text that is not JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Returns the object in a JSON text. Undefined for any other text. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isJsonObject(value) ? value : undefined;
}

/** Functions of ECMAScript’s “JSON.parse source text access” (Node 21 and later); TypeScript does not declare them yet. */
interface NativeJson {
  parse(text: string, reviver?: (key: string, value: JsonValue, context: { readonly source?: string }) => JsonValue): JsonValue;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): boolean;
}

const native = JSON as unknown as NativeJson;

/**
 * Matches a number that JavaScript might write differently: a negative zero, an exponent, or a final zero after the point. More than five
 * digits after the point, or more than 15 in all, also match.
 * The expression also matches such text inside strings, and a few safe numbers, which costs only time. svc searches every page with the
 * expression. This form takes half the time of the simplest form, because it reads digits only once.
 */
const SUSPICIOUS_NUMBER = /[\s:,[](?:-0|-?\d+(?:[eE]|\.(?:\d*(?:0(?!\d)|[eE])|\d{6}))|-?\d{11}(?:\d*\.|\d{5}))/;

const STARTS_WITH_NUMBER = /^-?\d/;

function keepNumber(_key: string, value: JsonValue, context: { readonly source?: string }): JsonValue {
  const { source } = context;
  return typeof value === 'number' && source !== undefined && source !== String(value) ? native.rawJSON(source) : value;
}

/** Returns an own entry of a table, for a name from outside. Undefined for any other name, such as `constructor`. */
export function ownEntry<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * The deepest nesting of an answer. svc refuses a deeper answer. Answers of the service have fewer than ten levels. A recursive function
 * overflows the stack only far beyond this limit.
 */
const MAX_LEVELS = 1_000;

/** Matches brackets, and strings, because brackets in a string have no meaning. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;

export function isTooDeep(text: string): boolean {
  // Most pages have fewer brackets than the limit, so a quick test comes first.
  if (!hasMore(text, '[', '{')) return false;
  let level = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') level += 1;
    else if (token === ']' || token === '}') level -= 1;
    if (level > MAX_LEVELS) return true;
  }
  return false;
}

/** Refuses a user’s JSON that is too deep. @param what source of the JSON: `--data`. @throws UsageError */
export function assertNotTooDeep(text: string, what: string): void {
  if (!isTooDeep(text)) return;
  throw new UsageError(`${what}: this JSON has more than ${MAX_LEVELS} levels of lists and objects.`, {
    hint: 'No record of the service has more than ten levels.',
  });
}

function hasMore(text: string, ...characters: readonly string[]): boolean {
  let left = MAX_LEVELS;
  for (const character of characters) {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
      left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}

export class YamlError extends Error {}

/**
 * Reads one document of YAML 1.2 (core schema). Undefined if the text has no document, for example only comments.
 * @param bounds highest number of levels of lists and maps, default 100, and of aliases, default 0.
 * @throws YamlError for text that is not YAML, for several documents, and beyond the bounds.
 */
export async function readYaml(text: string, { maxDepth = 100, maxAliases = 0 } = {}): Promise<unknown> {
  const { loadAll } = await import('js-yaml');
  let documents: readonly unknown[];
  try {
    documents = loadAll(text, { maxDepth, maxAliases });
  } catch (error) {
    throw new YamlError((error instanceof Error ? error.message : String(error)).split('\n', 1)[0]);
  }
  if (documents.length > 1) throw new YamlError('The text has more than one document.');
  return documents[0];
}
