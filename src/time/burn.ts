import type { TemporalNamespace } from '../values/temporal.ts';
import { weekNumber, weekOf } from './calendar.ts';
import { shareOf } from './totals.ts';

/** Minutes by day: `2026-06-04`. */
export type DayMinutes = ReadonlyMap<string, number>;

/** The facts about a budget; all times in minutes. */
export interface BurnInput {
  /** The size of the budget: `null` for no limit, `undefined` if not shown. */
  readonly budget: number | null | undefined;
  /** The service’s figure of the time spent; undefined if not shown. */
  readonly shown: number | undefined;
  /** The sum of all its worklogs that you may read, by day; undefined if svc did not read them. */
  readonly logged: DayMinutes | undefined;
}

/** The state of a budget. Undefined: unknown. */
export interface Burn {
  readonly spent: number | undefined;
  /** Below zero if more is spent than the budget has. */
  readonly left: number | undefined;
  /** Minutes beyond the budget; 0 within it. */
  readonly over: number | undefined;
  /** Percentage of the budget that is spent, with one decimal; undefined for an empty budget. */
  readonly percent: number | undefined;
  /** The sum of the worklogs. */
  readonly summed: number | undefined;
  /** Whether the worklogs are fewer than the service counts. You may then not read all of them, and no rate follows. */
  readonly isPartial: boolean;
  readonly rate: Rate | undefined;
  /** The day on which nothing is left at that rate; undefined if nothing is left now, or for more than a hundred years ahead. */
  readonly projectedEnd: string | undefined;
  /** The first day on which the sum of the worklogs exceeds the budget. */
  readonly overSince: string | undefined;
}

/** Minutes logged in some full weeks. */
export interface Rate {
  readonly minutes: number;
  /** 1 to 4. */
  readonly weeks: number;
}

/** A week of a budget's history, Monday to Sunday. */
export interface BurnWeek {
  /** `2026-W01`. */
  readonly week: string;
  readonly monday: string;
  readonly minutes: number;
  /** The sum up to the end of the week. */
  readonly total: number;
}

/** Full weeks for the rate. */
const RATE_WEEKS = 4;
/** The most days ahead for a forecast. */
const MOST_DAYS = 36_525;

/**
 * Calculates the state of a budget on a day. The time spent is the service’s figure if present, else the sum of the worklogs.
 *
 * The rate is the time logged in the last four full ISO weeks before today’s. Weeks without time count; weeks before the first entry’s do
 * not. Without any entry the rate is zero in four weeks. A first entry of this week or later leaves no full week, and no rate.
 */
export function burnOf({ budget, shown, logged }: BurnInput, today: string, temporal: TemporalNamespace): Burn {
  const summed = logged === undefined ? undefined : sum(logged.values());
  const spent = shown ?? summed;
  const left = typeof budget === 'number' && spent !== undefined ? budget - spent : undefined;
  const isPartial = shown !== undefined && summed !== undefined && summed < shown;
  const known = isPartial ? undefined : logged;
  const rate = known === undefined ? undefined : rateOf(known, today, temporal);
  return {
    spent,
    left,
    over: left === undefined ? undefined : Math.max(0, -left),
    percent: typeof budget === 'number' && budget > 0 && spent !== undefined ? shareOf(spent, budget) : undefined,
    summed,
    isPartial,
    rate,
    projectedEnd: left === undefined || rate === undefined ? undefined : endOf(left, rate, today, temporal),
    overSince: known !== undefined && typeof budget === 'number' && left !== undefined && left < 0 ? crossing(known, budget) : undefined,
  };
}

/** Returns minutes a week, rounded. */
export function perWeek({ minutes, weeks }: Rate): number {
  return Math.round(minutes / weeks);
}

/** Returns every week from the first entry’s to that of the last entry or today, whichever is later; none without an entry. */
export function weeksOf(logged: DayMinutes, today: string, temporal: TemporalNamespace): BurnWeek[] {
  const [first, last] = [firstOf(logged), [...logged.keys()].reduce((latest, day) => (day > latest ? day : latest), today)];
  if (first === undefined) return [];
  const byWeek = new Map<string, number>();
  for (const [day, minutes] of logged) {
    const monday = mondayOf(day, temporal);
    byWeek.set(monday, (byWeek.get(monday) ?? 0) + minutes);
  }
  const weeks: BurnWeek[] = [];
  let total = 0;
  for (let monday = mondayOf(first < today ? first : today, temporal); monday <= last; monday = later(monday, 7, temporal)) {
    const minutes = byWeek.get(monday) ?? 0;
    total += minutes;
    weeks.push({ week: weekNumber(monday, temporal), monday, minutes, total });
  }
  return weeks;
}

function rateOf(logged: DayMinutes, today: string, temporal: TemporalNamespace): Rate | undefined {
  const thisWeek = mondayOf(today, temporal);
  const first = firstOf(logged);
  if (first === undefined) return { minutes: 0, weeks: RATE_WEEKS };
  const { days } = temporal.PlainDate.from(mondayOf(first, temporal)).until(thisWeek, { largestUnit: 'days' });
  const weeks = Math.min(RATE_WEEKS, days / 7);
  if (weeks < 1) return undefined;
  const from = later(thisWeek, -7 * weeks, temporal);
  return { minutes: sum([...logged].flatMap(([day, minutes]) => (day >= from && day < thisWeek ? [minutes] : []))), weeks };
}

function endOf(left: number, { minutes, weeks }: Rate, today: string, temporal: TemporalNamespace): string | undefined {
  if (left <= 0 || minutes <= 0) return undefined;
  const days = Math.ceil((left * 7 * weeks) / minutes);
  return days > MOST_DAYS ? undefined : later(today, days, temporal);
}

/** Finds the day since when the sum exceeds the budget. Corrections can bring a sum below the budget again, so the last crossing counts. */
function crossing(logged: DayMinutes, budget: number): string | undefined {
  let total = 0;
  let since: string | undefined;
  for (const [day, minutes] of [...logged].sort(([one], [other]) => (one < other ? -1 : 1))) {
    total += minutes;
    if (total <= budget) since = undefined;
    else since ??= day;
  }
  return since;
}

function firstOf(logged: DayMinutes): string | undefined {
  let first: string | undefined;
  for (const day of logged.keys()) if (first === undefined || day < first) first = day;
  return first;
}

function mondayOf(day: string, temporal: TemporalNamespace): string {
  return weekOf(day, temporal)[0] ?? day;
}

function later(day: string, days: number, temporal: TemporalNamespace): string {
  return temporal.PlainDate.from(day).add({ days }).toString();
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
