import { formatDuration } from '../values/duration.ts';
import type { Styles } from './styles.ts';
import { padToWidth, textWidth } from './text-width.ts';

/** Columns over time with a line across them, for a terminal. All values are minutes. */
export interface Plot {
  readonly columns: readonly PlotColumn[];
  /** True to draw the part of a column above the line with another character. */
  readonly marksOver?: true;
}

export interface PlotColumn {
  /** The label under the column. svc leaves out a label that does not fit. */
  readonly label: string;
  /** The value in minutes. Undefined if the value is unknown or in the future. For a negative value, svc draws nothing. */
  readonly value: number | undefined;
  /** The height of the line at this column, in minutes. Undefined if unknown. */
  readonly line: number | undefined;
}

/** The characters of a plot, for its legend. */
export const PLOT_MARKS = { full: '█', over: '▒', line: '┄' } as const;

/**
 * Draws columns in steps of an eighth of a row, with a scale of hours. Different characters show everything that colours show. If there are
 * too many columns, svc draws the last columns.
 *
 * @param width width of the terminal in characters. The plot without its scale gets at least 8 characters.
 */
export function drawPlot({ columns, marksOver }: Plot, width: number, styles: Styles) {
  const most = Math.max(0, ...columns.flatMap(({ value, line }) => [value ?? 0, line ?? 0])) / 60;
  const step = hoursStep(most);
  const ticks = Math.floor(most / step) + 1;
  const height = ticks * ROWS_A_TICK;
  const unit = (step * 60) / ROWS_A_TICK;
  const axis = Array.from({ length: ticks }, (_, index) => formatDuration(Math.round(index * step * 60)));
  const side = Math.max(...axis.map(textWidth));
  const room = Math.max(8, width - side - 2);
  const slot = SLOTS.find((one) => columns.length * one <= room) ?? 1;
  const shown = columns.slice(-Math.floor(room / slot));
  const thick = Math.max(1, slot - 1);
  const rows = Array.from({ length: height }, (_, index) => {
    const row = height - 1 - index;
    const cells = shown.map((column) => cellsAt(column, row * unit, unit, { thick, slot, marksOver: marksOver === true, styles }));
    const label = row % ROWS_A_TICK === 0 ? (axis[row / ROWS_A_TICK] ?? '') : '';
    return `${styles.dim(`${padToWidth(label, side, 'right')} ${row % ROWS_A_TICK === 0 ? '┤' : '│'}`)}${cells.join('')}`.trimEnd();
  });
  const base = styles.dim(`${' '.repeat(side)} └${'─'.repeat(shown.length * slot)}`);
  const lines = [...rows, base, `${' '.repeat(side + 2)}${labelsBelow(shown, slot)}`.trimEnd()];
  return { text: lines.map((line) => `${line}\n`).join(''), drawn: shown.length };
}

const ROWS_A_TICK = 2;
/** The possible widths of a column including its gap. A width of 1 has no gap. */
const SLOTS = [5, 4, 3, 2, 1] as const;
const EIGHTHS = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

interface CellStyle {
  readonly thick: number;
  readonly slot: number;
  readonly marksOver: boolean;
  readonly styles: Styles;
}

function cellsAt({ value, line }: PlotColumn, from: number, unit: number, { thick, slot, marksOver, styles }: CellStyle): string {
  const isOver = marksOver && line !== undefined && from >= line;
  const exact = Math.round((((value ?? 0) - from) / unit) * 8);
  // Any value above zero gets at least an eighth of a row.
  const eighths = Math.max(from === 0 && (value ?? 0) > 0 ? 1 : 0, Math.min(8, exact));
  const hasLine = line !== undefined && line >= from && line < from + unit;
  const blank = hasLine ? PLOT_MARKS.line : ' ';
  const gap = styles.dim(blank.repeat(slot - thick));
  if (eighths === 0 || (hasLine && eighths < 8 && line >= (value ?? 0))) return styles.dim(blank.repeat(thick)) + gap;
  const mark = isOver ? PLOT_MARKS.over : (EIGHTHS[eighths] ?? '');
  return (isOver ? styles.tones.late : styles.number)(mark.repeat(thick)) + gap;
}

/** Returns the line of labels: the first label, and as many other labels as fit. */
function labelsBelow(columns: readonly PlotColumn[], slot: number): string {
  let text = '';
  for (const [index, { label }] of columns.entries()) {
    const at = index * slot;
    const fits = at + textWidth(label) <= Math.max(columns.length * slot, textWidth(label));
    if (!fits || (text !== '' && at < text.length + 2)) continue;
    text = padToWidth(text, at, 'left') + label;
  }
  return text;
}

/**
 * Returns the number of hours between two lines of a scale from 0 to `most` hours. The number is round. From one hour on, the scale has
 * three to six lines.
 */
export function hoursStep(most: number): number {
  const rough = Math.max(most, 1) / 5;
  const scale = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((factor) => factor * scale >= rough) ?? 10) * scale;
}
