import { formatDuration } from '../values/duration.ts';
import type { Block } from './blocks.ts';

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

/** What the rate is, and what the projected end does not know. */
export const FORECAST_WORDS =
  'A week: what was logged in the last four full weeks, Monday to Sunday, by the week; of a younger budget, in the full weeks since its first entry. Ends: when that uses the budget up. Weeks are those of the calendar: leave and holidays ahead are not taken into account.';

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

/** What is left, in words: nothing of a budget without a bound. */
export function leftText({ budget, left }: Pick<BurnRow, 'budget' | 'left'>): string {
  return budget === null ? '·' : timeText(left);
}

export function percentText({ budget, percent, spent }: Pick<BurnRow, 'budget' | 'percent' | 'spent'>): string {
  if (percent !== undefined) return `${percent.toFixed(1)}%`;
  return budget === undefined || spent === undefined ? 'unknown' : '·';
}

export function rateText({ rate }: Pick<BurnRow, 'rate'>): string {
  return timeText(rate === undefined ? undefined : Math.round(rate.minutes / rate.weeks));
}

/** The day on which nothing is left, or why there is none. */
export function endText({ over, left, rate, projectedEnd }: Pick<BurnRow, 'over' | 'left' | 'rate' | 'projectedEnd'>): string {
  if (projectedEnd !== undefined) return projectedEnd;
  if (over !== undefined && over > 0) return 'over';
  if (left === 0) return 'used up';
  return left !== undefined && rate === undefined ? 'unknown' : '·';
}

/** A sentence for each budget that is overrun. */
export function overrunLines({ rows }: Pick<BurnView, 'rows'>): string[] {
  return rows.flatMap((row) =>
    row.over === undefined || row.over === 0
      ? []
      : [`${nameOfRow(row)} is over by ${formatDuration(row.over)}${row.overSince === undefined ? '' : `, since ${row.overSince}`}.`],
  );
}

/** A budget as lines with a label each. */
export function burnBlock(row: BurnRow, forecast: boolean): Block {
  const { over, overSince } = row;
  return [
    ...(row.project === undefined ? [] : [['Project', row.project] as const]),
    ['Budget', row.name],
    ['Holds', budgetText(row)],
    ['Spent', timeText(row.spent)],
    ...(row.budget === null ? [] : [['Left', leftText(row)] as const]),
    ...(row.budget === null || row.budget === 0 ? [] : [['Used', percentText(row)] as const]),
    ...(over === undefined || over === 0
      ? []
      : [['Over', `${formatDuration(over)}${overSince === undefined ? '' : `, since ${overSince}`}`] as const]),
    ...(forecast ? [['A week', rateText(row)] as const, ['Ends', endText(row).replace('·', 'not at that rate')] as const] : []),
  ];
}
