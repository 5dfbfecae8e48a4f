import { plainWords, readAlias } from '../../values/command-line.ts';
import { ownEntry } from '../../values/json.ts';
import { findCommandEntry, spellingsOf } from '../resolve.ts';
import type { ArgSpec, CommandEntry, CommandSpec, Completes, OptionSpec, Options } from '../spec.ts';
import { type Candidate, type Completion, type KnownRecord, NO_COMPLETION, startingWith, words } from './candidate.ts';

/** The sources of candidates. svc calls a method only to complete a word of that kind. */
export interface CompletionSource {
  readonly nouns: readonly string[];
  hosts(): Promise<readonly string[]>;
  accounts(): Promise<readonly string[]>;
  aliases(): Promise<Readonly<Record<string, string>>>;
  tables(): Promise<readonly string[]>;
  records(noun: string): Promise<readonly KnownRecord[]>;
  /** Returns the statuses that the workflow allows next for a work item. Undefined if svc cannot get the statuses in less than a second. */
  moves(workItem: string): Promise<readonly string[] | undefined>;
}

/**
 * Returns the candidates for the last word.
 *
 * @param typed The words after `svc` up to the cursor. The last word is the word to complete, and can be empty.
 */
export async function complete(
  root: CommandSpec,
  globals: Options,
  typed: readonly string[],
  known: CompletionSource,
): Promise<Completion> {
  const word = typed.at(-1) ?? '';
  const line = await unaliased(root, typed, known);
  const spot = line === undefined ? undefined : await locate(root, globals, line);
  if (spot === undefined) return NO_COMPLETION;
  switch (spot.is) {
    case 'command': {
      const { spec, top, helping } = spot;
      const entries = [...(spec.commands ?? []), ...(helping ? (spec.topics ?? []) : [])];
      const own = top && !helping ? startingWith(word, await aliasCandidates(known)) : [];
      const found = commandCandidates(entries, top && !helping, word);
      return { candidates: [...found, ...own.filter(({ value }) => !found.some((other) => other.value === value))] };
    }
    case 'flag':
      return { candidates: startingWith(word, [...spot.options.flatMap(flagCandidates), HELP]) };
    case 'argument': {
      const { name, choices, completes } = spot.arg;
      return valueCompletion(choices === undefined ? (completes ?? byPlaceholder(name, known)) : { values: choices }, word, known);
    }
    case 'value': {
      const completes = await withAllowedStatuses(completionOf(spot.option, spot.spec, known), spot.args, known);
      const completion = await valueCompletion(completes, word.slice(spot.before.length), known);
      return shifted(completion, spot.before);
    }
  }
}

async function unaliased(root: CommandSpec, typed: readonly string[], known: CompletionSource): Promise<readonly string[] | undefined> {
  const [first = '', ...rest] = typed;
  if (rest.length === 0 || first.startsWith('-') || first === 'help' || findCommandEntry(root.commands ?? [], first) !== undefined)
    return typed;
  const aliases = await known.aliases();
  const text = ownEntry(aliases, first);
  if (text === undefined) return typed;
  const expansion = readAlias(text);
  return 'words' in expansion ? [...plainWords(expansion.words), ...rest] : undefined;
}

async function aliasCandidates(known: CompletionSource): Promise<readonly Candidate[]> {
  return Object.entries(await known.aliases()).map(([value, about]) => ({ value, about }));
}

const HELP: Candidate = { value: '--help', about: 'Show help' };

export function commandCandidates(entries: readonly CommandEntry[], top: boolean, word: string): Candidate[] {
  const shown = entries.filter(({ hidden }) => !hidden);
  const named = shown.map(({ name, summary }) => ({ value: name, about: summary }));
  if (top) named.push({ value: 'help', about: 'Help for any command' });
  const found = startingWith(word, named);
  if (found.length > 0) return found;
  return startingWith(
    word,
    shown.flatMap(({ aliases = [], summary }) => aliases.map((alias) => ({ value: alias, about: summary }))),
  );
}

function flagCandidates({ flags, summary }: OptionSpec): Candidate[] {
  return spellingsOf(flags)
    .filter((spelling) => spelling.startsWith('--'))
    .map((value) => ({ value, about: summary }));
}

