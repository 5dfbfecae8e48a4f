import { DeclinedError, ForbiddenError, undefinedFor } from '../../errors.ts';
import type { UnconfirmedWrite } from '../../journal/entry.ts';
import { writtenBody } from '../../journal/written-values.ts';
import { knownEntries, readEntries } from '../../records/entries.ts';
import { type Leave, readLeave } from '../../records/leave.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import { readPerson, type UserRef } from '../../records/people.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { dayName } from '../../time/calendar.ts';
import { rangeOf } from '../../time/date-range.ts';
import { computeDay, type Day } from '../../time/day.ts';
import { type Entry, minutesIn } from '../../time/entry.ts';
import { knownHours } from '../../time/read-working-hours.ts';
import type { WorkingHours } from '../../time/working-hours.ts';
import type { DateContext } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../values/json.ts';
import { quote } from '../../values/text.ts';
import { together } from '../../values/together.ts';
import { type DaySoFar, tryQuickly } from './day-so-far.ts';
import { dayNotes } from './week/read-week.ts';

const DAY = 24 * 60;

export interface PlannedEntry {
  readonly date: string;
  readonly minutes: number;
}

export interface EntryToCheck extends PlannedEntry {
  /** The facts that identify an equal entry. If absent, svc searches for no equal entry. */
  readonly says?: Pick<Entry, 'description' | 'workItemId' | 'projectId'>;
  /** True if the duration can differ. An entry with the same text and work item is then equal. */
  readonly again?: boolean;
}

export function checkDaysFirst(
  context: Needs<CheckingDays>,
  days: readonly string[],
  user: UserRef,
  dates: DateContext,
  instead = 'For another day: --date',
) {
  const what = days.length === 1 ? 'whether the day is full or free' : 'whether the days are full or free';
  return checkBy(context, what, instead, async (checking) => {
    const seen = await readDaysToCheck(checking, days, user, dates);
    return { warnings: (planned) => findWarnings(seen, planned, dates), before: (date) => beforeOn(date, seen, dates) };
  });
}

/** Starts a check that searches only for entries equal to a planned entry, on the given days. Costs one request. */
export function checkSame(context: Needs<CheckingDays>, days: readonly string[], user: UserRef, dates: DateContext) {
  return checkBy(context, 'whether an equal entry exists', 'To log the entry without a question: --yes', async ({ client }) => {
    const { entries, areAll } = await knownEntries({ account: context.account, client }, rangeOf(days), user);
    const on = (date: string) => entries.filter((entry) => entry.date === date);
    return {
      warnings: (planned) => findSame(entries, planned, dates),
      before: (date) => (areAll ? { minutes: minutesIn(on(date)) } : undefined),
    };
  });
}

type CheckingDays = Asking | 'account' | 'client' | 'clock' | 'globals' | 'notice' | 'noticeToday' | 'renewal';
type CheckingDay = Needs<'account' | 'client' | 'notice' | 'noticeToday'>;

interface Findings {
  warnings(planned: readonly EntryToCheck[]): readonly string[];
  before(date: string): DaySoFar | undefined;
}

function checkBy(context: Needs<CheckingDays>, what: string, instead: string, check: (checking: CheckingDay) => Promise<Findings>) {
  // svc prints these notices later, together with the warnings of the check.
  const notices: (() => Promise<void>)[] = [];
  const later = (print: (line: string) => Promise<void>) => async (line: string) => void notices.push(() => print(line));
  const [notice, noticeToday] = [later(context.notice), later(context.noticeToday)];
  const checkingDays = tryQuickly(context, what, (client) => check({ account: context.account, client, notice, noticeToday }));
  // The command can fail before it awaits the check.
  checkingDays.catch(() => undefined);
  return {
    /**
     * Warns about duplicates, full days, holidays and absences, and asks at a terminal whether to continue. A failed check only prints a
     * notice.
     *
     * @throws DeclinedError if the user says no.
     */
    async warn(planned: readonly EntryToCheck[], about?: string): Promise<void> {
      const advice = await checkingDays;
      for (const print of notices) await print();
      if ('missing' in advice) return context.notice(advice.missing);
      const warnings = advice.found.warnings(planned);
      if (about !== undefined && warnings.length > 0) await context.notice(about);
      for (const warning of warnings) await context.notice(`Careful: ${warning}`);
      if (warnings.length === 0 || !context.interactive || context.globals.yes) return;
      const question = planned.length === 1 ? 'Log the entry anyway?' : `Log all ${planned.length} entries anyway?`;
      if (await context.prompts.confirm(question, context.signal)) return;
      throw new DeclinedError('svc logged nothing.', { hint: instead });
    },
    /** Returns the hours of a day without the new entry. Undefined if svc cannot see all entries, or if the check failed. */
    async before(date: string): Promise<DaySoFar | undefined> {
      const advice = await checkingDays;
      return 'missing' in advice ? undefined : advice.found.before(date);
    },
  };
}

interface Seen extends Leave {
  /** The entries of the checked days. Undefined without permission to see entries. */
  readonly entries: readonly Entry[] | undefined;
  readonly hours: WorkingHours | undefined;
}

