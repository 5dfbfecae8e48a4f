import { isJsonObject, type JsonObject, parseJson } from '../values/json.ts';

/** The body that an entry wrote, where that is a JSON object. */
export function writtenBody({ body }: { readonly body?: Uint8Array | undefined }): JsonObject | undefined {
  if (body === undefined) return undefined;
  try {
    const value = parseJson(new TextDecoder().decode(body));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
