import { UsageError } from '../../../errors.ts';
import { localDayAndTime, minutesOf } from '../../../time/calendar.ts';
import { readEnd, roundMinutes, type Timer } from '../../../time/timer.ts';
import { type DateContext, localMinute } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import { COPIED, isSet, valueIn } from '../like.ts';

/** How somebody wants a timer to end. */
export interface HowToStop {
  /** When it ended, as typed; undefined: now. */
  readonly at: string | undefined;
  /** Round to so many minutes. */
  readonly round: number | undefined;
  /** Fields that go before those of the timer. */
  readonly fields: JsonObject;
}

/** A timer as hours. */
export interface PlannedStop {
  /** Milliseconds since 1970. */
  readonly end: number;
  /** Whole minutes from its start to its end, to the nearest. */
  readonly elapsed: number;
  /** What is logged; undefined where less than half a minute has passed. */
  readonly body: JsonObject | undefined;
  /** Its fields that were typed. */
  readonly typed: readonly string[];
}

/** Longer than this, somebody forgot it. */
const LONGEST_MS = 24 * 60 * 60_000;

/**
 * What a timer comes to: the minutes between two moments, whatever the clocks did meanwhile, on the day on which it started where the user
 * is. It belongs to what the timer is on.
 *
 * @throws UsageError where the service does not show what it takes, or nobody can mean that long.
 */
export function planStop(timer: Timer, { at, round, fields }: HowToStop, dates: DateContext): PlannedStop {
  const { id, startedAt, record } = timer;
  if (startedAt === undefined)
    throw new UsageError(`The service does not show when timer ${id} began, so nobody knows how long it ran.`, {
      hint: `Log the hours yourself with svc worklogs add, then end it: svc timers cancel ${id}`,
    });
  const began = localMinute(new Date(startedAt).toISOString(), dates);
  if (startedAt - dates.now > SKEW_MS)
    throw new UsageError(`Timer ${id} began at ${began}, which is still to come by this machine’s clock.`, {
      hint: 'Set the clock: svc doctor compares it with the service’s.',
    });
  const end = at === undefined ? Math.max(dates.now, startedAt) : readEnd(at, startedAt, dates);
  if (at === undefined && end - startedAt > LONGEST_MS)
    throw new UsageError(`Timer ${id} has run since ${began}: ${formatDuration(minutesOf(end - startedAt))}.`, {
      hint: `Say when it ended: svc timers stop ${id} --at "${began.slice(0, 10)} 17:30". Without logging: svc timers cancel ${id}`,
    });
  const elapsed = minutesOf(end - startedAt);
  const minutes = round === undefined ? elapsed : roundMinutes(elapsed, round);
  if (minutes === 0) return { end, elapsed, body: undefined, typed: [] };
  const carried = COPIED.filter((name) => name !== 'minutes').map((name) => [name, valueIn(record, name)] as const);
  const places = ['work_item_id', 'project_id'];
  const isHidden = carried.every(([name, value]) => !places.includes(name) || value === undefined);
  if (isHidden && !places.some((name) => fields[name] !== undefined))
    throw new UsageError(`The service does not show what timer ${id} is on.`, {
      hint: 'Say it: -F work_item_id=12 or -F project_id=3; null for neither.',
    });
  // What is typed goes before what the timer is on.
  const isPlaced = places.some((name) => (fields[name] ?? null) !== null);
  const kept = carried.filter(([name, value]) => isSet(value) && !(isPlaced && PLACES.has(name)));
  const values = Object.fromEntries(kept.map(([name, value]) => [name, value ?? null]));
  const { date } = localDayAndTime(startedAt, dates);
  return { end, elapsed, body: { date, minutes, ...values, ...fields }, typed: Object.keys(fields) };
}

/** Clocks of two machines differ by so much all the time. */
const SKEW_MS = 60_000;

const PLACES = new Set(['work_item_id', 'project_id', 'budget_id', 'task_id']);
