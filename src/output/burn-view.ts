import { formatDuration } from '../values/duration.ts';
import { NOTHING } from './report.ts';

/** The data of a burn report. Times are in minutes. An unknown value is undefined. */
export interface BurnView {
  readonly title: string;
  readonly nameInTitle?: string | undefined;
  readonly day: string;
  readonly rows: readonly BurnRow[];
  readonly forecast: boolean;
}

export interface BurnRow {
  readonly project: string | undefined;
  readonly name: string;
  /** The size of the budget. Null means no limit. */
  readonly budget: number | null | undefined;
  readonly spent: number | undefined;
  readonly left: number | undefined;
  readonly over: number | undefined;
  readonly percent: number | undefined;
  readonly rate: { readonly minutes: number; readonly weeks: number } | undefined;
  /** Undefined if nothing is left, if the budget has no limit, or if svc made no forecast. */
  readonly forecast: BurnEnds | undefined;
  readonly overSince: string | undefined;
  /** The hours of each week. Empty if svc did not read the worklogs, or made no forecast. */
  readonly weeks: readonly BurnPoint[];
}

/** The days between which a budget runs out. Null means that the budget lasts for more than two years. Undefined means unknown. */
export interface BurnEnds {
  readonly earliest: string | null | undefined;
  readonly latest: string | null | undefined;
}

export interface BurnPoint {
  readonly week: string;
  readonly monday: string;
  readonly minutes: number;
  readonly total: number;
}

export function nameOfRow({ project, name }: Pick<BurnRow, 'project' | 'name'>): string {
  return project === undefined ? name : `${project}: ${name}`;
}

export function budgetText({ budget }: Pick<BurnRow, 'budget'>): string {
  return budget === null ? 'none' : timeText(budget);
}

export function timeText(minutes: number | undefined): string {
  return minutes === undefined ? 'unknown' : formatDuration(minutes);
}

export function percentText({ budget, percent, spent }: Pick<BurnRow, 'budget' | 'percent' | 'spent'>): string {
  if (percent !== undefined) return `${percent.toFixed(1)}%`;
  return budget === undefined || spent === undefined ? 'unknown' : NOTHING;
}

export function rateText({ rate }: Pick<BurnRow, 'rate'>): string {
  return timeText(rate === undefined ? undefined : Math.round(rate.minutes / rate.weeks));
}
