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
  while (cap > READABLE && sum(under(cap)) > room) cap--;
  const fitted = under(cap);
  let spare = room - sum(fitted);
  // What is left of the division goes to the first columns that are still short.
  return fitted.map((width, index) => (spare > 0 && width < (widths[index] ?? 0) && spare-- > 0 ? width + 1 : width));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
