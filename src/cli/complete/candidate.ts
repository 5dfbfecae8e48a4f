import { isPlainLine, plainLine } from '../../values/hidden-characters.ts';

export interface Candidate {
  /** The whole word, including the part that the user typed. */
  readonly value: string;
  readonly about: string;
}

export interface KnownRecord extends Candidate {
  /** The full name of the record. svc accepts this name instead of the id. */
  readonly name?: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** True if the word can continue after the candidate. The shell then adds no space. */
  readonly open?: true;
  /** True if svc matched the typed word against `about`. The candidates then do not begin with the typed word. */
  readonly byAbout?: true;
  /** True if the candidates begin with the typed word in another letter case: `Web shop` for `web`. */
  readonly anyCase?: true;
  /** The kind of path that the shell completes by itself. The path begins `from` characters after the start of the word. */
  readonly path?: { readonly kind: 'file' | 'directory'; readonly from: number };
}

export const NO_COMPLETION: Completion = { candidates: [] };

export function words(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, about: '' }));
}

export function startingWith(typed: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(typed));
}

/**
 * Returns a line for each candidate without hidden characters: value, tab, explanation. The last line begins with a colon, and lists the
 * options for inserting a candidate.
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

/** The words that can follow a group of commands. The completion scripts contain these words, so the scripts need not start svc. */
export interface KnownWords {
  /** The words between `svc` and the candidates: `work-items subtasks`. */
  readonly after: string;
  readonly next: readonly Candidate[];
}
