import { formatDuration } from '../values/duration.ts';
import { neutraliseLine } from './neutralise.ts';
import { loadStyles, type Styles } from './styles.ts';
import { cutToWidth, padToWidth, textWidth } from './text-width.ts';

/** Totals, ready to be drawn; all times in minutes. */
export interface ReportView {
  readonly title: string;
  /** What the rows are: `PROJECT`, or `PROJECT, USER`. */
  readonly heading: string;
  readonly rows: readonly ReportRow[];
  readonly total: ReportTimes;
}

/** `billable`, `notBillable` and `billableUnknown` make up `minutes`. */
export interface ReportTimes {
  readonly minutes: number;
  readonly billable: number;
  readonly notBillable: number;
  readonly billableUnknown: number;
  readonly overtime: number;
  readonly overtimeUnknown: number;
  readonly entries: number;
}

export interface ReportRow extends ReportTimes {
  readonly label: string;
  /** 0 for the outermost. */
  readonly depth: number;
  /** Percent of the whole, with one decimal. */
  readonly share: number;
}

export interface ReportOptions {
  readonly color: boolean;
  /** Columns of the terminal; undefined where nothing needs to be cut. */
  readonly width: number | undefined;
}

/** Totals with a share and a bar a row; inner rows are indented, and the whole stands below. */
export async function renderReport(view: ReportView, { color, width }: ReportOptions): Promise<string> {
  const styles = await loadStyles(color);
  const title = styles.heading(neutraliseLine(view.title));
  if (view.rows.length === 0) return `${title}\n\nNo hours were logged.\n`;
  const overtime = view.total.overtime + view.total.overtimeUnknown > 0;
  const unknown = view.total.billableUnknown > 0;
  const numbers = view.rows.map((row) => numberCells(row, `${row.share.toFixed(1)}%`, overtime));
  const whole = numberCells(view.total, '100.0%', overtime);
  const headings = ['TIME', 'SHARE', 'BILLABLE', 'NOT BILLABLE', ...(overtime ? ['OVERTIME'] : [])];
  const columns = headings.map((heading, index) =>
    Math.max(...[heading, whole[index], ...numbers.map((cells) => cells[index])].map((cell) => textWidth(cell ?? ''))),
  );
  const labels = view.rows.map(({ label, depth }) => '  '.repeat(depth) + neutraliseLine(label));
  const natural = Math.max(...[...labels, view.heading, 'Total'].map(textWidth));
  const taken = columns.reduce((sum, column) => sum + column + GAP.length, 0);
  const layout = shareRoom(natural, width === undefined ? undefined : width - taken - GAP.length);
  const most = Math.max(...view.rows.map(({ minutes }) => minutes));
  const line = (label: string, cells: readonly string[], bar: string, style?: Styles['heading']) => {
    const [time = '', share = '', ...rest] = cells.map((cell, index) => padToWidth(cell, columns[index] ?? 0, 'right'));
    const name = padToWidth(cutToWidth(label, layout.label), layout.label, 'left');
    const before = [name, time, share].join(GAP);
    const after = rest.join(GAP);
    return style === undefined ? [before, bar, after].join(GAP) : style([before, bar, after].join(GAP));
  };
  const blank = ' '.repeat(layout.bar);
  return [
    title,
    '',
    line(view.heading, headings, blank, styles.heading),
    ...view.rows.map((row, index) =>
      line(
        labels[index] ?? '',
        numbers[index] ?? [],
        drawBar(row, most, layout.bar, styles),
        row.depth === 0 && nested(view) ? styles.heading : undefined,
      ),
    ),
    styles.dim('─'.repeat(layout.label + layout.bar + taken + GAP.length)),
    line('Total', whole, blank, styles.heading),
    '',
    styles.dim(`${FULL} billable  ${LIGHT} not billable${unknown ? `  ${MIDDLE} unknown` : ''}`),
    ...unknownLines(view.total),
    '',
  ].join('\n');
}

const GAP = '  ';
const FULL = '█';
const MIDDLE = '▒';
const LIGHT = '░';
const LEAST_LABEL = 12;
const LEAST_BAR = 8;
const MOST_BAR = 40;

function nested({ rows }: ReportView): boolean {
  return rows.some(({ depth }) => depth > 0);
}

/** Shares the room between names and bars: names first, but no bar is shorter than it must be to tell anything. */
function shareRoom(natural: number, room: number | undefined): { readonly label: number; readonly bar: number } {
  if (room === undefined) return { label: natural, bar: 20 };
  const label = Math.max(LEAST_LABEL, Math.min(natural, room - LEAST_BAR));
  return { label, bar: Math.max(LEAST_BAR, Math.min(MOST_BAR, room - label)) };
}

function numberCells(times: ReportTimes, share: string, withOvertime: boolean): string[] {
  const { minutes, billable, notBillable, billableUnknown, overtime, overtimeUnknown } = times;
  return [
    formatDuration(minutes),
    share,
    partCell(billable, billableUnknown),
    partCell(notBillable, billableUnknown),
    ...(withOvertime ? [partCell(overtime, overtimeUnknown)] : []),
  ];
}

/** A part of which some is not known is not known. */
function partCell(part: number, unknown: number): string {
  if (unknown > 0) return 'unknown';
  return part === 0 ? '·' : formatDuration(part);
}

/** What is known all the same, in words: for a person, below a report. */
export function unknownLines({ billable, notBillable, billableUnknown, overtime, overtimeUnknown }: ReportTimes): string[] {
  return [
    ...(billableUnknown > 0
      ? [
          `The service does not show whether ${formatDuration(billableUnknown)} are billable; ${formatDuration(billable)} are, ${formatDuration(notBillable)} are not.`,
        ]
      : []),
    ...(overtimeUnknown > 0
      ? [`The service does not show whether ${formatDuration(overtimeUnknown)} are overtime; ${formatDuration(overtime)} are.`]
      : []),
  ];
}

/** What was billable first, then what may be, then the rest, on the scale of the longest row; anything at all is at least one block. */
function drawBar({ minutes, billable, billableUnknown }: ReportTimes, most: number, width: number, styles: Styles): string {
  const blocks = minutes <= 0 || most <= 0 ? 0 : Math.max(1, Math.round((minutes / most) * width));
  const upTo = (part: number) => (minutes <= 0 ? 0 : Math.round((blocks * part) / minutes));
  const full = upTo(billable);
  const middle = upTo(billable + billableUnknown) - full;
  const light = blocks - full - middle;
  return styles.number(FULL.repeat(full)) + styles.dim(MIDDLE.repeat(middle) + LIGHT.repeat(light)) + ' '.repeat(width - blocks);
}
