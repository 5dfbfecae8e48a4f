import { DeclinedError, ForbiddenError } from '../../errors.ts';
import { type DayRange, knownEntries, readEntries } from '../../records/entries.ts';
import { type Leave, readLeave } from '../../records/leave.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import { readPerson, type UserRef } from '../../records/person.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { dayName } from '../../time/calendar.ts';
import { computeDay } from '../../time/day.ts';
import type { Entry } from '../../time/entry.ts';
import type { WorkingHours } from '../../time/working-hours.ts';
import type { DateContext } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import { quote } from '../../values/quote.ts';
import { together } from '../../values/together.ts';
import { advisory } from './advisory.ts';
import type { DaySoFar } from './day-so-far.ts';
import { dayNotes } from './notes.ts';
import type { PlannedEntry } from './say.ts';

const DAY = 24 * 60;

/** An entry that is looked at before it is logged. */
export interface EntryToCheck extends PlannedEntry {
  /** What it says, where a person should know that the very same is there already. */
  readonly says?: Pick<Entry, 'description' | 'workItemId'>;
  /** Somebody types it now: the same text on the same work item is the same, however long it took. */
  readonly again?: boolean;
}

/** What is known of some days before anything is logged on them. */
export interface DayCheck {
  /**
   * Warns about days that get more than 24 hours, days on which the user does not work, and entries that are there already; asks whether
   * to go on where somebody is there to answer. Whatever kept svc from looking does not keep the entry from being logged.
   *
   * @param about A line that stands before the warnings, if there are any.
   * @throws DeclinedError at a no.
   */
  warn(planned: readonly EntryToCheck[], about?: string): Promise<void>;
  /** What was logged on a day before, and what is to be worked on it; undefined where not all of the entries are known. */
  before(date: string): Promise<DaySoFar | undefined>;
}

/**
 * Looks at some days of a user. Asked for at once, while other things are found out.
 *
 * @param instead What to do in place of it, for whoever says no.
 * @param withTarget Whether somebody wants to know what is to be worked: one request more, beside the others.
 */
export function checkDaysFirst(
  context: Needs<Asking | 'account' | 'client' | 'clock' | 'globals' | 'notice'>,
  days: readonly string[],
  user: UserRef,
  dates: DateContext,
  instead = 'Another day: --date',
  withTarget = false,
): DayCheck {
  const what = days.length === 1 ? 'whether the day is full or free' : 'whether the days are full or free';
  return checkBy(context, what, instead, async (looker) => {
    const seen = await lookAtDays(looker, days, user, dates, withTarget);
    return { warnings: (planned) => findWarnings(seen, planned, dates), before: (date) => beforeOn(date, seen, dates) };
  });
}

/** Looks at some days of a user for entries that are there already, and at nothing else: one request, whatever comes of it. */
export function checkSame(
  context: Needs<Asking | 'account' | 'client' | 'clock' | 'globals' | 'notice'>,
  days: readonly string[],
  user: UserRef,
  dates: DateContext,
): DayCheck {
  return checkBy(context, 'whether it is there already', 'To log it without the question: --yes', async ({ client }) => {
    const { entries, areAll } = await knownEntries({ account: context.account, client }, rangeOf(days), user);
    const on = (date: string) => entries.filter((entry) => entry.date === date);
    return {
      warnings: (planned) => findSame(entries, planned, dates),
      before: (date) => (areAll ? { minutes: on(date).reduce((sum, { minutes }) => sum + minutes, 0) } : undefined),
    };
  });
}

type Looker = Needs<'account' | 'client' | 'notice'>;

/** What was seen of some days. */
interface Findings {
  warnings(planned: readonly EntryToCheck[]): readonly string[];
  before(date: string): DaySoFar | undefined;
}

function checkBy(
  context: Needs<Asking | 'account' | 'client' | 'clock' | 'globals' | 'notice'>,
  what: string,
  instead: string,
  look: (looker: Looker) => Promise<Findings>,
): DayCheck {
  /** What the look has to say is said when its turn comes. */
  const lines: string[] = [];
  const notice = async (line: string) => void lines.push(line);
  const looking = advisory(context, what, (client) => look({ account: context.account, client, notice }));
  // The command may fail before anybody asks.
  looking.catch(() => undefined);
  return {
    async warn(planned, about) {
      const advice = await looking;
      for (const line of lines) await context.notice(line);
      if ('missing' in advice) return context.notice(advice.missing);
      const warnings = advice.found.warnings(planned);
      if (about !== undefined && warnings.length > 0) await context.notice(about);
      for (const warning of warnings) await context.notice(`Careful: ${warning}`);
      if (warnings.length === 0 || !context.interactive || context.globals.yes) return;
      const question = planned.length === 1 ? 'Log it all the same?' : `Log all ${planned.length} entries all the same?`;
      if (await context.prompts.confirm(question, context.signal)) return;
      throw new DeclinedError('Nothing was logged.', { hint: instead });
    },
    async before(date) {
      const advice = await looking;
      return 'missing' in advice ? undefined : advice.found.before(date);
    },
  };
}

