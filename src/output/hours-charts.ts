import { formatDuration } from '../values/duration.ts';
import { counted } from '../values/text.ts';
import { barList, type ChartParts, chartLegend, columnChart } from './charts.ts';
import { htmlLine, section, type Tiles, tiles } from './page.ts';

/** Sums of hours for a report. All times are in minutes. */
export interface HoursView {
  readonly title: string;
  /** The names of the row levels, outermost first, such as `Project`. */
  readonly levels: readonly string[];
  readonly rows: readonly HoursRow[];
  readonly total: HoursTimes;
  /** The time range of one column in a page’s chart, such as `day`. */
  readonly period: string;
  readonly periods: readonly (HoursTimes & { readonly label: string })[];
  /** Sentences that explain the calculation. */
  readonly notes: readonly string[];
}

/** Sums of times in minutes. `billable`, `notBillable` and `billableUnknown` add up to `minutes`. */
export interface HoursTimes {
  readonly minutes: number;
  readonly billable: number;
  readonly notBillable: number;
  readonly billableUnknown: number;
  readonly overtime: number;
  readonly overtimeUnknown: number;
  readonly entries: number;
}

export interface HoursRow extends HoursTimes {
  readonly label: string;
  /** The level of the row. 0 is the outermost level. */
  readonly depth: number;
  /** The share of the total, in percent, with one decimal. */
  readonly share: number;
}

/** The most bars in a chart. Further groups only appear in the table. */
const MOST_BARS = 25;

/** Draws hours over time as columns and the outermost groups as bars, in HTML. */
export function hoursCharts({ rows, levels, period, periods }: Pick<HoursView, 'rows' | 'levels' | 'period' | 'periods'>): string {
  const overTime = periodChart(period, periods);
  const outermost = (levels[0] ?? '').toLowerCase();
  // A chart with bars would show the same figures as the chart with columns.
  if (outermost === period) return overTime;
  const outer = rows.filter(({ depth }) => depth === 0);
  const shown = outer.slice(0, MOST_BARS);
  const bars = shown.map((row) => ({ ...partsOf(row), value: formatDuration(row.minutes), share: `${row.share.toFixed(1)}%` }));
  const more = outer.length > shown.length ? `<p>${outer.length - shown.length} more groups are in the table.</p>` : '';
  const most = Math.max(0, ...outer.map(({ minutes }) => minutes));
  return `${overTime}\n${section(`By ${htmlLine(outermost)}`, `${barList(bars, most)}${more}`)}`;
}

/** The hours of a time range. `target` has the minutes to work in this range, if svc knows the minutes. */
export type HoursPeriod = HoursTimes & { readonly label: string; readonly target?: number | undefined };

/** Draws hours over time as a section with columns, in HTML. */
export function periodChart(period: string, periods: readonly HoursPeriod[]): string {
  const columns = periods.map((times) => ({ ...partsOf(times), target: times.target, title: wordsOf(times) }));
  return section(`By ${period}`, columnChart(columns, `Hours by ${period}`));
}

function partsOf({ label, billable, notBillable, billableUnknown }: HoursTimes & { readonly label: string }): ChartParts {
  return { label, full: billable, middle: billableUnknown, light: notBillable };
}

function wordsOf({ label, billable, notBillable, billableUnknown, target }: HoursPeriod): string {
  const open = billableUnknown === 0 ? '' : `, ${formatDuration(billableUnknown)} unknown`;
  const goal = target === undefined ? '' : `, target ${formatDuration(target)}`;
  return `${label}: ${formatDuration(billable)} billable, ${formatDuration(notBillable)} not billable${open}${goal}`;
}

/** Draws sums of hours as HTML tiles. `more` are tiles after the first tile. */
export function hoursTiles(
  { minutes, billable, notBillable, billableUnknown, overtime, overtimeUnknown, entries }: HoursTimes,
  more: Tiles = [],
): string {
  const share = (value: number) => (minutes === 0 ? undefined : `${Math.round((value / minutes) * 100)}%`);
  const part = (name: string, value: number, unknown: number) =>
    unknown > 0 ? ([name, 'unknown'] as const) : ([name, formatDuration(value), share(value)] as const);
  return tiles([
    ['Logged', formatDuration(minutes), counted(entries, 'entry', 'entries')],
    ...more,
    part('Billable', billable, billableUnknown),
    part('Not billable', notBillable, billableUnknown),
    part('Overtime', overtime, overtimeUnknown),
  ]);
}

export function hoursLegend({ billableUnknown }: HoursTimes, hasTarget = false): string {
  return chartLegend([
    ['bill', 'Billable'],
    ['other', 'Not billable'],
    ...(billableUnknown > 0 ? ([['open', 'Unknown']] as const) : []),
    ...(hasTarget ? ([['target', 'Target']] as const) : []),
  ]);
}
