import Table from 'cli-table3';
import type { Style } from './styles.ts';
import { textWidth, wrapToWidth } from './text-width.ts';

/** A column of a table for people. */
export interface GridColumn {
  readonly align: 'left' | 'right';
  /** Columns of the terminal. */
  readonly width: number;
}

/** A cell with a harmless text. */
export interface GridCell {
  readonly text: string;
  readonly style?: Style | undefined;
  /** The number of columns that it spans (default: 1). */
  readonly span?: number;
  /** The alignment (default: that of its column). */
  readonly align?: GridColumn['align'];
}

export interface GridOptions {
  /** Blanks between two columns (default: {@link GAP}). */
  readonly gap?: number;
  /** The most lines of a text that is too long for its column; the rest is cut with `…`. Undefined: no limit. */
  readonly lines?: number | undefined;
}

/** Blanks between two columns. */
export const GAP = 2;

/**
 * Draws rows of a table without a frame, one at a time for streaming. Only this function uses cli-table3.
 *
 * @param lines undefined: nothing is wrapped or cut, and a wider cell makes its row wider.
 */
export function gridDrawer(columns: readonly GridColumn[], { gap = GAP, lines }: GridOptions = {}): (cells: readonly GridCell[]) => string {
  const colAligns = columns.map(({ align }) => align);
  return (cells) => {
    const widths = columns.map(({ width }) => width);
    let at = 0;
    const row = cells.map(({ text, style, span = 1, align = columns[at]?.align }) => {
      const width = widthOf(widths.slice(at, at + span), gap);
      const parts = lines === undefined ? text.split('\n') : wrapToWidth(withPlainEmoji(text), width, lines);
      // The last spanned column gets the additional width.
      const more = Math.max(0, ...parts.map(textWidth)) - width;
      if (more > 0) widths[at + span - 1] = (widths[at + span - 1] ?? 0) + more;
      at += span;
      return { parts, style, span, align };
    });
    const { standIn, restore } = standIns(row.map(({ parts }) => parts));
    const table = new Table({
      chars: { ...CHARS, middle: gap === 0 ? '' : ' ' },
      colWidths: widths.map((width) => width + paddingOf(gap)),
      colAligns,
      style: styleOf(gap),
    });
    table.push(
      row.map(({ parts, style, span, align }) => ({
        content: parts.map((part) => (style === undefined || part === '' ? standIn(part) : style(standIn(part)))).join('\n'),
        colSpan: span,
        hAlign: align ?? 'left',
      })),
    );
    return restore(table.toString()).replace(/ +$/gm, '').concat('\n');
  };
}

/** Returns the width of columns with their gaps. */
export function widthOf(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, width) => sum + width + gap, -gap);
}

/** Blanks to pad: cli-table3 counts one column between cells itself. */
function paddingOf(gap: number): number {
  return Math.max(0, gap - 1);
}

function styleOf(gap: number) {
  return { 'padding-left': 0, 'padding-right': paddingOf(gap), compact: true, head: [], border: [] };
}

const CHARS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
};

/**
 * Makes placeholders for all texts but ASCII, since cli-table3 measures text as terminals did in 2020. A placeholder has a private letter
 * for each column. The texts replace them line by line.
 */
function standIns(cells: readonly (readonly string[])[]) {
  const height = Math.max(0, ...cells.map((parts) => parts.length));
  const texts = Array.from({ length: height }, (_, line) => cells.flatMap((parts) => parts[line] ?? [])).flat();
  const special = texts.filter((text) => !ASCII.test(text) && textWidth(text) > 0);
  return {
    standIn(text: string) {
      const width = ASCII.test(text) ? -1 : textWidth(text);
      return width < 0 ? text : width === 0 ? '' : FIRST + NEXT.repeat(width - 1);
    },
    restore: (drawn: string) => (special.length === 0 ? drawn : drawn.replace(STAND_IN, () => special.shift() ?? '')),
  };
}

/** An emoji of several code points keeps the first: terminals disagree about the width of the others. */
function withPlainEmoji(text: string): string {
  return ASCII.test(text) ? text : text.replace(LONG_EMOJI, '$1');
}

const LONG_EMOJI =
  /(\p{Extended_Pictographic}|[0-9#*](?=\ufe0f?\u20e3))(?:[\ufe0f\u20e3]|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic})+/gu;
const ASCII = /^[ -~]*$/;
const FIRST = '\ue000';
const NEXT = '\ue001';
const STAND_IN = /\ue000\ue001*/g;

/** The wanted width of a column. */
export interface ColumnNeed {
  /** The width of its widest cell. */
  readonly natural: number;
  /** Whether to shrink the column last, such as numbers and dates. */
  readonly whole: boolean;
  /** Whether other texts shrink before it does. */
  readonly main?: boolean;
}

/**
 * Fits columns into a width. The widest texts shrink first, in turn with the main one, as {@link LEAST} says; then all texts down to
 * {@link READABLE}, then those with `whole`. If they still do not fit, they stay wider than the terminal.
 *
 * @param gap blanks between two columns.
 */
export function fitColumns(needs: readonly ColumnNeed[], total: number, gap: number): number[] {
  const room = total - gap * Math.max(0, needs.length - 1);
  const isText = (index: number) => needs[index]?.whole === false;
  const isMain = (index: number) => needs[index]?.main === true;
  let widths = needs.map((need) => need.natural);
  for (const { others, main } of LEAST) {
    widths = shrink(widths, (index) => isText(index) && !isMain(index), room, others);
    widths = shrink(widths, isMain, room, main);
  }
  return shrink(shrink(widths, isText, room, READABLE), () => true, room, READABLE);
}

/** The least widths of texts and of the main column, in the order in which they shrink. */
const LEAST = [
  { others: 16, main: 24 },
  { others: 11, main: 20 },
  { others: 8, main: 8 },
] as const;
/** The least width when nothing else fits. */
const READABLE = 6;

/** Shrinks columns to a common width, the largest that fits. */
function shrink(widths: readonly number[], may: (index: number) => boolean, room: number, least: number): number[] {
  const under = (cap: number) => widths.map((width, index) => (may(index) ? Math.min(width, cap) : width));
  let cap = Math.max(least, ...widths);
  while (cap > least && widthOf(under(cap), 0) > room) cap--;
  const fitted = under(cap);
  let spare = room - widthOf(fitted, 0);
  // The first shrunk columns get the remainder.
  return fitted.map((width, index) => (spare > 0 && width < (widths[index] ?? 0) && spare-- > 0 ? width + 1 : width));
}