function completionOf(option: OptionSpec, spec: CommandSpec, known: CompletionSource): Completes | undefined {
  if (option.choices !== undefined) return { values: option.choices };
  if (option.completes !== undefined) return option.completes;
  const placeholder = /[<[]([^>\]]*)/.exec(option.flags)?.[1] ?? '';
  if (placeholder === 'a,b.c' && spec.fields !== undefined) return { values: spec.fields, list: true };
  return byPlaceholder(placeholder, known);
}

const USERS: Completes = { records: 'users', or: ['me'] };
const DAYS: Completes = { values: ['today', 'yesterday', 'monday'] };

/** The candidates for each placeholder. A placeholder has the same meaning in every command. */
const BY_PLACEHOLDER: ReadonlyMap<string, Completes> = new Map<string, Completes>([
  ['host', 'host'],
  ['file', 'file'],
  ['dir', 'directory'],
  ['directory', 'directory'],
  ['id|me', USERS],
  ['id|me|name', USERS],
  ['user', USERS],
  ['id|key', { records: 'work-items' }],
  ['date', DAYS],
  ['date-time', DAYS],
]);

function byPlaceholder(name: string, { nouns }: CompletionSource): Completes | undefined {
  return name === 'resource' ? { values: nouns } : BY_PLACEHOLDER.get(name);
}

/** Limits the values of a status flag to the statuses that the workflow allows next. The work item is the first argument of the line. */
async function withAllowedStatuses(
  completes: Completes | undefined,
  [first]: readonly string[],
  known: CompletionSource,
): Promise<Completes | undefined> {
  if (typeof completes !== 'object' || !('records' in completes) || completes.as !== 'move' || first === undefined) return completes;
  const names = await known.moves(first);
  return names === undefined ? completes : { values: names };
}

async function valueCompletion(completes: Completes | undefined, typed: string, known: CompletionSource): Promise<Completion> {
  if (completes === undefined) return NO_COMPLETION;
  if (completes === 'file' || completes === 'directory') return { candidates: [], path: { kind: completes, from: 0 } };
  if (completes === 'at-file') return atFile(typed);
  if (completes === 'alias') return { candidates: startingWith(typed, await aliasCandidates(known)) };
  if (completes === 'table') return { candidates: startingWith(typed, words(await known.tables())) };
  if (completes === 'host') return { candidates: startingWith(typed, words(await known.hosts())) };
  if (completes === 'account') return { candidates: startingWith(typed, words(await known.accounts())) };
  if ('records' in completes) return records(completes, typed, known);
  return completes.list ? list(completes.values, typed) : fixed(completes.values, typed);
}

function fixed(values: readonly string[], typed: string): Completion {
  const candidates = startingWith(typed, words(values));
  return { candidates, ...(candidates.some(({ value }) => value.endsWith('=')) && { open: true as const }) };
}

/** Completes the last name of a comma-separated list. A name that is already in the list is not a candidate. */
function list(values: readonly string[], typed: string): Completion {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const there = new Set(before.split(','));
  const candidates = words(values.filter((value) => !there.has(value)).map((value) => `${before}${value}`));
  return { candidates: startingWith(typed, candidates), open: true };
}

function atFile(typed: string): Completion {
  const at = /^(?:[\w.[\]-]+=)?@/.exec(typed);
  if (at !== null) return { candidates: [], path: { kind: 'file', from: at[0].length } };
  return typed === '' ? { candidates: [{ value: '@', about: 'From a file' }], open: true } : NO_COMPLETION;
}

type Records = Extract<Completes, { records: string }>;

/**
 * Returns the records whose name, key or id begins with the typed word. Without a match, svc ignores letter case. If still no record
 * matches, svc compares the start of the text beside each record (`about`).
 */
