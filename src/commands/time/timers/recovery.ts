import { ConflictError } from '../../../errors.ts';
import type { JournalEntry } from '../../../journal/entry.ts';
import { ifUsable } from '../../../journal/journal-error.ts';
import { readEntryRecords } from '../../../records/entries.ts';
import { canDelete } from '../../../records/send-write.ts';
import { type LoggingOnce, logHours, readHoursState, resolveHours, timerOfKey } from '../../../records/timer-hours.ts';
import { stoppedBy } from '../../../records/timers.ts';
import type { Asking, Needs } from '../../../session/context.ts';
import { hostFlag } from '../../../session/printed-command.ts';
import { addDays, type Interval, localDayAndTime, minutesOf } from '../../../time/calendar.ts';
import type { DateRange } from '../../../time/date-range.ts';
import { type Entry, readEntry } from '../../../time/entry.ts';
import type { DateContext } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../../../values/json.ts';
import { quote } from '../../../values/text.ts';
import { valueIn } from '../like.ts';
import type { PlannedStop } from './plan-stop.ts';
import type { RunningTimer } from './running.ts';

export interface TimerStop {
  readonly timerId: number;
  readonly hours: JsonObject | undefined;
  /** The writer of the hours: svc now (`svc`), svc in an earlier run (`before`), or the service. Undefined without hours. */
  readonly by: 'svc' | 'before' | 'service' | undefined;
  readonly remains: string | undefined;
  /** The record of the timer while the timer ran. Undefined if an earlier run of svc ended the timer. */
  readonly timer?: RunningTimer;
  readonly plan?: PlannedStop | undefined;
}

/**
 * The hours that svc must log if the service logs no hours. svc can check the service’s entries only after the operation. The journal
 * stores the hours, so that the hours survive a crash.
 */
interface HoursToLog {
  readonly key: string;
  readonly body: JsonObject;
  /** The names of the fields that the user set. The service can refuse these fields. */
  readonly typed: readonly string[];
  /** The start of the timer in milliseconds since 1970. */
  readonly start: number;
  readonly worklog_ids: readonly (string | number)[];
}

interface Interrupted {
  readonly timerId: number;
  readonly hours: JournalEntry | undefined;
  readonly operation:
    | { readonly entry: JournalEntry; readonly left: HoursToLog; readonly nextKey: string; readonly wasRefused: boolean }
    | undefined;
}

/** The number of recently ended timers that svc checks for hours that the service refused. */
const LATEST = 5;

export async function findUnfinished(context: Needs<'journal'>, timers: readonly { readonly id: number }[]) {
  const journal = await ifUsable(context.journal());
  if (journal === undefined) return { interrupted: [], done: [] };
  const running = timers.map(({ id }) => id);
  const found = new Map<number, Interrupted>();
  const done: number[] = [];
  for (const { entry } of await journal.outbox()) {
    const timerId = timerOfKey(entry.key);
    if (timerId !== undefined && !running.includes(timerId)) found.set(timerId, { timerId, hours: entry, operation: undefined });
    const [, deleted] = /^\/timers\/(\d+)$/.exec(entry.path) ?? [];
    if (entry.method === 'DELETE' && deleted !== undefined && !running.includes(Number(deleted))) done.push(entry.number);
  }
  const [unknown, ended] = await Promise.all([
    journal.history({ noun: 'timers', outcome: 'unknown' }),
    journal.history({ noun: 'timers', outcome: 'done', limit: LATEST }),
  ]);
  for (const entry of [...unknown, ...ended]) {
    const timerId = stoppedBy(entry);
    if (timerId === undefined || running.includes(timerId)) continue;
    const left = readHoursToLog(entry);
    if (left === undefined) {
      // The duration of the timer rounded to zero, so there are no hours to log.
      if (entry.outcome === 'unknown') done.push(entry.number);
      continue;
    }
    const { entry: hours, failed, nextKey } = await readHoursState({ journal: context.journal }, left.key);
    const wasRefused = failed?.outcome === 'refused';
    // After a confirmed operation, hours are missing only if the service refused the hours.
    const isOpen = hours === undefined && (entry.outcome === 'unknown' ? failed?.undoneBy === undefined : wasRefused);
    if (isOpen) found.set(timerId, { timerId, hours, operation: { entry, left, nextKey, wasRefused } });
    else if (entry.outcome === 'unknown') done.push(entry.number);
  }
  return { interrupted: [...found.values()], done };
}

