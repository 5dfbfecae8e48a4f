import { OUTPUT_FORMATS } from '../output/format.ts';
import { ownEntry } from '../values/own-entry.ts';

// What people type who come from other tools: the same everywhere, or pointed to what is there instead.

/** Other names of a verb: those of file systems, gh and kubectl. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  get: ['show', 'view'],
  create: ['new'],
  delete: ['rm'],
};

/** The other names of a verb; none for a word that is no such verb. */
export function aliasesOf(verb: string): readonly string[] {
  return ownEntry(VERBS, verb) ?? [];
}

/** Short flags that mean the same on every noun that has the long one. */
const SHORT: Readonly<Record<string, string>> = { user: 'u', project: 'p', date: 'd', minutes: 'm', description: 'n' };

/** A flag as commander reads it, with its short form if it has one: `-u, --user`. */
export function spelled(flag: string): string {
  const short = ownEntry(SHORT, flag);
  return short === undefined ? `--${flag}` : `-${short}, --${flag}`;
}

/** Flags of other tools that svc does not have, and what it has. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['--watch', 'Follow changes: svc changes --follow'],
  ['--follow', 'Follow changes: svc changes --follow'],
  ['--web', 'Projects and work items have a page: svc open ABC-12, svc open project 12'],
  ['--all', 'A list has all rows by default; --limit sets a limit.'],
  ['--format', `Use --output: ${OUTPUT_FORMATS.join(', ')}.`],
  ['--template', 'To shape output, use --jq; for an entry that you log often, svc alias set.'],
  ['--query', 'Use --jq, which is built in, or --filter.'],
  ['--verbose', 'Use --debug.'],
  ['--silent', 'Use --quiet.'],
  ['--force', 'Use --yes, which answers the question before a delete.'],
  ['--confirm', 'Use --yes, which answers the question before a delete.'],
  ['--profile', 'Use --host, which chooses the organisation.'],
  ['--org', 'Use --host, which chooses the organisation.'],
]);

/** What svc has in place of another tool’s flag. */
export function insteadOfFlag(flag: string): string | undefined {
  return FLAGS.get(flag);
}

/** Words of other tools, and what svc has: at the top, and below a noun (`…` stands for it). */
const TOP_WORDS: ReadonlyMap<string, string> = new Map([
  ['log', 'Log hours: svc worklogs add 1h30 ABC-12'],
  ['add', 'Log hours: svc worklogs add 1h30 ABC-12'],
  ['start', 'Start a timer: svc timers start ABC-12'],
  ['stop', 'Stop a timer: svc timers stop'],
  ['list', 'Name a resource: svc work-items list'],
  ['ls', 'Name a resource: svc work-items list'],
  ['search', 'Name a resource: svc work-items list --search <text>'],
  ['watch', 'Follow changes: svc changes --follow'],
]);
const NOUN_WORDS: ReadonlyMap<string, string> = new Map([
  ['describe', 'get'],
  ['find', 'list'],
  ['search', 'list --search <text>'],
  ['add', 'create'],
  ['set', 'update'],
  ['patch', 'update'],
  ['close', 'transition'],
]);

/** What svc has in place of another tool’s word; `has`: whether there is such a command at that place. */
export function insteadOfWord(word: string, path: readonly string[], has: (command: string) => boolean): string | undefined {
  if (path.length === 0) return TOP_WORDS.get(word);
  const instead = NOUN_WORDS.get(word);
  const [command = ''] = instead?.split(' ') ?? [];
  return instead !== undefined && has(command) ? `Use: ${['svc', ...path].join(' ')} ${instead}` : undefined;
}
