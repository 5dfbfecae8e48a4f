import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../values/json.ts';

/** Bare or under `data`: the service does both. A record has an `id`, so one with a field named `data` stays whole. */
export function unwrapRecord(body: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(body)) return undefined;
  const inner = body['data'];
  return isJsonObject(inner) && !Object.hasOwn(body, 'id') ? inner : body;
}

export function recordIdIn(body: JsonValue | undefined): string | undefined {
  return scalarText(unwrapRecord(body)?.['id']) || undefined;
}
