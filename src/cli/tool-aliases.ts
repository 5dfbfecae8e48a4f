import { OUTPUT_FORMATS } from '../output/format.ts';
import { ownEntry } from '../values/json.ts';
import { shellWord } from './shell-word.ts';

/** Aliases of verbs, known from file systems, gh and kubectl. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  get: ['show', 'view'],
  create: ['new'],
  delete: ['rm'],
};

export function aliasesOf(verb: string): readonly string[] {
  return ownEntry(VERBS, verb) ?? [];
}

/** Short flags. Each letter means the same for every resource that has the long flag. */
const SHORT: Readonly<Record<string, string>> = { user: 'u', project: 'p', date: 'd', minutes: 'm', description: 'n' };

export function spelled(flag: string): string {
  const short = ownEntry(SHORT, flag);
  return short === undefined ? `--${flag}` : `-${short}, --${flag}`;
}

const FLAGS: ReadonlyMap<string, string> = new Map([
  ['--watch', 'Follow changes: svc changes --follow'],
  ['--follow', 'Follow changes: svc changes --follow'],
  ['--web', 'Projects and work items have a page: svc open ABC-12, svc open project 12'],
  ['--all', 'A list shows all rows by default; --limit sets a limit.'],
  ['--format', `Use --output: ${OUTPUT_FORMATS.join(', ')}.`],
  ['--template', 'To shape output, use --jq. For an entry that you log often, use svc alias set.'],
  ['--query', 'Use --jq, which is built in, or --filter.'],
  ['--verbose', 'Use --debug.'],
  ['--silent', 'Use --quiet.'],
  ['--force', 'Use --yes, which answers yes to the question before a delete.'],
  ['--confirm', 'Use --yes, which answers yes to the question before a delete.'],
  ['--profile', 'Use --host, which chooses the organisation.'],
  ['--org', 'Use --host, which chooses the organisation.'],
]);

export function insteadOfFlag(flag: string): string | undefined {
  return FLAGS.get(flag);
}

/**
 * Suggestions for words from other tools. `TOP_WORDS` are for words after `svc`, and `RESOURCE_WORDS` for words after a resource. `…` means
 * the arguments.
 */
const TOP_WORDS: ReadonlyMap<string, string> = new Map([
  ['log', 'Log hours: svc worklogs add 1h30 ABC-12'],
  ['add', 'Log hours: svc worklogs add 1h30 ABC-12'],
  ['start', 'Start a timer: svc timers start ABC-12'],
  ['stop', 'Stop a timer: svc timers stop'],
  ['list', 'Name a resource: svc work-items list'],
  ['ls', 'Name a resource: svc work-items list'],
  ['watch', 'Follow changes: svc changes --follow'],
]);
const RESOURCE_WORDS: ReadonlyMap<string, string> = new Map([
  ['describe', 'get …'],
  ['find', 'list'],
  ['search', 'list --search <string>'],
  ['add', 'create …'],
  ['set', 'update …'],
  ['patch', 'update …'],
  ['close', 'transition … --to <status>'],
]);

/**
 * Returns a hint for a word from another tool, such as `Use: svc work-items get 12`. Undefined if no command fits.
 *
 * @param rest The words after the verb.
 * @param has Returns true if the group at `path` has the given command.
 */
export function insteadOfWord(
  word: string,
  path: readonly string[],
  rest: readonly string[],
  has: (command: string) => boolean,
): string | undefined {
  if (path.length === 0) return TOP_WORDS.get(word);
  const instead = RESOURCE_WORDS.get(word);
  const [command = ''] = instead?.split(' ') ?? [];
  if (instead === undefined || !has(command)) return undefined;
  const above = ['svc', ...path].join(' ');
  if (instead.includes('…') && rest.length === 0) return `See: ${above} ${command} --help`;
  return `Use: ${above} ${instead.replace('…', () => rest.map(shellWord).join(' '))}`;
}
