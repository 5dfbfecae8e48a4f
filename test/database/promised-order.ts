// The order of an offline list as docs/explanation/local-database.md promises it, independent of the code in src.

type Row = Readonly<Record<string, unknown>>;

/** Returns true if rows have the order of `--sort` in a command line. Default: absences by start, newest first, and other records by id. */
export function isInOrder(rows: readonly Row[], line: string): boolean {
  const sort = /--sort (\S+)/.exec(line)?.[1] ?? (line.startsWith('absences ') ? '-start' : 'id');
  return rows.every((row, at) => at === 0 || compare(rows[at - 1] ?? {}, row, sort) < 0);
}

/**
 * Compares two rows. Rows without a value come last. Equal rows follow the id, in the direction of the first field. Strings ignore letter
 * case, and decimals compare as numbers.
 */
function compare(one: Row, other: Row, sort: string): number {
  const keys = sort.split(',').map((key) => ({ name: key.replace('-', ''), sign: key.startsWith('-') ? -1 : 1 }));
  for (const { name, sign } of [...keys, { name: 'id', sign: keys[0]?.sign ?? 1 }]) {
    const [a, b] = [one[name] ?? null, other[name] ?? null];
    if (a === null || b === null) {
      if (a !== b) return a === null ? 1 : -1;
    } else if (comparable(a) !== comparable(b)) return comparable(a) < comparable(b) ? -sign : sign;
  }
  return 0;
}

function comparable(value: unknown): string | number {
  if (typeof value !== 'string') return Number(value);
  if (/^-?\d+\.\d+$/.test(value)) return Number(value);
  return value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
