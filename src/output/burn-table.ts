import { formatDuration } from '../values/duration.ts';
import { blockDrawer } from './blocks.ts';
import {
  type BurnRow,
  type BurnView,
  budgetText,
  burnBlock,
  endText,
  FORECAST_WORDS,
  leftText,
  overrunLines,
  percentText,
  rateText,
  timeText,
} from './burn-view.ts';
import { GAP, joinCells } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import { drawPlot, PLOT_MARKS } from './plot.ts';
import { loadStyles, type Styles } from './styles.ts';
import { cutToWidth, padToWidth, textWidth } from './text-width.ts';
import { wrap } from './wrap.ts';

export interface BurnOptions {
  readonly color: boolean;
  /** Columns of the terminal; undefined where nothing needs to be cut. */
  readonly width: number | undefined;
}

/** A row and a bar for each budget, below its project; of a single one whose worklogs were read, its weeks too. */
export async function renderBurn(view: BurnView, { color, width }: BurnOptions): Promise<string> {
  const styles = await loadStyles(color);
  const headings = ['BUDGET', 'SPENT', 'LEFT', 'USED', ...(view.forecast ? ['A WEEK', 'ENDS'] : [])];
  const numbers = view.rows.map((row) => [
    budgetText(row),
    timeText(row.spent),
    leftText(row),
    percentText(row),
    ...(view.forecast ? [rateText(row), endText(row)] : []),
  ]);
  const columns = headings.map((heading, index) => Math.max(...[heading, ...numbers.map((cells) => cells[index] ?? '')].map(textWidth)));
  const projects = new Set(view.rows.map(({ project }) => project));
  const nested = projects.size > 1;
  const label = (row: BurnRow) => `${nested ? '  ' : ''}${neutraliseLine(row.name)}`;
  const natural = Math.max(4, ...view.rows.map((row) => textWidth(label(row))));
  const taken = columns.reduce((sum, column) => sum + column + GAP, 0);
  const room = width === undefined ? natural + GAP + BAR : width - taken;
  // Lines that a terminal breaks are no table.
  if (room < LEAST_LABEL) return burnBlocks(view, color, width);
  const bar =
    room < natural + GAP + LEAST_BAR ? (room < LEAST_LABEL + GAP + LEAST_BAR ? 0 : LEAST_BAR) : Math.min(BAR, room - natural - GAP);
  const name = Math.min(natural, bar === 0 ? room : room - GAP - bar);
  const line = (text: string, cells: readonly string[], drawn: string) =>
    joinCells([
      padToWidth(cutToWidth(text, name), name, 'left'),
      ...cells.map((cell, index) => padToWidth(cell, columns[index] ?? 0, 'right')),
      drawn,
    ]);
  const lines = view.rows.flatMap((row, index) => {
    const isFirst = nested && row.project !== view.rows[index - 1]?.project;
    const heading = neutraliseLine(row.project ?? 'Unknown project');
    return [
      ...(isFirst ? [`${styles.heading(width === undefined ? heading : cutToWidth(heading, width))}\n`] : []),
      line(label(row), numbers[index] ?? [], drawBar(row, bar, styles)),
    ];
  });
  const legend = `${FULL} spent  ${LIGHT} left  ${OVER} over`;
  const over = overrunLines(view).map(neutraliseLine);
  const wrapped = (texts: readonly string[]) =>
    texts.length === 0 ? [] : [`\n${texts.map((text) => wrap(text, width ?? text.length)).join('\n')}\n`];
  return [
    `${styles.heading(`${neutraliseLine(view.title)} on ${view.day}`)}\n\n`,
    styles.heading(line('NAME', headings, '')),
    ...lines,
    ...(bar === 0 ? [] : [`\n${styles.dim(legend)}\n`]),
    ...wrapped(over),
    ...weeksOf(view, width ?? 80, styles),
    ...wrapped(view.forecast ? [FORECAST_WORDS] : []),
  ].join('');
}

/** The same for somebody who hears it: a block for each budget, then for a single one a line for each week. */
export async function burnBlocks(view: BurnView, color: boolean, width?: number): Promise<string> {
  const draw = blockDrawer(await loadStyles(color));
  const [only, ...others] = view.rows;
  const weeks =
    only === undefined || others.length > 0
      ? []
      : [draw(only.weeks.map(({ week, minutes, total }) => [week, `${formatDuration(minutes)}, ${formatDuration(total)} so far`]))];
  return [
    `${neutraliseLine(view.title)} on ${view.day}\n`,
    ...view.rows.map((row) => draw(burnBlock(row, view.forecast).map(([name, text]) => [name, neutraliseLine(text)]))),
    ...weeks.filter((text) => text !== ''),
    ...(view.forecast ? [`${width === undefined ? FORECAST_WORDS : wrap(FORECAST_WORDS, width)}\n`] : []),
  ].join('\n');
}

const FULL = '█';
const LIGHT = '░';
const OVER = '×';
const LEAST_LABEL = 10;
const LEAST_BAR = 8;
const BAR = 24;

/** All of a bar is the budget, or what was spent where that is more: then its end is what is over. Nothing where either is not known. */
function drawBar({ budget, spent }: BurnRow, width: number, styles: Styles): string {
  const whole = Math.max(budget ?? 0, spent ?? 0);
  if (budget === null || budget === undefined || spent === undefined || whole <= 0 || width === 0) return '';
  const cells = (minutes: number) => Math.round((Math.max(0, minutes) / whole) * width);
  if (spent > budget) {
    // However little is over, it shows.
    const over = Math.max(1, width - cells(budget));
    return styles.number(FULL.repeat(width - over)) + styles.tones.late(OVER.repeat(over));
  }
  const full = spent > 0 ? Math.max(1, spent < budget ? Math.min(width - 1, cells(spent)) : width) : 0;
  return styles.number(FULL.repeat(full)) + styles.dim(LIGHT.repeat(width - full));
}

/** What was spent by the end of each week, with the budget as a line. */
function weeksOf({ rows }: BurnView, width: number, styles: Styles): string[] {
  const [only, ...others] = rows;
  if (only === undefined || others.length > 0 || only.weeks.length === 0) return [];
  const { budget, weeks } = only;
  const columns = weeks.map(({ week, total }) => ({ label: week, value: total, line: budget ?? undefined }));
  const { text, drawn } = drawPlot({ columns, marksOver: true }, width, styles);
  const legend = [
    `${PLOT_MARKS.full} spent by the end of the week`,
    ...(typeof budget === 'number' ? [`${PLOT_MARKS.line} the budget`, `${PLOT_MARKS.over} over`] : []),
    ...(drawn < weeks.length ? [`(the last ${drawn} of ${weeks.length} weeks)`] : []),
  ];
  return ['\n', text, `\n${styles.dim(legend.join('  '))}\n`];
}
