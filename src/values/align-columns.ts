/** Returns rows as lines of text, with all texts of a column padded to the same width. Two spaces separate the columns. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '));
}
