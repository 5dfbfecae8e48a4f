import { AT_ONCE, inOrder } from '../../bulk/in-order.ts';
import { ForbiddenError, NotFoundError, UnavailableError, undefinedFor } from '../../errors.ts';
import type { Seal } from '../../output/seal-report.ts';
import { readEntryRecords } from '../../records/entries.ts';
import { readTeam } from '../../records/people.ts';
import { readWorklog } from '../../records/worklogs.ts';
import type { Needs } from '../../session/context.ts';
import type { DateRange } from '../../time/date-range.ts';
import { readEntry } from '../../time/entry.ts';
import type { JsonObject } from '../../values/json.ts';
import { sealedText, sha256Of } from './seal.ts';

/**
 * A difference between a month and its seal. `before` is undefined for an added entry, and if svc does not have the sealed record. `after`
 * is undefined for a deleted entry.
 */
export interface SealDifference {
  readonly kind: 'added' | 'changed' | 'deleted';
  readonly id: number;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  /** The present record, even if the service marks the record as deleted. */
  readonly shown: JsonObject | undefined;
}

export type MonthComparison = Awaited<ReturnType<typeof compareMonth>>;

/**
 * Returns the records of a month by id.
 *
 * @throws UnavailableError for a record without an id, and for a record that changed between pages.
 */
export function recordsById(records: readonly JsonObject[]): Map<number, JsonObject> {
  const byId = new Map<number, JsonObject>();
  for (const record of records) {
    const { id } = readEntry(record);
    const earlier = byId.get(id ?? 0);
    if (id === undefined || (earlier !== undefined && sealedText(earlier) !== sealedText(record)))
      throw new UnavailableError(`Entry ${id ?? 'without an id'} changed while svc read the month.`, {
        hint: 'Run the same command again.',
      });
    byId.set(id, record);
  }
  return byId;
}

/**
 * Reads the month again, and compares each entry with its SHA-256 in the seal. A failed reading is an error, and never a difference.
 *
 * @param stored The sealed records by SHA-256. Without a record, svc does not know which fields changed.
 * @throws ForbiddenError if an entry is missing, and svc cannot see a person who possibly logged the entry.
 */
export async function compareMonth(
  context: Needs<'account' | 'client' | 'notice' | 'noticeToday' | 'timeZone'>,
  seal: Seal,
  { range, own, stored }: { readonly range: DateRange; readonly own: number; readonly stored: ReadonlyMap<string, JsonObject> },
) {
  const { team, account, people, entries } = seal;
  const isOwn = !team && own === account;
  const members = isOwn ? [] : await readTeam(context, team ? {} : { users: people });
  const names = new Map(members.map(({ id, name }) => [id, name]));
  const reading = readEntryRecords(context, { ...range, ...(team ? {} : { user: account }), view: 'detail', include: [] });
  const present = recordsById(await Array.fromAsync(reading));
  // An entry can be missing in the list because the entry now has another day or another user.
  const missing = entries.filter(({ id }) => !present.has(id));
  const lookUp = async ({ id }: { readonly id: number }) =>
    [id, (await readWorklog(context, id).catch(undefinedFor(NotFoundError)))?.record] as const;
  const lookedUp = new Map(await Array.fromAsync(inOrder(missing, AT_ONCE, lookUp)));
  const fields = new Set(seal.fields);
  const differences: SealDifference[] = [];
  for (const { id, sha256 } of entries) {
    const shown = present.get(id) ?? lookedUp.get(id);
    const after = typeof shown?.['deleted_at'] === 'string' ? undefined : shown;
    if (after !== undefined) present.set(id, after);
    if (after !== undefined && sha256Of(sealedText(after, fields)) === sha256) continue;
    const before = stored.get(sha256);
    const userId = before && readEntry(before).userId;
    const hidden = (typeof userId === 'number' ? [userId] : people).filter((user) => !names.has(user));
    if (after === undefined && !isOwn && hidden.length > 0)
      throw new ForbiddenError(`You cannot see user ${hidden.join(', ')}, so svc does not know whether entry ${id} was deleted.`, {
        hint: 'Sign in as a user who can see everybody of the seal.',
      });
    differences.push({ kind: after === undefined ? 'deleted' : 'changed', id, before, after, shown });
  }
  const sealed = new Set(entries.map(({ id }) => id));
  for (const [id, after] of present) if (!sealed.has(id)) differences.push({ kind: 'added', id, before: undefined, after, shown: after });
  /** Returns the minutes of a record. Returns 0 for a record outside the month, or of a user whom the seal does not cover. */
  const minutesOf = (record: JsonObject) => {
    const { date, minutes, userId = account } = readEntry(record);
    return date >= range.first && date <= range.last && (team || userId === account) ? minutes : 0;
  };
  return { differences: differences.sort((one, other) => one.id - other.id), present: [...present.values()], minutesOf, names };
}
