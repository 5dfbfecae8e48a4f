/**
 * Finds the candidate that a mistyped word most likely means: the one with the fewest typing errors. An error is a letter left out, added,
 * replaced, or two swapped. Case does not count. Undefined if none is near enough; of equals, the first.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase();
  let best: string | undefined;
  let least = tolerance(typed) + 1;
  for (const candidate of candidates) {
    const slips = distance(typed, candidate.toLowerCase(), least);
    if (slips < least) {
      best = candidate;
      least = slips;
    }
  }
  return best;
}

/** Returns how many errors are likely in one word: one in five letters, three in a long word. */
function tolerance(word: string): number {
  if (word.length <= 1) return 0;
  if (word.length <= 5) return 1;
  return word.length <= 8 ? 2 : 3;
}

/** Damerau–Levenshtein (optimal string alignment); it stops early at `limit` and returns `limit`. */
function distance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
