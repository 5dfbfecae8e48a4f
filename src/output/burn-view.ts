import { formatDuration } from '../values/duration.ts';
import { NOTHING } from './report.ts';

/** Budgets and their hours, prepared for drawing. Times are in minutes. An unknown value is undefined. */
export interface BurnView {
  readonly title: string;
  /** The name of the project in the title. */
  readonly nameInTitle?: string | undefined;
  /** The date of the figures, `YYYY-MM-DD`. */
  readonly day: string;
  /** One row per budget, sorted by project. */
  readonly rows: readonly BurnRow[];
  /** True if the rows have rates and projected ends. */
  readonly forecast: boolean;
}

export interface BurnRow {
  readonly project: string | undefined;
  readonly name: string;
  /** The budget in minutes. Null means no limit. */
  readonly budget: number | null | undefined;
  readonly spent: number | undefined;
  readonly left: number | undefined;
  readonly over: number | undefined;
  readonly percent: number | undefined;
  /** The minutes logged in recent full weeks, and the number of these weeks. */
  readonly rate: { readonly minutes: number; readonly weeks: number } | undefined;
  readonly projectedEnd: string | undefined;
  readonly overSince: string | undefined;
  /** The hours per week. Empty if svc did not read the worklogs. */
  readonly weeks: readonly BurnPoint[];
}

export interface BurnPoint {
  /** The ISO week, such as `2026-W01`. */
  readonly week: string;
  readonly monday: string;
  readonly minutes: number;
  readonly total: number;
}

/** Returns the name of a budget, with the name of its project in front. */
export function nameOfRow({ project, name }: Pick<BurnRow, 'project' | 'name'>): string {
  return project === undefined ? name : `${project}: ${name}`;
}

/** Formats the size of a budget. No limit is `none`. */
export function budgetText({ budget }: Pick<BurnRow, 'budget'>): string {
  return budget === null ? 'none' : timeText(budget);
}

/** Formats a time in minutes. Undefined becomes `unknown`. */
export function timeText(minutes: number | undefined): string {
  return minutes === undefined ? 'unknown' : formatDuration(minutes);
}

/** Formats the used part of a budget as a percentage. */
export function percentText({ budget, percent, spent }: Pick<BurnRow, 'budget' | 'percent' | 'spent'>): string {
  if (percent !== undefined) return `${percent.toFixed(1)}%`;
  return budget === undefined || spent === undefined ? 'unknown' : NOTHING;
}

/** Formats the average time per week. */
export function rateText({ rate }: Pick<BurnRow, 'rate'>): string {
  return timeText(rate === undefined ? undefined : Math.round(rate.minutes / rate.weeks));
}
