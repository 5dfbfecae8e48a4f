import { isJsonObject, type JsonObject, parseJson, scalarText, stringifyJson } from '../values/json.ts';

/** The members that an entry wrote, bare or under `data`; undefined where its body is no JSON object. */
export function writtenBody({ body }: { readonly body?: Uint8Array | undefined }): JsonObject | undefined {
  if (body === undefined) return undefined;
  try {
    const value = parseJson(new TextDecoder().decode(body));
    return isJsonObject(value) ? writtenMembers(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The members of a body that an API spec may have under `data`. */
export function writtenMembers(body: JsonObject): JsonObject {
  const { data, ...rest } = body;
  return isJsonObject(data) && Object.keys(rest).length === 0 ? data : body;
}

export function showsValues(record: JsonObject, body: JsonObject): boolean {
  return Object.entries(body).every(([name, value]) => record[name] !== undefined && stringifyJson(record[name]) === stringifyJson(value));
}

/** A field that the service does not show counts as equal. Decimals are equal with further zeros at their end. */
export function allowsValues(record: JsonObject, body: JsonObject): boolean {
  return Object.entries(body).every(
    ([name, value]) => record[name] === undefined || plainDecimal(scalarText(record[name])) === plainDecimal(scalarText(value)),
  );
}

/** `1.5000` and `1.50` are `1.5`; any other text is itself. */
function plainDecimal(text: string): string {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}
