import { readEntryRecords } from '../../../records/entries.ts';
import type { Needs } from '../../../session/context.ts';
import { usableJournal } from '../../../session/usable-journal.ts';
import { localDayAndTime, minutesOf } from '../../../time/calendar.ts';
import { type Entry, readEntry } from '../../../time/entry.ts';
import type { DateContext } from '../../../values/dates.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../../values/json.ts';
import { valueIn } from '../like.ts';

/** From when to when a timer ran: milliseconds since 1970. */
export interface Ran {
  readonly start: number;
  readonly end: number;
}

/** A timer that an operation ended. */
export interface Ended extends Ran {
  /** As the service showed it while it ran. */
  readonly record: JsonObject;
  /** The ids of the hours that were there before. */
  readonly known: readonly (string | number)[];
}

/** A service may round to a quarter of an hour, and its clock is another one. */
const SLACK_MINUTES = 15;

/** The ids of one's own hours on all days on which the service would put those of a timer. */
export async function hoursBefore(
  context: Needs<'account' | 'client' | 'notice'>,
  ran: Ran,
  dates: DateContext,
): Promise<readonly (string | number)[]> {
  const rows = await Array.fromAsync(readEntryRecords(context, { ...daysOf(ran, dates), ...MINE, view: 'summary' }));
  return rows.flatMap(({ id }) => (typeof id === 'number' || typeof id === 'string' ? [id] : []));
}

/**
 * The hours that the service logged by itself when a timer was ended: an entry that was not there before and that svc did not log, of that
 * day and that length, and on what the timer was on, as far as that is shown. Somebody may have logged other hours meanwhile, and the
 * timer's must not be lost for those. Of several the one that is nearest in length; undefined: the service logged nothing.
 *
 * @throws UnavailableError when a new entry shows no day or no minutes.
 */
export async function loggedByService(
  context: Needs<'account' | 'client' | 'journal' | 'notice'>,
  { start, end, record, known }: Ended,
  dates: DateContext,
): Promise<JsonObject | undefined> {
  const { first, last } = daysOf({ start, end }, dates);
  const [rows, written] = await Promise.all([
    // A summary need not show the project.
    Array.fromAsync(readEntryRecords(context, { first, last, ...MINE, view: 'detail' })),
    usableJournal(context).then((journal) => journal?.history({ noun: 'worklogs', outcome: 'done', since: start })),
  ]);
  const others = new Set([...known.map(String), ...(written ?? []).flatMap(({ recordId }) => recordId ?? [])]);
  const off = (entry: Entry) => Math.abs(entry.minutes - minutesOf(end - start));
  const [nearest] = rows
    .filter(({ id }) => id !== undefined && !others.has(scalarText(id)))
    .map((row) => ({ row, entry: readEntry(row) }))
    .filter(({ entry }) => entry.date >= first && entry.date <= last && off(entry) <= SLACK_MINUTES && isAlike(entry, record))
    .toSorted((one, other) => off(one.entry) - off(other.entry));
  return nearest?.row;
}

const MINE = { user: 'me', include: [] } as const;

/** A day more at both ends: the service may be in another zone. */
function daysOf({ start, end }: Ran, dates: DateContext): { readonly first: string; readonly last: string } {
  const day = (moment: number, days: number) => dates.temporal.PlainDate.from(localDayAndTime(moment, dates).date).add({ days }).toString();
  return { first: day(start, -1), last: day(end, 1) };
}

/** Whether an entry is on what a timer was on, and says the same. What one of them does not show tells nothing. */
function isAlike({ workItemId, projectId, description }: Entry, timer: JsonObject): boolean {
  const item = valueIn(timer, 'work_item_id');
  const project = valueIn(timer, 'project_id');
  const text = scalarText(timer['description'] ?? null).trim();
  if (text !== '' && description.trim() !== '' && text !== description.trim()) return false;
  if (!isSame(item, workItemId)) return false;
  // The project follows from a work item, so the one may be named without the other.
  const mayFollow = item !== null && ((project ?? null) === null || projectId === null);
  return mayFollow || isSame(project, projectId);
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one === undefined || other === undefined || scalarText(one) === scalarText(other);
}
