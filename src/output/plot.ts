import { formatDuration } from '../values/duration.ts';
import { hoursStep } from './hours-step.ts';
import type { Styles } from './styles.ts';
import { padToWidth, textWidth } from './text-width.ts';

/** Columns over time, with a line through them, for a terminal; all in minutes. */
export interface Plot {
  readonly columns: readonly PlotColumn[];
  /** What is above the line in a column is drawn apart from what is below it. */
  readonly marksOver?: true;
}

export interface PlotColumn {
  /** What stands below it, where there is room. */
  readonly label: string;
  /** Undefined: not known, or not yet. Nothing is drawn below zero. */
  readonly value: number | undefined;
  /** The height of the line here. */
  readonly line: number | undefined;
}

/** The marks of a plot, for what explains them. */
export const PLOT_MARKS = { full: '█', over: '▒', line: '┄' } as const;

/**
 * Draws columns in eighths of a line, with hours at the side; marks tell apart what colours do. Of more columns than there is room for, the
 * last are drawn.
 *
 * @param width Columns of the terminal, 40 at the least.
 */
export function drawPlot({ columns, marksOver }: Plot, width: number, styles: Styles): DrawnPlot {
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

export interface DrawnPlot {
  readonly text: string;
  /** How many of the columns there was room for. */
  readonly drawn: number;
}

const ROWS_A_TICK = 2;
/** Of a column with the gap after it, the widest that fits; a single blank is a column without a gap. */
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
  // Anything at all can be seen.
  const eighths = Math.max(from === 0 && (value ?? 0) > 0 ? 1 : 0, Math.min(8, exact));
  const hasLine = line !== undefined && line >= from && line < from + unit;
  const blank = hasLine ? PLOT_MARKS.line : ' ';
  const gap = styles.dim(blank.repeat(slot - thick));
  if (eighths === 0 || (hasLine && eighths < 8 && line >= (value ?? 0))) return styles.dim(blank.repeat(thick)) + gap;
  const mark = isOver ? PLOT_MARKS.over : (EIGHTHS[eighths] ?? '');
  return (isOver ? styles.tones.late : styles.number)(mark.repeat(thick)) + gap;
}

/** As many labels as there is room for, none touching the next; the first is always there. */
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
