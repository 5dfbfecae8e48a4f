import type { ExistingRecord } from '../../../bulk/import/existing-records.ts';
import { uncached } from '../../../client/cached-send.ts';
import { readEntries } from '../../../records/entries.ts';
import type { Needs } from '../../../session/context.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../../values/json.ts';

/**
 * The hours that the service has on the days of some rows, from the first to the last, under the names of the fields that are sent.
 *
 * @param own one's own id: hours of one's own have no `user_id`.
 */
export async function existingHours(
  context: Needs<'account' | 'client' | 'notice'>,
  own: number,
  rows: readonly JsonObject[],
): Promise<readonly ExistingRecord[]> {
  const days = rows.map(({ date }) => scalarText(date ?? null)).filter((day) => /^\d{4}-\d\d-\d\d$/.test(day));
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)];
  if (first === undefined || last === undefined) return [];
  const people = new Set(rows.map(({ user_id: user }) => (typeof user === 'number' ? user : own)));
  const [user] = people.size === 1 ? people : [];
  const records: ExistingRecord[] = [];
  const asking = { ...context, client: async () => uncached(await context.client()) };
  for await (const entry of readEntries(asking, { first, last, user, view: 'detail', include: [] })) {
    if (entry.id === undefined) continue;
    const shown: Record<string, JsonValue | undefined> = {
      date: entry.date,
      minutes: entry.minutes,
      description: entry.description,
      project_id: entry.projectId,
      work_item_id: entry.workItemId,
      user_id: entry.userId === own ? undefined : entry.userId,
      is_not_billable: entry.billable === undefined ? undefined : !entry.billable,
      is_overtime: entry.overtime,
    };
    const known = Object.entries(shown).filter((field): field is [string, JsonValue] => field[1] !== undefined);
    records.push({ id: String(entry.id), fields: Object.fromEntries(known) });
  }
  return records;
}
