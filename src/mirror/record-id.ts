import { type JsonObject, scalarText } from '../values/json.ts';

/** A record's id; undefined where it has none that is an integer. */
export function idOf(record: JsonObject): number | undefined {
  const id = Number(scalarText(record['id']) || Number.NaN);
  return Number.isSafeInteger(id) ? id : undefined;
}
