import { isPlainLine, plainLine } from '../../values/hidden-characters.ts';

/** A possible word at the cursor. */
export interface Candidate {
  /** The whole word. */
  readonly value: string;
  /** One line that explains the word; can be empty. */
  readonly about: string;
}

/** A record: its key or id, with its name or title. */
export interface KnownRecord extends Candidate {
  /** The whole name of the record, by which svc finds it. */
  readonly name?: string;
}

/** The answer to a shell. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The word can continue, so the shell adds no blank. */
  readonly open?: true;
  /** svc found the candidates by their explanation: they do not begin with the typed word. */
  readonly byAbout?: true;
  /** The candidates begin with the typed word in another letter case: `Web shop` for `web`. */
  readonly anyCase?: true;
  /** The shell completes a path itself, after this many characters of the word. */
  readonly path?: { readonly kind: 'file' | 'directory'; readonly from: number };
}

export const NO_COMPLETION: Completion = { candidates: [] };

/** Candidates without an explanation. */
export function words(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, about: '' }));
}

/** The candidates that begin with the typed text. */
export function startingWith(typed: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(typed));
}

/**
 * A completion as the scripts in completions/ read it. Each candidate is a line: its value, a tab and its explanation. The last line begins
 * with a colon and says how to use the candidates. Candidates with line breaks or control characters are left out.
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

/** The words that can follow a group of commands, for the completion scripts. */
export interface KnownWords {
  /** The words after `svc`: `work-items subtasks`. */
  readonly after: string;
  readonly next: readonly Candidate[];
}