export function withHoursToLog(record: JsonObject, { typed, worklog_ids: ids, ...rest }: HoursToLog): JsonObject {
  return { ...record, [MEMBER]: { ...rest, typed: [...typed], worklog_ids: [...ids] } };
}

const MEMBER = 'hours_to_log';

function readHoursToLog({ before }: JournalEntry): HoursToLog | undefined {
  const left = before?.[MEMBER];
  if (!isJsonObject(left)) return undefined;
  const { key, body, typed, start, worklog_ids: ids } = left;
  if (typeof key !== 'string' || !isJsonObject(body) || typeof start !== 'number') return undefined;
  if (!Array.isArray(ids) || !Array.isArray(typed)) return undefined;
  const known = ids.filter((id) => typeof id === 'number' || typeof id === 'string');
  return { key, body, typed: typed.filter((name) => typeof name === 'string'), start, worklog_ids: known };
}

/**
 * Completes the interrupted ends of timers, and logs the hours that the service did not log. Returns the ended timers.
 *
 * @param fields Fields that replace fields of the earlier command, such as fields that the service refused.
 */
export async function finishTimers(
  context: Needs<LoggingOnce>,
  { interrupted, done }: Awaited<ReturnType<typeof findUnfinished>>,
  fields: JsonObject,
  dates: DateContext,
): Promise<readonly TimerStop[]> {
  const journal = await ifUsable(context.journal());
  for (const number of done) await journal?.resolve(number, { outcome: 'done', status: 200 });
  const stopped: TimerStop[] = [];
  for (const { timerId, hours: entry, operation } of interrupted) {
    if (operation === undefined) {
      if (entry !== undefined) stopped.push({ timerId, hours: await resolveHours(context, entry), by: 'svc', remains: undefined });
      continue;
    }
    const { entry: ended, left, nextKey, wasRefused } = operation;
    const timer = { start: left.start, end: ended.sentAt ?? ended.at, record: ended.before ?? {}, known: left.worklog_ids };
    const own = await loggedByService(context, timer, dates, ended.outcome === 'unknown' ? ended : undefined);
    // svc does not send refused fields again.
    const accepted = Object.entries(left.body).filter(([name]) => !wasRefused || !left.typed.includes(name));
    const hours = own ?? (await logHours(context, nextKey, { ...Object.fromEntries(accepted), ...fields }));
    await journal?.resolve(ended.number, { outcome: 'done', status: 200 });
    stopped.push({ timerId, hours, by: own === undefined ? 'svc' : 'service', remains: undefined });
  }
  return stopped;
}

export async function reportUnfinished(
  context: Needs<'credentials' | 'journal' | 'notice' | 'resolvedHost' | 'settings'>,
  running: readonly RunningTimer[],
): Promise<void> {
  const host = await hostFlag(context);
  const { interrupted } = await findUnfinished(context, running);
  for (const { timerId } of interrupted)
    await context.notice(
      `Timer ${timerId} is over. svc does not know whether its hours are logged. To log the hours: svc timers stop${host}`,
    );
  const logged = running.filter(({ worklogId }) => worklogId !== undefined);
  const first = logged.length === 0 || (await canDelete(context)) ? '' : `svc token set${host}, then `;
  for (const { id } of logged)
    await context.notice(
      `Timer ${id} still runs at the service, though its hours are logged. To end it: ${first}svc timers cancel ${id}${host}`,
    );
}

/** An ended timer. */
interface Ended extends Interval {
  readonly record: JsonObject;
  readonly known: readonly (string | number)[];
}

/** The accepted difference of durations in minutes. The service can round, and its clock can differ. */
const SLACK_MINUTES = 15;
/** The largest difference between the clocks of this machine and the service, in milliseconds. */
const SKEW_MS = 10 * 60_000;

export async function readHourIds(
  context: Needs<'account' | 'client' | 'notice' | 'noticeToday'>,
  ran: Interval,
  dates: DateContext,
): Promise<readonly (string | number)[]> {
  const rows = await Array.fromAsync(readEntryRecords(context, { ...daysOf(ran, dates), ...MINE, view: 'summary' }));
  return rows.flatMap(({ id }) => (typeof id === 'number' || typeof id === 'string' ? [id] : []));
}

