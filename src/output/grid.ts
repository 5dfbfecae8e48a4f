/** Blanks between two columns. */
export const GAP = 2;

const BLANKS = ' '.repeat(GAP);

/** A line of a table without a frame: its cells, padded already, side by side. */
export function joinCells(cells: readonly string[]): string {
  return `${cells.join(BLANKS).trimEnd()}\n`;
}
