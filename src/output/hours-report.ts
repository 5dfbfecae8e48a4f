import { formatDuration } from '../values/duration.ts';
import { capitalised } from '../values/text.ts';
import type { HoursTimes, HoursView } from './hours-charts.ts';
import { NOTHING, type Report, type ReportCell, type ReportRow, type ReportTable } from './report.ts';
import type { Styles } from './styles.ts';

export function hoursReport({ title, levels, rows, total, period, periods, notes }: HoursView): Report {
  const about = { kind: 'notes', lines: [...notes, ...unknownLines(total)] } as const;
  if (rows.length === 0) return { title, parts: [about, { kind: 'notes', lines: ['No hours were logged.'] }] };
  const most = Math.max(...rows.map(({ minutes }) => minutes));
  const overtime = total.overtime + total.overtimeUnknown > 0;
  const row = (times: HoursTimes & { readonly label: string; readonly depth?: number }, share: number, all: boolean): ReportRow => ({
    label: times.label,
    depth: times.depth ?? 0,
    cells: cellsOf(times, share, all || overtime, all),
    bar: (width, styles) => drawBar(times, most, width, styles),
  });
  const tableOf = (
    name: string,
    of: readonly string[],
    lines: readonly (HoursTimes & { label: string; depth?: number; share?: number })[],
    all: boolean,
  ) => ({
    kind: 'table' as const,
    name,
    levels: of,
    columns: ['Time', 'Share', 'Billable', 'Not billable', ...(all || overtime ? ['Overtime'] : []), ...(all ? ['Entries'] : [])].map(
      (label) => ({ label, ...(label !== 'Time' && { mayGo: true as const }) }),
    ),
    rows: lines.map((line) => row(line, line.share ?? (total.minutes === 0 ? 0 : (line.minutes / total.minutes) * 100), all)),
    totals: [{ label: 'Total', cells: cellsOf(total, 100, all || overtime, all) }],
  });
  const charts = () => import('./hours-charts.ts');
  const table: ReportTable = { ...tableOf('Table', levels, rows, false), barsAfter: 2, only: ['table', 'spoken', 'markdown'] };
  const legend = [['full', 'billable'], ['light', 'not billable'], ...(total.billableUnknown > 0 ? [['middle', 'unknown']] : [])] as const;
  return {
    title,
    parts: [
      {
        kind: 'drawing',
        async html() {
          const { hoursTiles, hoursLegend } = await charts();
          return hoursTiles(total) + hoursLegend(total);
        },
      },
      table,
      {
        kind: 'drawing',
        text: (_, { dim }) => `${dim(legend.map(([mark, label]) => `${BLOCKS[mark as keyof typeof BLOCKS]} ${label}`).join('  '))}\n`,
      },
      about,
      { kind: 'drawing', html: async () => (await charts()).hoursCharts({ rows, levels, period, periods }) },
      { ...tableOf('Table', levels, rows, true), only: ['page'] },
      { ...tableOf(`Table by ${period}`, [capitalised(period)], periods, true), only: ['page'] },
    ],
  };
}

const BLOCKS = { full: '█', middle: '▒', light: '░' } as const;

function cellsOf(times: HoursTimes, share: number, withOvertime: boolean, withEntries: boolean): ReportCell[] {
  const { minutes, billable, notBillable, billableUnknown, overtime, overtimeUnknown, entries } = times;
  return [
    timeCell(minutes, 0),
    `${share.toFixed(1)}%`,
    timeCell(billable, billableUnknown),
    timeCell(notBillable, billableUnknown),
    ...(withOvertime ? [timeCell(overtime, overtimeUnknown)] : []),
    ...(withEntries ? [String(entries)] : []),
  ];
}

function timeCell(minutes: number, unknown: number): ReportCell {
  if (unknown > 0) return 'unknown';
  return { text: minutes === 0 ? NOTHING : formatDuration(minutes), spoken: formatDuration(minutes) };
}

function unknownLines({ billable, notBillable, billableUnknown, overtime, overtimeUnknown }: HoursTimes): string[] {
  return [
    ...(billableUnknown > 0
      ? [
          `${formatDuration(billable)} are billable, and ${formatDuration(notBillable)} are not billable. The service does not show whether another ${formatDuration(billableUnknown)} are billable.`,
        ]
      : []),
    ...(overtimeUnknown > 0
      ? [
          `${formatDuration(overtime)} are overtime. The service does not show whether another ${formatDuration(overtimeUnknown)} are overtime.`,
        ]
      : []),
  ];
}

/** Draws a bar of billable, unknown and other time in proportion to the longest row. A row with any time gets at least one block. */
function drawBar({ minutes, billable, billableUnknown }: HoursTimes, most: number, width: number, styles: Styles): string {
  const blocks = minutes <= 0 || most <= 0 ? 0 : Math.max(1, Math.round((minutes / most) * width));
  const upTo = (part: number) => (minutes <= 0 ? 0 : Math.round((blocks * part) / minutes));
  const full = upTo(billable);
  const middle = upTo(billable + billableUnknown) - full;
  const light = BLOCKS.light.repeat(blocks - full - middle);
  return styles.number(BLOCKS.full.repeat(full)) + styles.dim(BLOCKS.middle.repeat(middle) + light);
}