/**
 * Finds the entry that the service itself logged for a timer. svc looks on the days around the timer for a new entry that svc did not log.
 * The entry must have the work item and project of the timer. svc prefers an equal text, then the closest length, because the service can
 * round the length.
 *
 * @param unseen The unconfirmed operation of an earlier run. You have possibly logged other hours since, so svc asks about a doubtful
 * entry.
 * @throws ConflictError for a doubtful entry, without a terminal.
 */
export async function loggedByService(
  context: Needs<Asking | 'account' | 'client' | 'journal' | 'notice' | 'noticeToday'>,
  { start, end, record, known }: Ended,
  dates: DateContext,
  unseen?: JournalEntry,
): Promise<JsonObject | undefined> {
  const { first, last } = daysOf({ start, end }, dates);
  const [rows, written] = await Promise.all([
    // A summary view need not show the project (rule 18.23).
    Array.fromAsync(readEntryRecords(context, { first, last, ...MINE, view: 'detail' })),
    ifUsable(context.journal()).then((journal) => journal?.history({ noun: 'worklogs', outcome: 'done', since: start })),
  ]);
  const others = new Set([...known.map(String), ...(written ?? []).flatMap(({ recordId }) => recordId ?? [])]);
  const off = (entry: Entry) => Math.abs(entry.minutes - minutesOf(end - start));
  const strangeness = (entry: Entry) => (hasText(entry, record) ? 0 : 1);
  const [nearest] = rows
    .filter(({ id }) => id !== undefined && !others.has(scalarText(id)))
    .map((row) => ({ row, entry: readEntry(row) }))
    .filter(({ entry }) => entry.date >= first && entry.date <= last && isPlaced(entry, record))
    .toSorted((one, other) => strangeness(one.entry) - strangeness(other.entry) || off(one.entry) - off(other.entry));
  if (nearest === undefined || unseen === undefined) return nearest?.row;
  const { row, entry } = nearest;
  if (hasText(entry, record) && off(entry) <= SLACK_MINUTES) return row;
  if (Date.parse(scalarText(row['created_at'])) > end + SKEW_MS) return undefined;
  return (await isOfTimer(context, entry, scalarText(row['id']), unseen)) ? row : undefined;
}

async function isOfTimer(context: Needs<Asking>, { minutes, description }: Entry, id: string, unseen: JournalEntry): Promise<boolean> {
  const timer = stoppedBy(unseen);
  const what = `Entry #${id} (${formatDuration(minutes)}${description === '' ? '' : `, ${quote(description)}`})`;
  if (context.interactive)
    return context.prompts.confirm(`${what} appeared when timer ${timer} ended. Are these the hours of the timer?`, context.signal);
  throw new ConflictError(`${what} appeared when timer ${timer} ended. svc does not know whether these are the hours of the timer.`, {
    hint: `If the entry has the hours of the timer: svc outbox drop ${unseen.number}. Otherwise log the hours first, then: svc outbox drop ${unseen.number}`,
  });
}

const MINE = { user: 'me', include: [] } as const;

/** Returns the days of a timer, with one more day at each end. The service can use another time zone. */
function daysOf({ start, end }: Interval, dates: DateContext): DateRange {
  const day = (timestamp: number, days: number) => addDays(localDayAndTime(timestamp, dates).date, days, dates.temporal);
  return { first: day(start, -1), last: day(end, 1) };
}

/** Returns true if an entry has the text of a timer. A missing text counts as equal. */
function hasText({ description }: Entry, timer: JsonObject): boolean {
  const text = scalarText(timer['description']).trim();
  return text === '' || description.trim() === '' || text === description.trim();
}

/** Returns true if an entry has the work item and project of a timer. Fields that the service does not show count as equal. */
function isPlaced({ workItemId, projectId }: Entry, timer: JsonObject): boolean {
  const item = valueIn(timer, 'work_item_id');
  const project = valueIn(timer, 'project_id');
  if (!isSame(item, workItemId)) return false;
  // The service can derive the project from the work item, so one of the two records can lack the project.
  const mayFollow = item !== null && (project === null || projectId === null);
  return mayFollow || isSame(project, projectId);
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one === undefined || other === undefined || scalarText(one) === scalarText(other);
}
