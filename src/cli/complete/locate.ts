import { findCommandEntry, spellingsOf } from '../resolve.ts';
import type { ArgSpec, CommandSpec, OptionSpec, Options } from '../spec.ts';

/** Where in the tree the cursor stands, and what may stand there. */
export type Spot =
  /** The value of a flag; `before` is what of the word is not it: `--output=`. */
  | {
      readonly is: 'value';
      readonly spec: CommandSpec;
      readonly option: OptionSpec;
      readonly before: string;
      /** The arguments that were typed before it. */
      readonly args: readonly string[];
    }
  | { readonly is: 'flag'; readonly spec: CommandSpec; readonly options: readonly OptionSpec[] }
  /** `helping`: after `svc help`, where its topics stand too. */
  | { readonly is: 'command'; readonly spec: CommandSpec; readonly top: boolean; readonly helping: boolean }
  | { readonly is: 'argument'; readonly spec: CommandSpec; readonly arg: ArgSpec };

/**
 * Walks the tree along the words of an unfinished line, as the parser would, but forgiving: what stands on the way may be
 * wrong without being complained about.
 *
 * @param typed The words after `svc` up to the cursor; the last is the one to complete, perhaps empty.
 * @returns undefined where nothing can stand, or nobody can know.
 */
export async function locate(root: CommandSpec, globals: Options, typed: readonly string[]): Promise<Spot | undefined> {
  const current = typed.at(-1) ?? '';
  let spec = root;
  let top = true;
  let helping = false;
  const typedArgs: string[] = [];
  let onlyArguments = false;
  let waiting: OptionSpec | undefined;
  const given = new Set<OptionSpec>();
  for (const word of typed.slice(0, -1)) {
    if (waiting !== undefined) waiting = undefined;
    else if (!onlyArguments && word === '--') onlyArguments = true;
    else if (!onlyArguments && isFlag(word)) {
      const option = findOption(optionsOf(spec, globals), word);
      if (option === undefined) continue;
      if (!option.repeatable) given.add(option);
      if (takesValue(option) && !hasValue(word)) waiting = option;
    } else if (spec.commands !== undefined) {
      if (top && word === 'help') {
        helping = true;
        continue;
      }
      const entry = findCommandEntry(spec.commands, word);
      if (entry === undefined) return undefined;
      spec = await entry.load();
      top = false;
      helping = false;
    } else typedArgs.push(word);
  }
  if (waiting !== undefined) return { is: 'value', spec, option: waiting, before: '', args: typedArgs };
  if (!onlyArguments && isFlag(current)) return flagSpot(spec, optionsOf(spec, globals), { given, current, args: typedArgs });
  if (spec.commands !== undefined) return { is: 'command', spec, top, helping };
  const args = spec.args ?? [];
  const last = args.at(-1);
  const arg = args[typedArgs.length] ?? (last?.variadic ? last : undefined);
  return arg === undefined ? undefined : { is: 'argument', spec, arg };
}

interface Typed {
  readonly given: ReadonlySet<OptionSpec>;
  readonly current: string;
  readonly args: readonly string[];
}

function flagSpot(spec: CommandSpec, options: readonly OptionSpec[], { given, current, args }: Typed): Spot | undefined {
  const equals = current.indexOf('=');
  if (equals < 0) return { is: 'flag', spec, options: options.filter((option) => !option.hidden && !given.has(option)) };
  const option = findOption(options, current);
  if (option === undefined || !takesValue(option)) return undefined;
  return { is: 'value', spec, option, before: current.slice(0, equals + 1), args };
}

/** A command's own flags, then the global ones that they do not stand in for. */
function optionsOf(spec: CommandSpec, globals: Options): OptionSpec[] {
  const own = Object.values(spec.options ?? {});
  const taken = new Set(own.flatMap(({ flags }) => spellingsOf(flags)));
  return [...own, ...Object.values(globals).filter(({ flags }) => !spellingsOf(flags).some((spelling) => taken.has(spelling)))];
}

function findOption(options: readonly OptionSpec[], word: string): OptionSpec | undefined {
  const spelling = word.startsWith('--') ? (word.split('=', 1)[0] ?? word) : word.slice(0, 2);
  return options.find(({ flags }) => spellingsOf(flags).includes(spelling));
}

function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

/** `--limit=10`, `-L10`. */
function hasValue(word: string): boolean {
  return word.startsWith('--') ? word.includes('=') : word.length > 2;
}

function takesValue({ flags }: OptionSpec): boolean {
  return flags.includes('<');
}