async function records({ records: noun, as, or = [], behind = {} }: Records, typed: string, known: CompletionSource): Promise<Completion> {
  for (const [word, other] of Object.entries(behind)) {
    if (typed.startsWith(word)) return shifted(await records({ records: other }, typed.slice(word.length), known), word);
  }
  const found = await known.records(noun);
  const all = [...words(or), ...(as === undefined ? found.map(byName(found)) : distinctNames(found))];
  const candidates = startingWith(typed, all);
  if (candidates.length > 0 || typed === '') return { candidates };
  const leading = startingWith(typed, words(Object.keys(behind)));
  if (leading.length > 0) return { candidates: leading, open: true };
  // The user is typing an id, so the candidates are ids instead of names.
  if (/^\d/.test(typed)) return { candidates: startingWith(typed, found) };
  const sought = typed.toLowerCase();
  const begins = (text: string) => text.toLowerCase().startsWith(sought);
  const inOtherLetters = all.filter(({ value }) => begins(value));
  if (inOtherLetters.length > 0) return { candidates: inOtherLetters, anyCase: true };
  const described = found.filter(({ about }) => begins(about));
  return described.length === 0 ? NO_COMPLETION : { candidates: described, byAbout: true };
}

/** Offers a record without a key by its unique name, unless {@link MEANS_ELSE} matches the name. Offers all other records by key or id. */
function byName(all: readonly KnownRecord[]): (record: KnownRecord) => Candidate {
  const times = new Map<string, number>();
  for (const { name } of all) if (name !== undefined) times.set(folded(name), (times.get(folded(name)) ?? 0) + 1);
  return (record) => {
    const { value, about, name } = record;
    if (name === undefined || !/^\d+$/.test(value) || times.get(folded(name)) !== 1 || MEANS_ELSE.test(name)) return { value, about };
    // Most explanations end with the name. The candidate itself is the name, so the explanation leaves the name out.
    const rest = about.endsWith(name) ? about.slice(0, -name.length) : about;
    return { value: name, about: `#${value} ${rest}`.trim() };
  };
}

/** Folds a name for a comparison: NFC, in lower case. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Matches a name that svc would read as an id, a flag or a word such as `last`. Also matches names with spaces that a shell would lose. */
const MEANS_ELSE = /^(?:\d+|me|last|none|null|[-@].*|\s.*|.*\s|.*\s\s.*)$/is;

function distinctNames(all: readonly KnownRecord[]): Candidate[] {
  return words([...new Set(all.map(({ about }) => about))].filter((name) => name !== ''));
}

function shifted({ candidates, path, ...rest }: Completion, before: string): Completion {
  return {
    ...rest,
    candidates: candidates.map(({ value, about }) => ({ value: `${before}${value}`, about })),
    ...(path && { path: { ...path, from: path.from + before.length } }),
  };
}

type Spot =
  /** The value of a flag. `before` is the part of the word in front of the value: `--output=`. */
  | {
      readonly is: 'value';
      readonly spec: CommandSpec;
      readonly option: OptionSpec;
      readonly before: string;
      readonly args: readonly string[];
    }
  | { readonly is: 'flag'; readonly spec: CommandSpec; readonly options: readonly OptionSpec[] }
  /** The name of a command. `helping` is true after `svc help`, which also accepts topics. */
  | { readonly is: 'command'; readonly spec: CommandSpec; readonly top: boolean; readonly helping: boolean }
  | { readonly is: 'argument'; readonly spec: CommandSpec; readonly arg: ArgSpec };

/** Finds the place of the last word in the command line. Ignores unknown flags. Returns undefined for a word that svc cannot complete. */
async function locate(root: CommandSpec, globals: Options, typed: readonly string[]): Promise<Spot | undefined> {
  const current = typed.at(-1) ?? '';
  let spec = root;
  let top = true;
  let helping = false;
  const typedArgs: string[] = [];
  let onlyArguments = false;
  let waiting: OptionSpec | undefined;
  const given = new Set<OptionSpec>();
  for (const word of typed.slice(0, -1)) {
    const isValue = isValueOf(waiting, word);
    waiting = undefined;
    if (isValue) continue;
    if (!onlyArguments && word === '--') onlyArguments = true;
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
  if (waiting !== undefined && isValueOf(waiting, current)) return { is: 'value', spec, option: waiting, before: '', args: typedArgs };
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

function hasValue(word: string): boolean {
  return word.startsWith('--') ? word.includes('=') : word.length > 2;
}

/** Returns true if a word is the value of the flag before the word. A flag can follow a flag whose value can be left out. */
function isValueOf(option: OptionSpec | undefined, word: string): boolean {
  return option !== undefined && (option.flags.includes('<') || !isFlag(word));
}

function takesValue({ flags }: OptionSpec): boolean {
  return /[<[]/.test(flags);
}
