import { randomOf } from '../support/random.ts';

/** The options, each with its values. The first value is the default. */
export type Options = Readonly<Record<string, readonly unknown[]>>;

/** A value for each option. */
export type OptionValues<T extends Options> = { readonly [K in keyof T]: T[K][number] };

/** The number of attempts to fill a row. The attempt with the most new pairs counts. */
const TRIES = 12;

/**
 * Returns rows in which each value of an option occurs with each value of every other option. The first row has the defaults. The same
 * options and seed give the same rows.
 */
export function allPairs<const T extends Options>(options: T, seed = 1): readonly OptionValues<T>[] {
  const names = Object.keys(options);
  const sizes = names.map((name) => options[name]?.length ?? 0);
  const open = openPairs(sizes);
  const random = randomOf(seed);
  const rows: number[][] = [];
  for (let row: number[] | undefined = sizes.map(() => 0); row !== undefined; row = nextRow(sizes, open, random)) {
    rows.push(row);
    for (const pair of pairsOf(row)) open.delete(pair);
  }
  return rows.map((row) => Object.fromEntries(names.map((name, option) => [name, options[name]?.[row[option] ?? 0]])) as OptionValues<T>);
}

/** Returns a pair as a number. Values and options stay below 128. */
function pairOf(axisA: number, a: number, axisB: number, b: number): number {
  return ((axisA * 128 + a) * 128 + axisB) * 128 + b;
}

function openPairs(sizes: readonly number[]): Set<number> {
  const open = new Set<number>();
  for (const [axisA, sizeA] of sizes.entries())
    for (let axisB = axisA + 1; axisB < sizes.length; axisB++)
      for (let a = 0; a < sizeA; a++) for (let b = 0; b < (sizes[axisB] ?? 0); b++) open.add(pairOf(axisA, a, axisB, b));
  return open;
}

function pairsOf(row: readonly number[]): number[] {
  return row.flatMap((a, axisA) => row.slice(axisA + 1).map((b, further) => pairOf(axisA, a, axisA + 1 + further, b)));
}

/** Returns the best of some rows that start with a missing pair. Undefined if no pair is missing. */
function nextRow(sizes: readonly number[], open: ReadonlySet<number>, random: () => number): number[] | undefined {
  const [first] = open;
  if (first === undefined) return undefined;
  const rows = Array.from({ length: TRIES }, () => fillRow(sizes, open, first, random));
  return rows.reduce((best, row) => (row.fresh > best.fresh ? row : best)).row;
}

function fillRow(
  sizes: readonly number[],
  open: ReadonlySet<number>,
  first: number,
  random: () => number,
): { row: number[]; fresh: number } {
  const row: (number | undefined)[] = sizes.map(() => undefined);
  row[Math.floor(first / 128 ** 3)] = Math.floor(first / 128 ** 2) % 128;
  row[Math.floor(first / 128) % 128] = first % 128;
  const options = sizes.map((_, option) => ({ option, order: random() })).sort((a, b) => a.order - b.order);
  let fresh = 1;
  for (const { option } of options) {
    if (row[option] !== undefined) continue;
    const gains = Array.from({ length: sizes[option] ?? 0 }, (_, position) => ({
      position,
      gain: row.filter(
        (other, at) =>
          other !== undefined && open.has(at < option ? pairOf(at, other, option, position) : pairOf(option, position, at, other)),
      ).length,
      order: random(),
    }));
    const best = gains.reduce((most, one) => ((one.gain - most.gain || one.order - most.order) > 0 ? one : most));
    row[option] = best.position;
    fresh += best.gain;
  }
  return { row: row.map((position) => position ?? 0), fresh };
}
