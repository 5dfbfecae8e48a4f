import { isJsonObject, type JsonObject, jsonObjectIn, scalarText, stringifyJson } from '../values/json.ts';

/** Returns the fields that an entry wrote, at the top level or under `data`. Undefined if the body is not a JSON object. */
export function writtenBody({ body }: { readonly body?: Uint8Array | undefined }): JsonObject | undefined {
  const written = body && jsonObjectIn(new TextDecoder().decode(body));
  return written && writtenMembers(written);
}

/** Returns true for a POST that creates a record, and not for an action of a record. */
export function createsRecord({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === 'POST' && !path.includes('/actions/');
}

/** Returns the fields of a body. Some API specs put the fields under `data`. */
export function writtenMembers(body: JsonObject): JsonObject {
  const { data, ...rest } = body;
  return isJsonObject(data) && Object.keys(rest).length === 0 ? data : body;
}

export function showsValues(record: JsonObject, body: JsonObject): boolean {
  return Object.entries(body).every(([name, value]) => record[name] !== undefined && stringifyJson(record[name]) === stringifyJson(value));
}

/**
 * Returns true if a record has the values of a body. A field that the service does not show counts as equal. Trailing zeros of decimals do
 * not count.
 */
export function allowsValues(record: JsonObject, body: JsonObject): boolean {
  return Object.entries(body).every(
    ([name, value]) => record[name] === undefined || plainDecimal(scalarText(record[name])) === plainDecimal(scalarText(value)),
  );
}

/** Returns a decimal without trailing zeros: `1.5` for `1.5000` and `1.50`. Returns any other text unchanged. */
function plainDecimal(text: string): string {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}
