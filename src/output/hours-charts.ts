import { formatDuration } from '../values/duration.ts';
import { columnChart } from './column-chart.ts';
import type { HoursView } from './hours-view.ts';
import { htmlLine, section } from './page.ts';

/** Bars beyond these are in the table alone. */
const MOST_BARS = 25;

/** Hours over time as columns, and the outermost groups as bars on one scale. HTML. */
export function hoursCharts({ rows, levels, period, periods }: Pick<HoursView, 'rows' | 'levels' | 'period' | 'periods'>): string {
  const columns = periods.map(({ label, billable, notBillable, billableUnknown }) => ({
    label,
    billable,
    notBillable,
    unknown: billableUnknown,
  }));
  const overTime = section(`By ${period}`, columnChart(columns, `Hours by ${period}`));
  const outermost = (levels[0] ?? '').toLowerCase();
  // The same as the columns above.
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
