import { formatDuration } from '../values/duration.ts';
import { blockDrawer } from './blocks.ts';
import { GAP, joinCells } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import { drawPlot, PLOT_MARKS } from './plot.ts';
import { loadStyles, type Styles } from './styles.ts';
import { padToWidth, textWidth } from './text-width.ts';
import { wrap } from './wrap.ts';

/** A sprint by day, ready to be drawn; all times in minutes, what is not known undefined. */
export interface BurndownView {
  readonly title: string;
  /** `2026-06-08 to 2026-06-28`. */
  readonly span: string;
  readonly today: string;
  readonly days: readonly BurndownRow[];
  readonly estimated: number | undefined;
  readonly logged: number | undefined;
  /** How many work items it has, and how many of them are estimated. */
  readonly items: number;
  readonly estimatedItems: number;
  /** Full sentences: what is not estimated, what is not known. */
  readonly notes: readonly string[];
}

export interface BurndownRow {
  readonly date: string;
  /** `Thu 2026-06-04`. */
  readonly label: string;
  readonly logged: number | undefined;
  readonly total: number | undefined;
  readonly remaining: number | undefined;
  readonly ideal: number | undefined;
}

/** What the figures are, and are not. */
export const BURNDOWN_WORDS =
  'Hours against estimations of the work items that are in the sprint now, not items closed: a history of their statuses is not documented. The ideal line takes the same share each day of the calendar.';

/** A column for what remains each day, the ideal line through them, and a table. */
export async function renderBurndown(view: BurndownView, color: boolean, width: number | undefined): Promise<string> {
  const styles = await loadStyles(color);
  const cells = [HEADINGS, ...view.days.map((day) => [day.label, ...timesOf(day)])];
  const widths = HEADINGS.map((_, index) => Math.max(...cells.map((row) => textWidth(row[index] ?? ''))));
  // Lines that a terminal breaks are no table.
  if (width !== undefined && widths.reduce((sum, one) => sum + one + GAP, -GAP) > width) return burndownBlocks(view, color);
  const lines = cells.map((row) =>
    joinCells(row.map((text, index) => padToWidth(text, widths[index] ?? 0, index === 0 ? 'left' : 'right'))),
  );
  const [heading = '', ...rows] = lines;
  return [
    `${styles.heading(`${neutraliseLine(view.title)}, ${view.span}`)}\n`,
    ...(isDrawn(view)
      ? [
          '\n',
          plotOf(view, width ?? 80, styles),
          `\n${styles.dim(`${PLOT_MARKS.full} remains at the end of the day  ${PLOT_MARKS.line} ideal`)}\n`,
        ]
      : []),
    `\n${styles.heading(heading)}`,
    ...rows,
    `\n${wrap(sumLine(view), width ?? 200)}\n`,
    `${wrap(BURNDOWN_WORDS, width ?? 200)}\n`,
  ].join('');
}

/** Of a sprint with more days than a line has room for, the last. */
function plotOf({ days }: BurndownView, width: number, styles: Styles): string {
  return drawPlot(
    { columns: days.map(({ date, remaining, ideal }) => ({ label: date.slice(5), value: remaining, line: ideal })) },
    width,
    styles,
  ).text;
}

/** The same for somebody who hears it: a block for each day. */
export async function burndownBlocks(view: BurndownView, color: boolean): Promise<string> {
  const draw = blockDrawer(await loadStyles(color));
  return [
    `${neutraliseLine(view.title)}, ${view.span}\n`,
    ...view.days.map((day) => draw([['Day', day.label], ...labelled(day)])),
    `${sumLine(view)}\n`,
    `${BURNDOWN_WORDS}\n`,
  ].join('\n');
}

/** Whether there is a line to draw: something was estimated. */
export function isDrawn({ estimated }: Pick<BurndownView, 'estimated'>): boolean {
  return estimated !== undefined && estimated > 0;
}

/** `Estimated: 120h in 12 of 14 work items, 64h30 logged, 55h30 remaining.` */
export function sumLine({
  estimated,
  logged,
  items,
  estimatedItems,
}: Omit<BurndownView, 'title' | 'span' | 'today' | 'days' | 'notes'>): string {
  const known = estimated === undefined ? 'not known' : formatDuration(estimated);
  const some = estimatedItems === items ? '' : `${estimatedItems} of `;
  const spent = logged === undefined ? '' : `, ${formatDuration(logged)} logged`;
  const left = estimated === undefined || logged === undefined ? '' : `, ${formatDuration(estimated - logged)} remaining`;
  return `Estimated: ${known} in ${some}${items} work item${items === 1 ? '' : 's'}${spent}${left}.`;
}

/** Logged, so far, remaining, ideal; what is yet to come is a dot. */
export function timesOf({ logged, total, remaining, ideal }: BurndownRow): string[] {
  const isAhead = logged === undefined;
  const time = (minutes: number | undefined) => (minutes === undefined ? (isAhead ? '·' : 'unknown') : formatDuration(minutes));
  return [logged === 0 ? '·' : time(logged), time(total), time(remaining), ideal === undefined ? 'unknown' : formatDuration(ideal)];
}

/** What is known of a day, each with its label. */
function labelled(day: BurndownRow): (readonly [string, string])[] {
  return timesOf(day).flatMap((time, index) => {
    const label = LABELS[index] ?? '';
    if (time !== '·') return [[label, time] as const];
    return day.logged === 0 ? [[label, 'nothing'] as const] : [];
  });
}

const LABELS = ['Logged', 'So far', 'Remaining', 'Ideal'];
const HEADINGS = ['DAY', ...LABELS.map((label) => label.toUpperCase())];
