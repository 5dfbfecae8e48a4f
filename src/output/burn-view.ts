import { formatDuration } from '../values/duration.ts';
import { NOTHING } from './report.ts';

/** Budgets and their hours, ready to draw. Times are minutes; unknown values are undefined. */
export interface BurnView {
  readonly title: string;
  /** The day of the figures, `YYYY-MM-DD`. */
  readonly day: string;
  /** Sorted by project. */
  readonly rows: readonly BurnRow[];
  /** Whether rows have rates and projected ends. */
  readonly forecast: boolean;
}

export interface BurnRow {
  readonly project: string | undefined;
  readonly name: string;
  /** Null: no limit. */
  readonly budget: number | null | undefined;
  readonly spent: number | undefined;
  readonly left: number | undefined;
  readonly over: number | undefined;
  readonly percent: number | undefined;
  /** Minutes in full weeks, and the number of these weeks. */
  readonly rate: { readonly minutes: number; readonly weeks: number } | undefined;
  readonly projectedEnd: string | undefined;
  readonly overSince: string | undefined;
  /** The hours by week; empty if the worklogs were not read. */
  readonly weeks: readonly BurnPoint[];
}

export interface BurnPoint {
  /** `2026-W01`. */
  readonly week: string;
  readonly monday: string;
  readonly minutes: number;
  readonly total: number;
}

/** Returns the name of a row, with its project. */
export function nameOfRow({ project, name }: Pick<BurnRow, 'project' | 'name'>): string {
  return project === undefined ? name : `${project}: ${name}`;
}

/** Writes the size of a budget. */
export function budgetText({ budget }: Pick<BurnRow, 'budget'>): string {
  return budget === null ? 'none' : timeText(budget);
}

/** Writes a time; `unknown` if it is undefined. */
export function timeText(minutes: number | undefined): string {
  return minutes === undefined ? 'unknown' : formatDuration(minutes);
}

/** Writes the used part of a budget. */
export function percentText({ budget, percent, spent }: Pick<BurnRow, 'budget' | 'percent' | 'spent'>): string {
  if (percent !== undefined) return `${percent.toFixed(1)}%`;
  return budget === undefined || spent === undefined ? 'unknown' : NOTHING;
}

/** Writes the time spent in a week. */
export function rateText({ rate }: Pick<BurnRow, 'rate'>): string {
  return timeText(rate === undefined ? undefined : Math.round(rate.minutes / rate.weeks));
}
