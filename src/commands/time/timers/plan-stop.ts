import { UsageError } from '../../../errors.ts';
import { localDayAndTime, minutesOf } from '../../../time/calendar.ts';
import { readEnd, roundMinutes, type Timer } from '../../../time/timer.ts';
import { type DateContext, localMinute } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import { PLACE_FIELDS } from '../add-options.ts';
import { copyFields } from '../like.ts';

interface StopFlags {
  /** The end of the timer, in the form that the user typed. Default: now. */
  readonly at?: string | undefined;
  readonly round?: number | undefined;
  readonly fields?: JsonObject;
}

export interface PlannedStop {
  readonly elapsed: number;
  /** The entry to log. Undefined if the duration rounds to zero. */
  readonly body: JsonObject | undefined;
  readonly typed: readonly string[];
}

/** The longest plausible duration of a timer from an earlier day, in minutes. A longer timer probably ran overnight. */
export const LONGEST_MINUTES = 6 * 60;

/** The longest plausible duration of a timer within one day, in minutes. Work without a break rarely lasts longer. */
const LONGEST_DAY_MINUTES = 10 * 60;

/** The duration of a working day in milliseconds, for an example. */
const WORKDAY_MS = 8 * 60 * 60_000;

/** Returns true if a timer probably ran on after the work: overnight, or for over ten hours of a day. */
export function wasForgotten({ startedAt }: Pick<Timer, 'startedAt'>, dates: DateContext): boolean {
  if (startedAt === undefined) return false;
  return dates.now - startedAt > (isOfToday(startedAt, dates) ? LONGEST_DAY_MINUTES : LONGEST_MINUTES) * 60_000;
}

function isOfToday(startedAt: number, dates: DateContext): boolean {
  return localDayAndTime(startedAt, dates).date >= localDayAndTime(dates.now, dates).date;
}

/**
 * Calculates the end of a timer, and the entry to log. The entry has the local date of the start. A clock change does not alter the
 * duration.
 *
 * @throws UsageError for an implausible time, and if the service hides the start or the work of the timer.
 */
export function planStop(timer: Timer, { at, round, fields = {} }: StopFlags, dates: DateContext): PlannedStop {
  const { id, startedAt, record } = timer;
  if (startedAt === undefined)
    throw new UsageError(`The service does not show the start of timer ${id}, so svc does not know its hours.`, {
      hint: `Log the hours yourself with svc worklogs add, then end the timer: svc timers cancel ${id}`,
    });
  const began = localMinute(new Date(startedAt).toISOString(), dates);
  if (startedAt - dates.now > SKEW_MS)
    throw new UsageError(`Timer ${id} began at ${began}, which is in the future by this machine’s clock.`, {
      hint: 'Set the clock. To compare your clock with the service’s clock: svc doctor',
    });
  const end = at === undefined ? Math.max(dates.now, startedAt) : readEnd(at, startedAt, dates);
  if (at === undefined && wasForgotten(timer, dates)) {
    const example = isOfToday(startedAt, dates)
      ? localMinute(new Date(startedAt + WORKDAY_MS).toISOString(), dates)
      : `${began.slice(0, 10)} 17:30`;
    throw new UsageError(`Timer ${id} has run since ${began}: ${formatDuration(minutesOf(end - startedAt))}.`, {
      hint: `Give the end of the timer: svc timers stop ${id} --at "${example}". To end the timer now: svc timers stop ${id} --at now. Without logging: svc timers cancel ${id}`,
    });
  }
  const elapsed = minutesOf(end - startedAt);
  const minutes = round === undefined ? elapsed : roundMinutes(elapsed, round);
  if (minutes === 0) return { elapsed, body: undefined, typed: [] };
  const { fields: copied, hidden } = copyFields(record);
  const places = ['work_item_id', 'project_id'];
  if (places.every((name) => hidden.includes(name) && fields[name] === undefined))
    throw new UsageError(`The service does not show the work item or project of timer ${id}.`, {
      hint: 'Add -F work_item_id=12 or -F project_id=3; null for neither.',
    });
  // A work item or project from the user replaces the work item and project of the timer.
  const isPlaced = places.some((name) => (fields[name] ?? null) !== null);
  const taken = Object.entries(copied).filter(([name]) => name !== 'minutes' && !(isPlaced && PLACE_FIELDS.includes(name)));
  const { date } = localDayAndTime(startedAt, dates);
  return { elapsed, body: { date, minutes, ...Object.fromEntries(taken), ...fields }, typed: Object.keys(fields) };
}

/** The accepted difference between the clocks of two machines, in milliseconds. */
const SKEW_MS = 60_000;
