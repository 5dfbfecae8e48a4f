import { formatDuration } from '../values/duration.ts';
import { NOTHING } from './report.ts';

/** Budgets and where they stand, ready to be drawn; all times in minutes, what is not known undefined. */
export interface BurnView {
  readonly title: string;
  /** On which all of it is so. */
  readonly day: string;
  /** Budgets of a project stand together. */
  readonly rows: readonly BurnRow[];
  /** With rates and projected ends. */
  readonly forecast: boolean;
}

export interface BurnRow {
  readonly project: string | undefined;
  readonly name: string;
  /** Null: it has no bound. */
  readonly budget: number | null | undefined;
  readonly spent: number | undefined;
  readonly left: number | undefined;
  readonly over: number | undefined;
  readonly percent: number | undefined;
  /** A week; and over how many weeks that is taken. */
  readonly rate: { readonly minutes: number; readonly weeks: number } | undefined;
  readonly projectedEnd: string | undefined;
  readonly overSince: string | undefined;
  /** By week, of the budgets whose worklogs were read. */
  readonly weeks: readonly BurnPoint[];
}

export interface BurnPoint {
  /** `2026-W01`. */
  readonly week: string;
  readonly monday: string;
  readonly minutes: number;
  readonly total: number;
}

/** What a row is called beside those of other projects. */
export function nameOfRow({ project, name }: Pick<BurnRow, 'project' | 'name'>): string {
  return project === undefined ? name : `${project}: ${name}`;
}

/** How much it holds, in words. */
export function budgetText({ budget }: Pick<BurnRow, 'budget'>): string {
  return budget === null ? 'none' : timeText(budget);
}

/** A time; `unknown` where it is not known. */
export function timeText(minutes: number | undefined): string {
  return minutes === undefined ? 'unknown' : formatDuration(minutes);
}

/** How much of it is used. */
export function percentText({ budget, percent, spent }: Pick<BurnRow, 'budget' | 'percent' | 'spent'>): string {
  if (percent !== undefined) return `${percent.toFixed(1)}%`;
  return budget === undefined || spent === undefined ? 'unknown' : NOTHING;
}

/** What is spent a week. */
export function rateText({ rate }: Pick<BurnRow, 'rate'>): string {
  return timeText(rate === undefined ? undefined : Math.round(rate.minutes / rate.weeks));
}
