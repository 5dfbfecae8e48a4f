import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../values/json.ts';

/**
 * Returns the record in a body. The service sends a record directly or under `data`. A record with an `id` and a field `data` stays
 * unchanged. Returns undefined if the body is not an object.
 */
export function unwrapRecord(body: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(body)) return undefined;
  const inner = body['data'];
  return isJsonObject(inner) && !Object.hasOwn(body, 'id') ? inner : body;
}

export function recordIdIn(body: JsonValue | undefined): string | undefined {
  return scalarText(unwrapRecord(body)?.['id']) || undefined;
}
