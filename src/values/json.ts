/**
 * JSON that comes out as it went in. JavaScript would change some numbers on the way (`12345678901234567890`, `1.10`, `1e400`, `-0`);
 * here they survive as {@link RawNumber}.
 */
export type JsonValue = string | number | boolean | null | RawNumber | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A number kept as the text it was written in; made by `JSON.rawJSON`, and written by `JSON.stringify` as that text. */
export interface RawNumber {
  readonly rawJSON: string;
}

/**
 * Parses JSON without changing any number.
 *
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseJson(text: string): JsonValue {
  // A reviver visits every value, at several times the cost of the parse; most texts have no number that needs it.
  return SUSPICIOUS_NUMBER.test(text) || STARTS_WITH_NUMBER.test(text) ? native.parse(text, keepNumber) : native.parse(text);
}

/** The value as JSON: on one line, or indented by `indent` spaces. */
export function stringifyJson(value: JsonValue, indent?: number): string {
  // V8 takes twice as long as soon as it is given the further arguments, whatever they are.
  return indent === undefined ? JSON.stringify(value) : JSON.stringify(value, null, indent);
}

export function isRawNumber(value: unknown): value is RawNumber {
  return native.isRawJSON(value);
}

/** Whether a value is an object of fields: no list, no null, no kept number. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** A scalar as bare text (a string without quotes, `null` and undefined as nothing); a list or an object as JSON on one line. */
export function scalarText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** What ECMAScript's "JSON.parse source text access" adds (Node 21 and later); TypeScript does not declare it yet. */
interface NativeJson {
  parse(text: string, reviver?: (key: string, value: JsonValue, context: { readonly source?: string }) => JsonValue): JsonValue;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): boolean;
}

const native = JSON as unknown as NativeJson;

/**
 * A number that JavaScript might write differently: a negative zero, an exponent, a final zero after the point, more than five digits
 * after it, more than 15 in all. It also finds such text inside strings, and a few numbers that would have come out right, which
 * costs time and nothing else. Every page is searched: this form takes half the time of the plainest one, since digits are passed over once.
 */
const SUSPICIOUS_NUMBER = /[\s:,[](?:-0|-?\d+(?:[eE]|\.(?:\d*(?:0(?!\d)|[eE])|\d{6}))|-?\d{11}(?:\d*\.|\d{5}))/;

/** Apart, since an anchor among the alternatives makes the search through a page half as fast. */
const STARTS_WITH_NUMBER = /^-?\d/;

function keepNumber(_key: string, value: JsonValue, context: { readonly source?: string }): JsonValue {
  const { source } = context;
  return typeof value === 'number' && source !== undefined && source !== String(value) ? native.rawJSON(source) : value;
}
