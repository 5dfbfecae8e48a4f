import { DeclinedError, ForbiddenError } from '../../errors.ts';
import { type DayRange, readEntries } from '../../records/entries.ts';
import { readLeave } from '../../records/leave.ts';
import type { UserRef } from '../../records/person.ts';
import type { Asking, Context, Needs } from '../../session/context.ts';
import { dayName } from '../../time/calendar.ts';
import { computeDay } from '../../time/day.ts';
import type { Entry } from '../../time/entry.ts';
import type { DateContext } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import { advisory } from './advisory.ts';
import { notesOf } from './notes.ts';
import type { PlannedEntry } from './say.ts';

const DAY = 24 * 60;

/**
 * Warns about days that get more than 24 hours, and days on which the user does not work; asks whether to go on where somebody is
 * there to answer. Whatever keeps svc from looking does not keep the entry from being logged.
 *
 * @throws DeclinedError at a no.
 */
export async function checkDays(
  context: Needs<Asking | 'account' | 'client' | 'clock' | 'globals' | 'notice'>,
  planned: readonly PlannedEntry[],
  user: UserRef,
  dates: DateContext,
): Promise<void> {
  const what = planned.length === 1 ? 'whether the day is full or free' : 'whether the days are full or free';
  const { account, notice } = context;
  const look = (client: Context['client']) => findWarnings({ account, client, notice }, planned, user, dates);
  const warnings = (await advisory(context, what, look)) ?? [];
  for (const warning of warnings) await context.notice(`Careful: ${warning}`);
  if (warnings.length === 0 || !context.interactive || context.globals.yes) return;
  const question = planned.length === 1 ? 'Log it all the same?' : `Log all ${planned.length} entries all the same?`;
  if (await context.prompts.confirm(question, context.signal)) return;
  throw new DeclinedError('Nothing was logged.', { hint: 'Another day: --date' });
}

async function findWarnings(
  context: Needs<'account' | 'client' | 'notice'>,
  planned: readonly PlannedEntry[],
  user: UserRef,
  dates: DateContext,
): Promise<readonly string[]> {
  const days = planned.map(({ date }) => date).sort();
  const range = { first: days[0] ?? '', last: days.at(-1) ?? '' };
  const [entries, { absences, daysOff }] = await Promise.all([
    entriesOf(context, range, user),
    readLeave(context, user, range, dates, 'silent'),
  ]);
  return planned.flatMap(({ date, minutes }) => {
    const day = computeDay(date, entries, { hours: undefined, absences, daysOff, dates, today: date });
    const name = dayName(date, dates.temporal);
    const total = day.logged + minutes;
    return [
      ...(total > DAY ? [`${name} gets ${formatDuration(total)}, and a day has 24h.`] : []),
      ...notesOf(day).map((note) => `${name}: ${note}.`),
    ];
  });
}

/** Filing hours needs no permission, reading them back does (rules 11.39, 11.40): without it nothing can be said about them. */
async function entriesOf(context: Needs<'account' | 'client' | 'notice'>, range: DayRange, user: UserRef): Promise<readonly Entry[]> {
  try {
    return await Array.fromAsync(readEntries(context, { ...range, user, view: 'summary', include: [] }));
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    return [];
  }
}
