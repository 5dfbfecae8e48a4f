import Table from 'cli-table3';
import type { Style } from './styles.ts';
import { textWidth, wrapToWidth } from './text-width.ts';

export interface GridColumn {
  /** Default: left. */
  readonly align?: 'left' | 'right';
  readonly width: number;
}

export interface GridCell {
  readonly text: string;
  readonly style?: Style | undefined;
  readonly span?: number;
  readonly align?: GridColumn['align'];
}

export const GAP = 2;

/**
 * Returns a function that draws one row of a table without borders. Only this function uses cli-table3.
 *
 * @param gap number of blanks between two columns.
 * @param lines most lines for a text that is too long for its column. svc shortens the rest with `…`. Undefined to wrap and shorten nothing.
 *   A wide cell then makes its row wider.
 */
export function gridDrawer(
  columns: readonly GridColumn[],
  { gap = GAP, lines }: { readonly gap?: number; readonly lines?: number | undefined } = {},
): (cells: readonly GridCell[]) => string {
  const colAligns = columns.map(({ align = 'left' }) => align);
  return (cells) => {
    const widths = columns.map(({ width }) => width);
    let at = 0;
    const row = cells.map(({ text, style, span = 1, align = colAligns[at] ?? 'left' }) => {
      const width = widthOf(widths.slice(at, at + span), gap);
      const parts = lines === undefined ? text.split('\n') : wrapToWidth(withPlainEmoji(text), width, lines);
      // A cell that is too wide makes the last of its columns wider.
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
      style: { 'padding-left': 0, 'padding-right': paddingOf(gap), compact: true, head: [], border: [] },
    });
    table.push(
      row.map(({ parts, style, span, align }) => ({
        content: parts.map((part) => (style === undefined || part === '' ? standIn(part) : style(standIn(part)))).join('\n'),
        colSpan: span,
        hAlign: align,
      })),
    );
    return restore(table.toString()).replace(/ +$/gm, '').concat('\n');
  };
}

export function widthOf(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, width) => sum + width + gap, -gap);
}

function paddingOf(gap: number): number {
  return Math.max(0, gap - 1);
}

const CHARS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
};

/**
 * Replaces texts with placeholders, because cli-table3 measures only ASCII correctly. A placeholder has one private character per column.
 * `restore` puts the texts back.
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

/** Reduces an emoji of several code points to the first code point. Terminals disagree about the width of the whole emoji. */
function withPlainEmoji(text: string): string {
  return ASCII.test(text) ? text : text.replace(LONG_EMOJI, '$1');
}

const LONG_EMOJI =
  /(\p{Extended_Pictographic}|[0-9#*](?=\ufe0f?\u20e3))(?:[\ufe0f\u20e3]|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic})+/gu;
const ASCII = /^[ -~]*$/;
const FIRST = '\ue000';
const NEXT = '\ue001';
const STAND_IN = /\ue000\ue001*/g;

/** The preferred width of a column, and how far the column can shrink. */
export interface ColumnNeed {
  readonly natural: number;
  /** True for a column that shrinks last, such as numbers and dates. */
  readonly whole: boolean;
  readonly main?: boolean;
}

/**
 * Reduces the widths of columns to fit a total width. The widest texts shrink first, in steps together with the main column ({@link
 * LEAST}). Then all texts shrink to {@link READABLE}, then the columns with `whole`. If the columns still do not fit, they stay wider than
 * the terminal.
 *
 * @param gap number of blanks between two columns.
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

/** The smallest widths of the main column and of other texts, for each step of shrinking. */
const LEAST = [
  { others: 16, main: 24 },
  { others: 11, main: 20 },
  { others: 8, main: 8 },
] as const;
const READABLE = 6;

function shrink(widths: readonly number[], may: (index: number) => boolean, room: number, least: number): number[] {
  const under = (cap: number) => widths.map((width, index) => (may(index) ? Math.min(width, cap) : width));
  let cap = Math.max(least, ...widths);
  while (cap > least && widthOf(under(cap), 0) > room) cap--;
  const fitted = under(cap);
  let spare = room - widthOf(fitted, 0);
  // The columns that shrank get the remaining width, one character each, from the first of these columns on.
  return fitted.map((width, index) => (spare > 0 && width < (widths[index] ?? 0) && spare-- > 0 ? width + 1 : width));
}
