import { formatDuration } from '../values/duration.ts';
import { columnChart } from './charts.ts';
import { htmlLine, section } from './page.ts';

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
  /** The percentage of the total, with one decimal. */
  readonly share: number;
}

/** The highest number of bars. Further groups only appear in the table. */
const MOST_BARS = 25;

/** Draws hours over time as columns and the outermost groups as bars, in HTML. */
export function hoursCharts({ rows, levels, period, periods }: Pick<HoursView, 'rows' | 'levels' | 'period' | 'periods'>): string {
  const columns = periods.map(({ label, billable, notBillable, billableUnknown }) => ({
    label,
    billable,
    notBillable,
    unknown: billableUnknown,
  }));
  const overTime = section(`By ${period}`, columnChart(columns, `Hours by ${period}`));
  const outermost = (levels[0] ?? '').toLowerCase();
  // The bars would show the same figures as the columns.
  if (outermost === period) return overTime;
  const outer = rows.filter(({ depth }) => depth === 0);
  const shown = outer.slice(0, MOST_BARS);
  const most = Math.max(1, ...outer.map(({ minutes }) => minutes));
  const width = (minutes: number) => Number(((Math.max(0, minutes) / most) * 100).toFixed(2));
  const bars = shown.map(
    (row) =>
      `<li><span class="name" dir="auto">${htmlLine(row.label)}</span><span class="bar"><i class="bill" style="width:${width(row.billable)}%"></i><i class="open" style="width:${width(row.billableUnknown)}%"></i><i class="other" style="width:${width(row.notBillable)}%"></i></span><span class="value">${formatDuration(row.minutes)} <small>${row.share.toFixed(1)}%</small></span></li>`,
  );
  const more = outer.length > shown.length ? `<p>${outer.length - shown.length} more are in the table.</p>` : '';
  return `${overTime}\n${section(`By ${htmlLine(outermost)}`, `<ol class="bars">${bars.join('')}</ol>${more}`)}`;
}
