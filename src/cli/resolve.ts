import { UsageError } from '../errors.ts';
import { nearest } from '../values/suggest.ts';
import type { CommandEntry, CommandSpec, Options } from './spec.ts';
import { insteadOfFlag, insteadOfWord } from './tool-aliases.ts';

export interface Resolved<Context> {
  /** The words after `svc` that lead to the command: `['worklogs', 'add']`. */
  readonly path: readonly string[];
  readonly spec: CommandSpec<Context>;
  /** The flags and arguments of the command, and all global flags of the line. */
  readonly args: readonly string[];
  readonly help: boolean;
}

/**
 * Finds the command of a command line, and loads only the specs of its groups and the command. Global flags can stand between the words.
 *
 * @throws UsageError for an unknown word or flag, with a hint.
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
    const entry = findCommandEntry(spec.commands, word) ?? (help ? findTopic(spec.topics ?? [], word) : undefined);
    if (entry === undefined) throw unknownWord(rest, path, spec);
    spec = await entry.load();
    path.push(entry.name);
    rest = rest.slice(1);
  }
  // A help flag directly after the command is not the value of another flag.
  if (rest[0] === '-h' || rest[0] === '--help') help = true;
  return { path, spec, args: [...flags, ...rest], help };
}

/**
 * Returns the index of the first word after the leading flags and their values, if no command has this name. Such a word is an alias or a
 * typing mistake. Undefined for a command, for `help`, after a help flag, and without such a word.
 */
export function strangeWord<Context>(root: CommandSpec<Context>, argv: readonly string[], globals: Options): number | undefined {
  const takesValue = valueFlags(globals);
  let at = 0;
  for (let word = argv[at]; word?.startsWith('-'); word = argv[at]) at += takesValue.get(word) ? 2 : 1;
  const word = argv[at];
  if (word === undefined || word === 'help' || findCommandEntry(root.commands ?? [], word) !== undefined) return undefined;
  return argv.slice(0, at).some((flag) => flag === '-h' || flag === '--help') ? undefined : at;
}

export function findCommandEntry<Context>(entries: readonly CommandEntry<Context>[], word: string): CommandEntry<Context> | undefined {
  return entries.find((entry) => entry.name === word || entry.aliases?.includes(word));
}

function findTopic<Context>(topics: readonly CommandEntry<Context>[], word: string): CommandEntry<Context> | undefined {
  return findCommandEntry(topics, word) ?? findCommandEntry(topics, `${word}s`);
}

function valueFlags(options: Options): Map<string, boolean> {
  const spellings = new Map<string, boolean>();
  for (const { flags } of Object.values(options)) {
    for (const spelling of spellingsOf(flags)) spellings.set(spelling, flags.includes('<'));
  }
  return spellings;
}

/** Splits the definition of a flag into its spellings: `-o, --output <format>` → `-o`, `--output`. */
export function spellingsOf(flags: string): string[] {
  return flags.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [];
}

function unknownWord(
  [word = '', ...rest]: readonly string[],
  path: readonly string[],
  { commands: entries = [], topics = [] }: CommandSpec,
): UsageError {
  const names = entries.filter((entry) => !entry.hidden).flatMap((entry) => [entry.name, ...(entry.aliases ?? [])]);
  const near = nearest(word, names);
  const above = ['svc', ...path].join(' ');
  const what = path.length === 0 ? 'command or resource' : 'command';
  const named = findTopic(topics, word);
  const topic = named && `This word is a topic of help: svc help ${named.name}`;
  const instead = topic ?? insteadOfWord(word, path, rest, (command) => findCommandEntry(entries, command) !== undefined);
  const hint = instead ?? (near === undefined ? `See the commands: ${above} --help` : `Did you mean: ${above} ${near}`);
  return new UsageError(`"${above}" has no ${what} "${word}".`, { hint });
}

/** Returns the error for an unknown flag, or for a value of a flag that takes no value: `--offline=true`. */
export function unknownFlag(word: string, path: readonly string[], options: Options): UsageError {
  const above = ['svc', ...path].join(' ');
  const see = `See: ${above} --help`;
  const [flag = word] = word.split('=', 1);
  const known = Object.values(options).flatMap((option) => spellingsOf(option.flags));
  if (known.includes(flag)) return new UsageError(`${flag} takes no value.`, { hint: see });
  // The dashes are no letters that the user can mistype.
  const near = nearest(
    flag.slice(2),
    known.map((spelling) => spelling.slice(2)),
  );
  const hint = insteadOfFlag(flag) ?? (near ? `Did you mean --${near}? ${see}` : see);
  return new UsageError(`Unknown option ${flag} for "${above}".`, { hint });
}

export interface PlacedCommand {
  readonly path: readonly string[];
  readonly spec: CommandSpec;
}

/** Yields all visible commands of a tree, each group before its commands. Loads the spec of each visible command. */
export async function* walkTree(spec: CommandSpec, path: readonly string[] = []): AsyncGenerator<PlacedCommand> {
  yield { path, spec };
  for (const entry of spec.commands ?? []) {
    if (!entry.hidden) yield* walkTree(await entry.load(), [...path, entry.name]);
  }
}
