import type { CommandSpec } from '../../spec.ts';
import { walkTree } from '../../tree.ts';
import type { Candidate } from '../candidate.ts';
import { commandCandidates } from '../complete.ts';

/** What may follow the words that lead to a group of commands. */
export interface KnownWords {
  /** The words after `svc`: `work-items subtasks`. */
  readonly after: string;
  readonly next: readonly Candidate[];
}

/**
 * The part of completion that never changes while svc does not: nouns, verbs and commands. A script holds it, so that the
 * commonest Tab starts no svc at all.
 */
export async function knownWords(root: CommandSpec): Promise<readonly KnownWords[]> {
  const known: KnownWords[] = [];
  for await (const { path, spec } of walkTree(root)) {
    if (spec.commands !== undefined) known.push({ after: path.join(' '), next: commandCandidates(spec.commands, path.length === 0, '') });
  }
  return known;
}

/** A text between single quotes, for bash and zsh. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
