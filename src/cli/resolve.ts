import { UsageError } from '../errors.ts';
import { nearest } from '../values/suggest.ts';
import { insteadOfFlag, insteadOfWord } from './habits.ts';
import type { CommandEntry, CommandSpec, Options } from './spec.ts';

/** The command that a line names, and what is left of the line. */
export interface Resolved<Context> {
  /** The words that lead to it, without `svc`: `['worklogs', 'add']`. */
  readonly path: readonly string[];
  readonly spec: CommandSpec<Context>;
  /** Flags and arguments for it, global ones included wherever they stood. */
  readonly args: readonly string[];
  /** `-h`, `--help` or `svc help …` stood on the way. */
  readonly help: boolean;
}

/**
 * Walks the tree along a command line, loading only the specs on the way. Global flags may stand between the words.
 *
 * @throws UsageError for a word that names nothing, with the nearest that does.
 */
export async function resolveCommand<Context>(
  root: CommandSpec<Context>,
  argv: readonly string[],
  globals: Options,
): Promise<Resolved<Context>> {
  const takesValue = valueFlags(globals);
  const flags: string[] = [];
  const path: string[] = [];
  let spec = root;
  let help = false;
  let rest = [...argv];
  while (spec.commands !== undefined) {
    const word = rest[0];
    if (word === undefined) break;
    if (word === '-h' || word === '--help' || (word === 'help' && path.length === 0)) {
      help = true;
      rest = rest.slice(1);
      continue;
    }
    if (word.startsWith('-') && word !== '-') {
      const takes = takesValue.get(word.split('=', 1)[0] ?? word);
      if (takes === undefined) throw unknownFlag(word, path, globals);
      const length = takes && !word.includes('=') ? 2 : 1;
      flags.push(...rest.slice(0, length));
      rest = rest.slice(length);
      continue;
    }
    const entry = findCommandEntry(spec.commands, word) ?? (help ? findCommandEntry(spec.topics ?? [], word) : undefined);
    if (entry === undefined) throw unknownWord(word, path, spec);
    spec = await entry.load();
    path.push(entry.name);
    rest = rest.slice(1);
  }
  // Right after the command it is nobody's value, so there is no need to read the rest.
  if (rest[0] === '-h' || rest[0] === '--help') help = true;
  return { path, spec, args: [...flags, ...rest], help };
}

/**
 * Where in a line its first word stands that is no flag, if it names nothing: a word of the person's own, or a slip.
 * Undefined where it names something, or there is none.
 */
export function strangeWord<Context>(root: CommandSpec<Context>, argv: readonly string[], globals: Options): number | undefined {
  const takesValue = valueFlags(globals);
  let at = 0;
  for (let word = argv[at]; word?.startsWith('-'); word = argv[at]) at += takesValue.get(word) ? 2 : 1;
  const word = argv[at];
  if (word === undefined || word === 'help' || findCommandEntry(root.commands ?? [], word) !== undefined) return undefined;
  return argv.slice(0, at).some((flag) => flag === '-h' || flag === '--help') ? undefined : at;
}

/** The entry of a name or alias. */
export function findCommandEntry<Context>(entries: readonly CommandEntry<Context>[], word: string): CommandEntry<Context> | undefined {
  return entries.find((entry) => entry.name === word || entry.aliases?.includes(word));
}

/** Each spelling of each flag, and whether a value follows it. */
function valueFlags(options: Options): Map<string, boolean> {
  const spellings = new Map<string, boolean>();
  for (const { flags } of Object.values(options)) {
    for (const spelling of spellingsOf(flags)) spellings.set(spelling, flags.includes('<'));
  }
  return spellings;
}

/** `-o, --output <format>` → `-o`, `--output`. */
export function spellingsOf(flags: string): string[] {
  return flags.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [];
}

function unknownWord(word: string, path: readonly string[], { commands: entries = [], topics = [] }: CommandSpec): UsageError {
  const names = entries.filter((entry) => !entry.hidden).flatMap((entry) => [entry.name, ...(entry.aliases ?? [])]);
  const near = nearest(word, names);
  const above = ['svc', ...path].join(' ');
  const what = path.length === 0 ? 'command or resource' : 'command';
  const topic = findCommandEntry(topics, word) === undefined ? undefined : `It is a topic of help: svc help ${word}`;
  const instead = topic ?? insteadOfWord(word, path, (command) => findCommandEntry(entries, command) !== undefined);
  const hint = instead ?? (near === undefined ? `See what there is: ${above} --help` : `Did you mean: ${above} ${near}`);
  return new UsageError(`"${word}" is no ${what} of "${above}".`, { hint });
}

function unknownFlag(word: string, path: readonly string[], globals: Options): UsageError {
  const above = ['svc', ...path].join(' ');
  const flag = word.split('=', 1)[0] ?? word;
  const near = nearest(
    flag,
    Object.values(globals).flatMap((option) => spellingsOf(option.flags)),
  );
  return new UsageError(`Unknown option ${flag} for "${above}".`, {
    hint: insteadOfFlag(flag) ?? (near === undefined ? `See: ${above} --help` : `Did you mean ${near}? See: ${above} --help`),
  });
}