interface Seen extends Leave {
  /** Undefined where they may not be seen. */
  readonly entries: readonly Entry[] | undefined;
  readonly hours: WorkingHours | undefined;
}

async function lookAtDays(
  context: Needs<'account' | 'client' | 'notice'>,
  days: readonly string[],
  user: UserRef,
  dates: DateContext,
  withTarget: boolean,
): Promise<Seen> {
  const range = rangeOf(days);
  const [userId, entries, leaveIn, hours] = await together(
    user === 'me' ? ownUserIdIfKnown(context) : user,
    entriesOf(context, range, user),
    readLeave(context, user, range, 'silent'),
    withTarget ? hoursOf(context, user, dates) : undefined,
  );
  return { entries, hours, ...(await leaveIn(dates, userId)) };
}

/** The working hours of somebody, as far as svc may and can read them. */
async function hoursOf(context: Needs<'client'>, user: UserRef, { timeZone }: DateContext): Promise<WorkingHours | undefined> {
  const person = await readPerson({ ...context, timeZone: async () => timeZone }, user).catch(() => undefined);
  return person?.hours.kind === 'read' ? person.hours.hours : undefined;
}

function beforeOn(date: string, { entries, absences, daysOff, hours, isKnown }: Seen, dates: DateContext): DaySoFar | undefined {
  if (entries === undefined) return undefined;
  const { logged, target } = computeDay(date, entries, { hours, absences, daysOff, dates, today: date });
  return { minutes: logged, target: isKnown ? target : undefined };
}

function findWarnings({ entries = [], absences, daysOff }: Seen, planned: readonly EntryToCheck[], dates: DateContext): readonly string[] {
  return [...Map.groupBy(planned, ({ date }) => date)].flatMap(([date, onDay]) => {
    const day = computeDay(date, entries, { hours: undefined, absences, daysOff, dates, today: date });
    const name = dayName(date, dates.temporal);
    const total = onDay.reduce((sum, { minutes }) => sum + minutes, day.logged);
    return [
      ...(total > DAY ? [`${name} gets ${formatDuration(total)}, and a day has 24h.`] : []),
      ...dayNotes(day).map((note) => `${name}: ${note}.`),
      ...findSame(entries, onDay, dates),
    ];
  });
}

function findSame(entries: readonly Entry[], planned: readonly EntryToCheck[], { temporal }: DateContext): readonly string[] {
  return planned.flatMap((one) => {
    const same = entries.find((entry) => isSame(one, entry));
    return same === undefined ? [] : [`${dayName(one.date, temporal)} has ${sameText(one, same)} already.`];
  });
}

/** Whether an entry says the same, as far as the service shows it. */
function isSame({ date, minutes, says, again }: EntryToCheck, entry: Entry): boolean {
  if (says === undefined || entry.date !== date || entry.description !== says.description) return false;
  // With neither a text nor a work item the length is all that it says.
  const isTold = again && (says.description !== '' || says.workItemId !== null);
  if (!isTold && entry.minutes !== minutes) return false;
  return entry.workItemId === undefined || (entry.workItemId ?? undefined) === (says.workItemId ?? undefined);
}

/** `1h30 "Review" (5902)` */
function sameText({ says }: EntryToCheck, { id, minutes }: Entry): string {
  const text = says?.description ? ` ${quote(says.description)}` : '';
  return `${formatDuration(minutes)}${text}${id === undefined ? '' : ` (${id})`}`;
}

function rangeOf(days: readonly string[]): DayRange {
  const sorted = [...days].sort();
  return { first: sorted[0] ?? '', last: sorted.at(-1) ?? '' };
}

/** Filing hours needs no permission, reading them back does (rules 11.39, 11.40): without it nothing can be said about them. */
async function entriesOf(context: Needs<'account' | 'client' | 'notice'>, range: DayRange, user: UserRef): Promise<Seen['entries']> {
  try {
    return await Array.fromAsync(readEntries(context, { ...range, user, view: 'summary', include: [] }));
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    return undefined;
  }
}
