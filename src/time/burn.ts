import type { TemporalNamespace } from '../values/temporal.ts';
import { weekNumber, weekOf } from './calendar.ts';
import { shareOf } from './totals.ts';

/** Minutes by day: `2026-06-04`. */
export type DayMinutes = ReadonlyMap<string, number>;

/** What is known of a budget; minutes throughout. */
export interface BurnInput {
  /** How much it holds: `null` where it has no bound, `undefined` where that is not shown. */
  readonly budget: number | null | undefined;
  /** What the service says is spent; undefined where it is not shown. */
  readonly shown: number | undefined;
  /** What its worklogs hold, all of those that may be read; undefined where they were not read. */
  readonly logged: DayMinutes | undefined;
}

/** Where a budget stands. What is not known is undefined. */
export interface Burn {
  readonly spent: number | undefined;
  /** Below zero where more is spent than there is. */
  readonly left: number | undefined;
  /** Minutes beyond the budget; 0 where it holds. */
  readonly over: number | undefined;
  /** Of the budget, with one decimal; undefined of a budget of nothing. */
  readonly percent: number | undefined;
  /** The sum of the worklogs. */
  readonly summed: number | undefined;
  /** The worklogs are fewer than the service counts: some may not be read, so that no rate follows from them. */
  readonly isPartial: boolean;
  readonly rate: Rate | undefined;
  /** The day on which nothing is left at that rate; undefined where nothing is left now, or it would not end in a hundred years. */
  readonly projectedEnd: string | undefined;
  /** The first day with which more was logged than there is. */
  readonly overSince: string | undefined;
}

/** Minutes that were logged in some full weeks. */
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
  /** All up to its end. */
  readonly total: number;
}

/** So many full weeks make the rate. */
const RATE_WEEKS = 4;
/** What lies further ahead is no forecast. */
const MOST_DAYS = 36_525;

/**
 * Where a budget stands on a day. What is spent is the service's figure where it shows one, else the sum of the worklogs. The rate is
 * what was logged in the last four full ISO weeks before that day's; weeks with nothing count, weeks before the one with the first
 * entry do not. Without any entry it is nothing in four weeks; where the first entry is of this week or later there is no full week, and no rate.
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

/** Minutes a week, whole. */
export function perWeek({ minutes, weeks }: Rate): number {
  return Math.round(minutes / weeks);
}

/** Every week from that of the first entry to that of the last or of today, whichever is later; none without an entry. */
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

/** Corrections may bring a sum below the budget again: it is the last time it went over that counts. */
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