async function readDaysToCheck(context: CheckingDay, days: readonly string[], user: UserRef, dates: DateContext): Promise<Seen> {
  const range = rangeOf(days);
  const [userId, entries, leaveIn, hours] = await together(
    user === 'me' ? ownUserIdIfKnown(context) : user,
    // Logging hours needs no permission to read hours (rules 11.39, 11.40).
    Array.fromAsync(readEntries(context, { ...range, user, view: 'summary', include: [] })).catch(undefinedFor(ForbiddenError)),
    readLeave(context, user, range, 'silent'),
    hoursOf(context, user, dates),
  );
  return { entries, hours, ...(await leaveIn(dates, userId)) };
}

async function hoursOf(context: Needs<'client'>, user: UserRef, { timeZone }: DateContext): Promise<WorkingHours | undefined> {
  const person = await readPerson({ ...context, timeZone: async () => timeZone }, user).catch(() => undefined);
  return knownHours(person?.hours);
}

function beforeOn(date: string, { entries, absences, daysOff, hours, isKnown }: Seen, dates: DateContext): DaySoFar | undefined {
  if (entries === undefined) return undefined;
  const { logged, target } = computeDay(date, entries, { hours, absences, daysOff, dates, today: date });
  return { minutes: logged, target: isKnown ? target : undefined };
}

function findWarnings(
  { entries = [], absences, daysOff, hours, isKnown }: Seen,
  planned: readonly EntryToCheck[],
  dates: DateContext,
): readonly string[] {
  return [...Map.groupBy(planned, ({ date }) => date)].flatMap(([date, onDay]) => {
    const day = computeDay(date, entries, { hours, absences, daysOff, dates, today: date });
    const name = dayName(date, dates.temporal);
    const total = day.logged + minutesIn(onDay);
    return [
      ...fullText(name, day, total, isKnown),
      ...dayNotes(day).map((note) => `${name}: ${note}.`),
      ...findSame(entries, onDay, dates),
    ];
  });
}

function fullText(name: string, { logged, target = 0 }: Day, total: number, isKnown: boolean): readonly string[] {
  if (total > DAY) return [`${name} gets ${formatDuration(total)}, and a day has 24h.`];
  const isFull = isKnown && target > 0 && logged >= target;
  return isFull ? [`${name} is full: ${formatDuration(logged)} of ${formatDuration(target)} are logged.`] : [];
}

function findSame(entries: readonly Entry[], planned: readonly EntryToCheck[], { temporal }: DateContext): readonly string[] {
  return planned.flatMap((one) => {
    const same = entries.find((entry) => isSame(one, entry));
    return same === undefined
      ? []
      : [`${dayName(one.date, temporal)} has ${sameText(one, same)} already${isPlaced(one, same) ? '' : ', possibly on another project'}.`];
  });
}

function isSame({ date, minutes, says, again }: EntryToCheck, entry: Entry): boolean {
  if (says === undefined || entry.date !== date || entry.description !== says.description) return false;
  // Without text and work item, only the duration can identify an entry.
  const isIdentified = again && (says.description !== '' || says.workItemId !== null);
  if (!isIdentified && entry.minutes !== minutes) return false;
  if (entry.workItemId !== undefined && (entry.workItemId ?? undefined) !== (says.workItemId ?? undefined)) return false;
  return typeof entry.projectId !== 'number' || typeof says.projectId !== 'number' || entry.projectId === says.projectId;
}

/** Returns true if svc knows that both entries have the same project. A summary can lack the project. */
function isPlaced({ says }: EntryToCheck, { projectId }: Entry): boolean {
  return typeof says?.projectId !== 'number' || typeof projectId === 'number';
}

/** Describes an existing entry: `1h30 "Review" (5902)`. */
function sameText({ says }: EntryToCheck, { id, minutes }: Entry): string {
  const place = typeof says?.workItemId === 'number' ? ' on this work item' : '';
  const text = says?.description ? ` ${quote(says.description)}` : place;
  return `${formatDuration(minutes)}${text}${id === undefined ? '' : ` (${id})`}`;
}

/**
 * Prints the warnings of `checkDaysFirst` for the new entries that wait in the outbox. Asks at a terminal whether to continue. Leaves out
 * an entry that svc has sent, because the service can have that entry already.
 *
 * @throws DeclinedError if the user says no.
 */
export async function checkWaiting(context: Needs<CheckingDays | 'dates'>, entries: readonly UnconfirmedWrite[]): Promise<void> {
  const bodies = entries.flatMap(({ entry }) => {
    return entry.outcome === 'waiting' && entry.method === 'POST' && entry.noun === 'worklogs' ? [writtenBody(entry) ?? {}] : [];
  });
  const byUser = Map.groupBy(bodies, (body) => (typeof body['user_id'] === 'number' ? body['user_id'] : 'me'));
  for (const [user, ofUser] of byUser) {
    const planned = ofUser.flatMap(plannedOf);
    if (planned.length === 0) continue;
    const days = planned.map(({ date }) => date);
    await checkDaysFirst(context, days, user, await context.dates(), 'To drop an entry: svc outbox drop <n>').warn(planned);
  }
}

function plannedOf(body: JsonObject): EntryToCheck[] {
  const { date, minutes } = body;
  return typeof date === 'string' && typeof minutes === 'number' ? [{ date, minutes, says: identityOf(body) }] : [];
}

/** Returns the facts in the body of a new entry that identify an equal entry. */
export function identityOf({ description, work_item_id: item, project_id: project }: JsonObject): NonNullable<EntryToCheck['says']> {
  const idIn = (value: JsonValue | undefined) => (typeof value === 'number' ? value : null);
  return { description: scalarText(description), workItemId: idIn(item), projectId: idIn(project) };
}
