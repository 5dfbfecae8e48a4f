import { readEntryRecords } from '../../../records/entries.ts';
import type { Needs } from '../../../session/context.ts';
import { placeOf } from '../../../time/calendar.ts';
import type { DateContext } from '../../../values/dates.ts';
import type { JsonObject } from '../../../values/json.ts';

/** One's own hours since a timer began, on whichever day the service would put them. */
export async function hoursSince(
  context: Needs<'account' | 'client' | 'notice'>,
  start: number,
  dates: DateContext,
): Promise<readonly JsonObject[]> {
  const day = (moment: number, days: number) => dates.temporal.PlainDate.from(placeOf(moment, dates).date).add({ days }).toString();
  const question = { first: day(start, -1), last: day(dates.now, 1), user: 'me', view: 'summary', include: [] } as const;
  return Array.fromAsync(readEntryRecords(context, question));
}

/**
 * The hours that the service logged by itself when a timer was ended: an entry that was not there before, and that says nothing else of
 * what it is on. Of several the one that is nearest in length.
 */
export function loggedByService(
  rows: readonly JsonObject[],
  known: readonly (string | number)[],
  body: JsonObject,
): JsonObject | undefined {
  const before = new Set(known.map(String));
  const fits = (row: JsonObject) =>
    ['work_item_id', 'project_id'].every(
      (name) => (row[name] ?? null) === null || (body[name] ?? null) === null || row[name] === body[name],
    );
  const off = (row: JsonObject) => Math.abs(Number(row['minutes']) - Number(body['minutes']));
  const [nearest] = rows
    .filter((row) => row['id'] !== undefined && !before.has(String(row['id'])) && fits(row))
    .toSorted((one, other) => off(one) - off(other));
  return nearest;
}
