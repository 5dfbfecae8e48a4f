import { formatDuration } from '../values/duration.ts';
import { type ChartColumn, columnChart } from './column-chart.ts';
import { renderPage, scrollable, section, text } from './page.ts';
import { type ReportRow, type ReportTimes, unknownLines } from './report-table.ts';

/** A report as a page; all times in minutes. */
export interface ReportPage {
  readonly title: string;
  /** The organisation's host. */
  readonly source: string;
  /** The day on which it was made, and where that is. */
  readonly made: string;
  /** What the rows are: `project, user`. */
  readonly heading: string;
  /** What the columns over time are: `day`. */
  readonly period: string;
  readonly periods: readonly (ReportTimes & { readonly label: string })[];
  readonly rows: readonly ReportRow[];
  readonly total: ReportTimes;
}

/** Charts, and the tables they are drawn from. */
export function renderReportPage(page: ReportPage): string {
  const { title, source, made, total } = page;
  const body = [
    tiles(total),
    ...(page.rows.length === 0
      ? ['<p>No hours were logged.</p>']
      : [
          legend(total),
          ...unknownLines(total).map((line) => `<p>${text(line)}</p>`),
          section(`By ${page.period}`, columnChart(page.periods.map(column), `Hours by ${page.period}`)),
          barSection(page),
          tableOf(page),
          periodTable(page),
        ]),
  ];
  return renderPage({ title, subtitle: `${source} · made on ${made}`, body });
}

function legend({ billableUnknown }: ReportTimes): string {
  const unknown = billableUnknown > 0 ? ' <span class="key open"></span> Unknown' : '';
  return `<p class="legend"><span class="key bill"></span> Billable <span class="key other"></span> Not billable${unknown}</p>`;
}

/** Bars beyond these are in the table alone. */
const MOST_BARS = 25;

function tiles({ minutes, billable, notBillable, billableUnknown, overtime, overtimeUnknown, entries }: ReportTimes): string {
  const tile = (name: string, value: string, more = '') =>
    `<div><dt>${name}</dt><dd>${value}${more === '' ? '' : ` <small>${more}</small>`}</dd></div>`;
  const part = (name: string, value: number, unknown: number) =>
    unknown > 0 ? tile(name, 'unknown') : tile(name, formatDuration(value), minutes === 0 ? '' : `${Math.round((value / minutes) * 100)}%`);
  return `<dl class="tiles">${[
    tile('Logged', formatDuration(minutes), `${entries} ${entries === 1 ? 'entry' : 'entries'}`),
    part('Billable', billable, billableUnknown),
    part('Not billable', notBillable, billableUnknown),
    part('Overtime', overtime, overtimeUnknown),
  ].join('')}</dl>`;
}

/** Bars of the outermost groups, longest scale for all. */
function barSection({ rows, heading, period }: ReportPage): string {
  // The same as the columns above.
  if (heading.split(',')[0] === period) return '';
  const outer = rows.filter(({ depth }) => depth === 0);
  const shown = outer.slice(0, MOST_BARS);
  const most = Math.max(1, ...outer.map(({ minutes }) => minutes));
  const width = (minutes: number) => Number(((Math.max(0, minutes) / most) * 100).toFixed(2));
  const bars = shown.map(
    (row) =>
      `<li><span class="name" dir="auto">${text(row.label)}</span><span class="bar"><i class="bill" style="width:${width(row.billable)}%"></i><i class="open" style="width:${width(row.billableUnknown)}%"></i><i class="other" style="width:${width(row.notBillable)}%"></i></span><span class="value">${formatDuration(row.minutes)} <small>${row.share.toFixed(1)}%</small></span></li>`,
  );
  const more = outer.length > shown.length ? `<p>${outer.length - shown.length} more are in the table.</p>` : '';
  return section(`By ${text(heading.split(',')[0] ?? '')}`, `<ol class="bars">${bars.join('')}</ol>${more}`);
}

function tableOf({ heading, rows, total }: ReportPage): string {
  const lines = rows.map(
    (row) =>
      `<tr class="depth${Math.min(row.depth, 3)}"><th scope="row" dir="auto">${text(row.label)}</th>${cells(row, row.share.toFixed(1))}</tr>`,
  );
  const foot = `<tr><th scope="row">Total</th>${cells(total, '100.0')}</tr>`;
  return tableSection('Table', capital(heading), lines, foot);
}

function periodTable({ period, periods, total }: ReportPage): string {
  const share = (minutes: number) => (total.minutes === 0 ? 0 : (minutes / total.minutes) * 100).toFixed(1);
  const lines = periods.map((row) => `<tr><th scope="row">${text(row.label)}</th>${cells(row, share(row.minutes))}</tr>`);
  return tableSection(`Table by ${period}`, capital(period), lines, `<tr><th scope="row">Total</th>${cells(total, '100.0')}</tr>`);
}

function tableSection(name: string, heading: string, lines: readonly string[], foot: string): string {
  const heads = [heading, 'Time', 'Share', 'Billable', 'Not billable', 'Overtime', 'Entries'].map(
    (name) => `<th scope="col">${text(name)}</th>`,
  );
  const content = `<table><thead><tr>${heads.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody><tfoot>${foot}</tfoot></table>`;
  return section(name, scrollable(name, content));
}

function cells(times: ReportTimes, share: string): string {
  const { minutes, billable, notBillable, billableUnknown, overtime, overtimeUnknown, entries } = times;
  const time = (value: number, unknown = 0) => {
    if (unknown > 0) return '<td class="none">unknown</td>';
    return value === 0 ? '<td class="none">–</td>' : `<td>${formatDuration(value)}</td>`;
  };
  return `${time(minutes)}<td>${share}%</td>${time(billable, billableUnknown)}${time(notBillable, billableUnknown)}${time(overtime, overtimeUnknown)}<td>${entries}</td>`;
}

function column({ label, billable, notBillable, billableUnknown }: ReportTimes & Pick<ChartColumn, 'label'>): ChartColumn {
  return { label, billable, notBillable, unknown: billableUnknown };
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
