import Table from 'cli-table3';
import type { Style } from './styles.ts';
import { textWidth, wrapToWidth } from './text-width.ts';

/** A column of a table for people. */
export interface GridColumn {
  readonly align: 'left' | 'right';
  /** Columns of the terminal. */
  readonly width: number;
}

/** A cell; its text is harmless already. */
export interface GridCell {
  readonly text: string;
  readonly style?: Style | undefined;
  /** How many columns it takes. Default: 1. */
  readonly span?: number;
  /** Default: as its column. */
  readonly align?: GridColumn['align'];
}

export interface GridOptions {
  /** Blanks between two columns. Default: {@link GAP}. */
  readonly gap?: number;
  /** As many lines as a text that is too long for its column may take; what is left is cut, and ends in `…`. Undefined: all of it. */
  readonly lines?: number | undefined;
}

/** Blanks between two columns. */
export const GAP = 2;

/**
 * Draws the rows of a table without a frame, one at a time, so that they can be streamed. The only place where cli-table3 is used.
 *
 * @param lines Undefined: nothing is wrapped or cut, and a row with a wider cell is wider itself.
 */
export function gridDrawer(columns: readonly GridColumn[], { gap = GAP, lines }: GridOptions = {}): (cells: readonly GridCell[]) => string {
  const colAligns = columns.map(({ align }) => align);
  return (cells) => {
    const widths = columns.map(({ width }) => width);
    let at = 0;
    const row = cells.map(({ text, style, span = 1, align = columns[at]?.align }) => {
      const width = widthOf(widths.slice(at, at + span), gap);
      const parts = lines === undefined ? text.split('\n') : wrapToWidth(text, width, lines);
      // The last column of those that it takes makes room.
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

/** How wide columns are side by side. */
export function widthOf(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, width) => sum + width + gap, -gap);
}

/** cli-table3 counts one column between two cells; the others are padding. */
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
 * cli-table3 measures text as terminals showed it in 2020. It is given letters of private use, one a column, for any text but ASCII, and the
 * texts stand in their places at the end: line by line, as they are drawn.
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

const ASCII = /^[ -~]*$/;
const FIRST = '\ue000';
const NEXT = '\ue001';
const STAND_IN = /\ue000\ue001*/g;

/** What a column would like to have. */
export interface ColumnNeed {
  /** Columns of the terminal that its widest cell takes. */
  readonly natural: number;
  /** A number, a date and the like: cut only when nothing else helps. */
  readonly whole: boolean;
}

/**
 * Divides the width of a terminal: the widest columns give first, down to {@link READABLE}; then also those that should stay whole. When even
 * that is not enough they are wider than the terminal, since a column of a letter or two tells nothing.
 *
 * @param gap blanks between two columns.
 */
export function fitColumns(needs: readonly ColumnNeed[], total: number, gap: number): number[] {
  const room = total - gap * Math.max(0, needs.length - 1);
  const widths = shrink(
    needs.map((need) => need.natural),
    (index) => needs[index]?.whole === false,
    room,
  );
  return shrink(widths, () => true, room);
}

/** The least a column is shrunk to. */
const READABLE = 6;

/** Lowers the columns that may shrink to one common width, the largest that fits. */
function shrink(widths: readonly number[], may: (index: number) => boolean, room: number): number[] {
  const under = (cap: number) => widths.map((width, index) => (may(index) ? Math.min(width, cap) : width));
  let cap = Math.max(READABLE, ...widths);
  while (cap > READABLE && widthOf(under(cap), 0) > room) cap--;
  const fitted = under(cap);
  let spare = room - widthOf(fitted, 0);
  // What is left of the division goes to the first columns that are still short.
  return fitted.map((width, index) => (spare > 0 && width < (widths[index] ?? 0) && spare-- > 0 ? width + 1 : width));
}
