import type { Entry } from '../journal/entry.ts';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../values/json.ts';
import { utcSeconds } from '../values/utc-seconds.ts';

/** What an entry wrote, where that is a JSON object. */
export function bodyOf({ body }: Pick<Entry, 'body'>): JsonObject | undefined {
  if (body === undefined) return undefined;
  try {
    const value = parseJson(new TextDecoder().decode(body));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** In a line, for a person: `add 2026-06-01, 90, Review` of a create, `change 5902: minutes 60` of an update. */
export function summaryOf(entry: Pick<Entry, 'body' | 'method' | 'path'>): string {
  const fields = Object.entries(bodyOf(entry) ?? {}).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : stringifyJson(value)}`,
  );
  return [`${entry.method} ${entry.path}`, fields.join(', ')]
    .filter((part) => part !== '')
    .join(': ')
    .slice(0, 160);
}

/** A moment as the service writes one. */
export function momentOf(ms: number): string {
  return utcSeconds(ms);
}
