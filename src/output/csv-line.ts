/** A line of CSV (RFC 4180 §2, but with `\n`). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\n`;
}

/**
 * A cell as it stands in a line. Semicolons and tabs are quoted too: a spreadsheet of another locale splits cells there, and a formula
 * behind one would be defused no more.
 */
export function quoteCell(cell: string): string {
  return SPECIAL.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const SPECIAL = /[",;\t\r\n]/;
