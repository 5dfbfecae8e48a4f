import { formatDuration } from '../values/duration.ts';
import { neutraliseLine } from './neutralise.ts';
import { loadStyles, type Styles } from './styles.ts';
import { cutToWidth, padToWidth, textWidth } from './text-width.ts';

/** A week, ready to be drawn. Minutes are in the order of the days. */
export interface WeekView {
  readonly title: string;
  /** `Mon 1`. */
  readonly days: readonly string[];
  /** Rows of a project stand together. */
  readonly rows: readonly WeekRow[];
  /** What stands below the line: logged, target, missing. */
  readonly sums: readonly WeekSum[];
  /** Full lines below the grid: holidays, absences. */
  readonly notes: readonly string[];
  readonly gaps: readonly WeekGap[];
}

export interface WeekRow {
  readonly project: string;
  /** Undefined for what was logged on the project alone. */
  readonly workItem: string | undefined;
  readonly minutes: readonly number[];
  readonly total: number;
}

export interface WeekSum {
  readonly label: string;
  readonly minutes: readonly number[];
  readonly total: number;
  /** Something is wrong wherever this is not zero. */
  readonly marks?: true;
}

export interface WeekGap {
  readonly day: string;
  readonly minutes: number;
  /** The command that fills it. */
  readonly command: string;
}

export interface WeekOptions {
  readonly color: boolean;
  /** Columns of the terminal; undefined where nothing needs to be cut. */
  readonly width: number | undefined;
}

/** The week as a grid: a row for each project and work item, a column a day, sums, and what is missing. */
export async function renderWeek(view: WeekView, { color, width }: WeekOptions): Promise<string> {
  const styles = await loadStyles(color);
  const labels = labelledRows(view.rows);
  const cells = [...view.rows, ...view.sums].flatMap(({ minutes, total }) => [...minutes, total].map(durationCell));
  const column = Math.max(LEAST_CELL, ...[...view.days, ...cells].map(textWidth));
  const natural = Math.max(LEAST_LABEL, ...[...labels, ...view.sums].map(({ label }) => textWidth(label)));
  const columns = view.days.length + 1;
  // Names are worth more than blanks between numbers.
  const gap = width === undefined || width >= natural + columns * (column + 2) ? 2 : 1;
  const room = width === undefined ? natural : width - columns * (column + gap);
  const layout: Layout = { label: Math.max(LEAST_LABEL, Math.min(natural, room)), column, gap: ' '.repeat(gap), styles };
  const rule = styles.dim('─'.repeat(layout.label + columns * (column + gap)));
  const lines = [
    styles.heading(neutraliseLine(view.title)),
    '',
    drawLine('', [...view.days, 'Total'], layout, styles.heading),
    ...labels.map(({ label, row }) => drawRow(label, row, layout)),
    rule,
    ...view.sums.map((sum) => drawRow(sum.label, sum, layout, sum.marks ? styles.literal : styles.heading)),
    ...section(view.notes.map((note) => cutLine(`  ${neutraliseLine(note)}`, width))),
    ...gapLines(view, styles),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether a week fits a terminal of so many columns, with its names cut. */
export function weekFits({ days, rows, sums }: WeekView, width: number | undefined): boolean {
  const cells = [...rows, ...sums].flatMap(({ minutes, total }) => [...minutes, total].map(durationCell));
  const column = Math.max(LEAST_CELL, ...[...days, ...cells].map(textWidth));
  return width === undefined || LEAST_LABEL + (days.length + 1) * (column + 1) <= width;
}

const LEAST_CELL = 5;
const LEAST_LABEL = 12;

interface Layout {
  readonly label: number;
  readonly column: number;
  readonly gap: string;
  readonly styles: Styles;
}

interface Labelled {
  readonly label: string;
  readonly row: Pick<WeekRow, 'minutes' | 'total'> | undefined;
}

/** A project's own line, then its work items below it; a project's line has numbers where it has time of its own. */
function labelledRows(rows: readonly WeekRow[]): Labelled[] {
  const lines: Labelled[] = [];
  const projects = [...new Set(rows.map(({ project }) => project))];
  for (const project of projects) {
    const own = rows.filter((row) => row.project === project);
    lines.push({ label: neutraliseLine(project), row: own.find(({ workItem }) => workItem === undefined) });
    for (const row of own) if (row.workItem !== undefined) lines.push({ label: `  ${neutraliseLine(row.workItem)}`, row });
  }
  return lines;
}

function drawRow(label: string, row: Labelled['row'], layout: Layout, style?: (text: string) => string): string {
  if (row === undefined) return drawLine(label, [], layout, style);
  return drawLine(label, [...row.minutes, row.total].map(durationCell), layout, style);
}

function drawLine(
  label: string,
  cells: readonly string[],
  { label: width, column, gap, styles }: Layout,
  style?: (text: string) => string,
): string {
  const name = padToWidth(cutToWidth(label, width), width, 'left');
  const shown = cells.map((cell) => {
    const padded = padToWidth(cell, column, 'right');
    return gap + (cell === EMPTY ? styles.dim(padded) : style === undefined ? padded : style(padded));
  });
  return `${style === undefined ? name : style(name)}${shown.join('')}`.trimEnd();
}

const EMPTY = '·';

function durationCell(minutes: number): string {
  return minutes === 0 ? EMPTY : formatDuration(minutes);
}

function gapLines({ gaps }: WeekView, styles: Styles): string[] {
  if (gaps.length === 0) return [];
  const total = gaps.reduce((sum, { minutes }) => sum + minutes, 0);
  const widest = Math.max(...gaps.map(({ minutes }) => formatDuration(minutes).length));
  return section([
    styles.literal(`Missing: ${formatDuration(total)}. To fill it:`),
    ...gaps.map(({ day, minutes, command }) => `  ${day.padEnd(7)}${formatDuration(minutes).padStart(widest)}  ${neutraliseLine(command)}`),
  ]);
}

/** Lines with an empty one before them; nothing for none. */
function section(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function cutLine(line: string, width: number | undefined): string {
  return width === undefined ? line : cutToWidth(line, width);
}
