import { formatDuration } from '../values/duration.ts';
import { type Block, blockDrawer, labelOf } from './blocks.ts';
import type { GlanceView } from './glance-text.ts';
import type { WeekSum, WeekView } from './grid-week.ts';
import { neutraliseLine } from './neutralise.ts';
import { type ReportTimes, type ReportView, unknownLines } from './report-table.ts';
import { loadStyles } from './styles.ts';

// What week, report and status draw, for somebody who hears it: blocks of lines, none of which needs the one above to be understood.

/** A week: a block for each row with the days that have time, one for each sum, then what is missing. */
export async function weekBlocks({ title, days, rows, sums, notes, gaps }: WeekView, color: boolean): Promise<string> {
  const draw = blockDrawer(await loadStyles(color));
  const times = ({ minutes, total }: Pick<WeekSum, 'minutes' | 'total'>): Block => [
    ...minutes.flatMap((some, index) => (some === 0 ? [] : [[days[index] ?? '', formatDuration(some)] as const])),
    ['Total', formatDuration(total)],
  ];
  const missing = gaps.reduce((sum, { minutes }) => sum + minutes, 0);
  const blocks = [
    ...rows.map((row) => {
      const item: Block = row.workItem === undefined ? [] : [['Work item', neutraliseLine(row.workItem)]];
      return draw([['Project', neutraliseLine(row.project)], ...item, ...times(row)]);
    }),
    ...sums.map((sum) => `${sum.label}\n${draw(times(sum))}`),
    ...(notes.length === 0 ? [] : [`${notes.map(neutraliseLine).join('\n')}\n`]),
    ...(gaps.length === 0 ? [] : [`Missing: ${formatDuration(missing)}. To fill it:\n${gapLines(gaps)}`]),
  ];
  return join([`${neutraliseLine(title)}\n`, ...blocks]);
}

/** Totals: a block for each row, which names what it is part of, and one for the whole. */
export async function reportBlocks(view: ReportView, color: boolean): Promise<string> {
  const draw = blockDrawer(await loadStyles(color));
  const title = `${neutraliseLine(view.title)}\n`;
  if (view.rows.length === 0) return join([title, 'No hours were logged.\n']);
  const dimensions = view.heading.split(', ').map(labelOf);
  const overtime = view.total.overtime + view.total.overtimeUnknown > 0;
  let above: string[] = [];
  const blocks = view.rows.map((row) => {
    above = [...above.slice(0, row.depth), neutraliseLine(row.label)];
    return draw([...above.map((label, depth) => [dimensions[depth] ?? '', label] as const), ...timesOf(row, row.share, overtime)]);
  });
  const whole = `Total\n${draw(timesOf(view.total, 100, overtime))}`;
  const unknown = unknownLines(view.total);
  return join([title, ...blocks, whole, ...(unknown.length === 0 ? [] : [`${unknown.join('\n')}\n`])]);
}

/** A glance at a day: each line with its label, and an empty line between two sections. */
export async function glanceBlocks({ title, sections }: GlanceView, color: boolean): Promise<string> {
  const draw = blockDrawer(await loadStyles(color));
  return join([
    `${neutraliseLine(title)}\n`,
    ...sections.map(({ label, lines }) => draw(lines.map(({ cells }) => [label, cells.map(neutraliseLine).filter(Boolean).join(', ')]))),
  ]);
}

function gapLines(gaps: WeekView['gaps']): string {
  return gaps.map(({ day, minutes, command }) => `${day}, ${formatDuration(minutes)}: ${neutraliseLine(command)}\n`).join('');
}

function timesOf(times: ReportTimes, share: number, withOvertime: boolean): Block {
  const { minutes, billable, notBillable, billableUnknown, overtime, overtimeUnknown } = times;
  const part = (some: number, unknown: number) => (unknown > 0 ? 'unknown' : formatDuration(some));
  return [
    ['Time', formatDuration(minutes)],
    ['Share', `${share.toFixed(1)}%`],
    ['Billable', part(billable, billableUnknown)],
    ['Not billable', part(notBillable, billableUnknown)],
    ...(withOvertime ? [['Overtime', part(overtime, overtimeUnknown)] as const] : []),
  ];
}

function join(blocks: readonly string[]): string {
  return blocks.join('\n');
}
