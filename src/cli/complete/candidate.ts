import { isPlainLine, plainLine } from '../../values/hidden-characters.ts';

/** Something that may stand where the cursor is. */
export interface Candidate {
  /** The whole word. */
  readonly value: string;
  /** One line about it; empty when there is nothing to say. */
  readonly about: string;
}

/** A record: its key or id, and what it is. */
export interface KnownRecord extends Candidate {
  /** What it is found by when it is typed: exactly its name. */
  readonly name?: string;
}

/** What a shell is told. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** More may follow in the same word, so the shell adds no blank. */
  readonly open?: true;
  /** The candidates were found by what is said about them: they do not begin with the word. */
  readonly byAbout?: true;
  /** They begin with the word in other letters: `Web shop` for `web`. */
  readonly anyCase?: true;
  /** The shell completes a path itself, from this many characters into the word on. */
  readonly path?: { readonly kind: 'file' | 'directory'; readonly from: number };
}

/** Nothing fits. */
export const NO_COMPLETION: Completion = { candidates: [] };

/** Candidates of bare words. */
export function words(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, about: '' }));
}

/** Those that begin with what is typed. */
export function startingWith(typed: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(typed));
}

/**
 * As the scripts in completions/ read it: a line for each candidate, its value and what is said about it with a tab
 * between, and last a line that begins with a colon and says how to use them. Candidates that would break a line or reach
 * the terminal as anything but text are left out.
 */
export function completionLines({ candidates, open, byAbout, anyCase, path }: Completion): string {
  const safe = candidates.filter(({ value }) => value !== '' && isPlainLine(value));
  const lines = safe.map(({ value, about }) => `${value}\t${plainLine(about, Number.POSITIVE_INFINITY)}`);
  const how = [
    ...(open ? ['open'] : []),
    ...(byAbout ? ['by-about'] : []),
    ...(anyCase ? ['any-case'] : []),
    ...(path ? [`${path.kind}=${path.from}`] : []),
  ];
  return `${[...lines, `:${how.join(' ')}`].join('\n')}\n`;
}
