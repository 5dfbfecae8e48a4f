import { foldText, WITHOUT_SPACES } from './fold-text.ts';

/**
 * Finds the candidate that a mistyped word most likely means: the candidate with the fewest typing errors. An error is a missing, added or
 * replaced letter, or two swapped letters. Letter case does not count. Undefined if no candidate is similar enough. Returns the first
 * candidate if several have equally few errors.
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

/** Adds a question about the nearest known word before a hint: `Did you mean ndjson? Allowed: csv, ndjson.` */
export function didYouMean(typed: string, known: readonly string[], hint: string): string {
  const near = nearest(typed, known);
  return near === undefined ? hint : `Did you mean ${near}? ${hint}`;
}

function tolerance(word: string): number {
  if (word.length <= 1) return 0;
  if (word.length <= 5) return 1;
  return word.length <= 8 ? 2 : 3;
}

/**
 * Returns the Damerau–Levenshtein distance (optimal string alignment). Returns `limit` at once if the lengths already differ by `limit` or
 * more.
 */
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

/** The position of a typed text in a name: whole words, the start of a word, or within a word. */
export type PartOfName = 'words' | 'beginning' | 'within';

/**
 * Finds a typed text of at least three letters or digits (two in scripts without spaces) in a name. Ignores case and accents. Undefined for
 * a shorter text, or without a match.
 */
export function partOfName(typed: string, name: string): PartOfName | undefined {
  const part = foldText(oneLine(typed));
  const least = LETTER_WITHOUT_SPACES.test(part) ? 2 : 3;
  if ((part.match(LETTERS)?.length ?? 0) < least) return undefined;
  const whole = foldText(oneLine(name));
  let found: PartOfName | undefined;
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    const begins = !LETTER_BEFORE.test(whole.slice(0, at));
    if (begins && !LETTER_AFTER.test(whole.slice(at + part.length))) return 'words';
    if (begins) found = 'beginning';
    found ??= 'within';
  }
  return found;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

const LETTERS = /[\p{L}\p{N}]/gu;
const LETTER_BEFORE = /[\p{L}\p{N}\p{M}]$/u;
const LETTER_AFTER = /^[\p{L}\p{N}\p{M}]/u;
const LETTER_WITHOUT_SPACES = new RegExp(`[${WITHOUT_SPACES}]`, 'v');
