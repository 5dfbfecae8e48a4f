import { plainWords, readAlias } from '../../values/alias.ts';
import { ownEntry } from '../../values/own-entry.ts';
import { findCommandEntry, spellingsOf } from '../resolve.ts';
import type { CommandEntry, CommandSpec, Completes, OptionSpec, Options } from '../spec.ts';
import { type Candidate, type Completion, type KnownRecord, NO_COMPLETION, startingWith, words } from './candidate.ts';
import { locate } from './locate.ts';

/** What only the machine or the service knows; neither is asked before it is needed, and neither may be slow. */
export interface CompletionSource {
  /** Every noun. */
  readonly nouns: readonly string[];
  /** Hosts that svc knows of. */
  hosts(): Promise<readonly string[]>;
  /** Words of the person's own, and what each stands for. */
  aliases(): Promise<Readonly<Record<string, string>>>;
  /** Tables and views of the account's copy; none where there is no copy. */
  tables(): Promise<readonly string[]>;
  /** Records of a noun, as far as they are at hand. */
  records(noun: string): Promise<readonly KnownRecord[]>;
  /** Names of the statuses that a work item may go to; undefined where that cannot be known soon. */
  moves(workItem: string): Promise<readonly string[] | undefined>;
}

/**
 * What may stand where the cursor is, from the tree of commands.
 *
 * @param typed The words after `svc` up to the cursor; the last is the one to complete, perhaps empty.
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
      const completes = await settled(completionOf(spot.option, spot.spec, known), spot.args, known);
      const completion = await valueCompletion(completes, word.slice(spot.before.length), known);
      return shifted(completion, spot.before);
    }
  }
}

/** A line that begins with an alias, as that has it; undefined where a shell alone knows. */
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

/** Names, and the short forms of those that nothing else fits. */
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
  const placeholder = /<([^>]*)>/.exec(option.flags)?.[1] ?? '';
  if (placeholder === 'a,b.c' && spec.fields !== undefined) return { values: spec.fields, list: true };
  return byPlaceholder(placeholder, known);
}

/** What stands between angle brackets means the same in every command. */
function byPlaceholder(name: string, { nouns }: CompletionSource): Completes | undefined {
  switch (name) {
    case 'host':
      return 'host';
    case 'file':
      return 'file';
    case 'dir':
    case 'directory':
      return 'directory';
    case 'noun':
      return { values: nouns };
    case 'id|me':
    case 'id|me|name':
    case 'user':
      return { records: 'users', or: ['me'] };
    case 'id|key':
      return { records: 'work-items' };
    case 'date':
    case 'date-time':
      return { values: ['today', 'yesterday', 'monday'] };
    default:
      return undefined;
  }
}

/** The same, with what only the arguments before it tell. */
async function settled(
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
  if ('records' in completes) return records(completes, typed, known);
  return completes.list ? list(completes.values, typed) : fixed(completes.values, typed);
}

function fixed(values: readonly string[], typed: string): Completion {
  const candidates = startingWith(typed, words(values));
  return { candidates, ...(candidates.some(({ value }) => value.endsWith('=')) && { open: true as const }) };
}

/** The last of several names; what is there already is not offered again. */
function list(values: readonly string[], typed: string): Completion {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const there = new Set(before.split(','));
  const candidates = words(values.filter((value) => !there.has(value)).map((value) => `${before}${value}`));
  return { candidates: startingWith(typed, candidates), open: true };
}

/** A path after `@` or `name=@`; before there is one, nothing: it may be a text. */
function atFile(typed: string): Completion {
  const at = /^(?:[\w.[\]-]+=)?@/.exec(typed);
  if (at !== null) return { candidates: [], path: { kind: 'file', from: at[0].length } };
  return typed === '' ? { candidates: [{ value: '@', about: 'From a file' }], open: true } : NO_COMPLETION;
}

type Records = Extract<Completes, { records: string }>;

/** Records by what is typed for them; who knows one by what is said about it may begin with that. */
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
  // Names stand for ids, and whoever begins with a digit has an id in mind.
  if (/^\d/.test(typed)) return { candidates: startingWith(typed, found) };
  const sought = typed.toLowerCase();
  const begins = (text: string) => text.toLowerCase().startsWith(sought);
  const inOtherLetters = all.filter(({ value }) => begins(value));
  if (inOtherLetters.length > 0) return { candidates: inOtherLetters, anyCase: true };
  const described = found.filter(({ about }) => begins(about));
  return described.length === 0 ? NO_COMPLETION : { candidates: described, byAbout: true };
}

/** A record by its name, where that finds it and nothing else; its id tells it from others of a like name. A key stays what it is. */
function byName(all: readonly KnownRecord[]): (record: KnownRecord) => Candidate {
  const times = new Map<string, number>();
  for (const { name } of all) if (name !== undefined) times.set(folded(name), (times.get(folded(name)) ?? 0) + 1);
  return (record) => {
    const { value, about, name } = record;
    if (name === undefined || !/^\d+$/.test(value) || times.get(folded(name)) !== 1 || MEANS_ELSE.test(name)) return { value, about };
    // What is said about it ends in its name as a rule.
    const rest = about.endsWith(name) ? about.slice(0, -name.length) : about;
    return { value: name, about: `#${value} ${rest}`.trim() };
  };
}

/** As names are compared when they are looked for. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** What is read as something else where a record is named: an id, a flag, a word that stands for one, and blanks that get lost. */
const MEANS_ELSE = /^(?:\d+|me|last|none|null|[-@].*|\s.*|.*\s|.*\s\s.*)$/is;

function distinctNames(all: readonly KnownRecord[]): Candidate[] {
  return words([...new Set(all.map(({ about }) => about))].filter((name) => name !== ''));
}

/** The same, with what stands before the value in the same word. */
function shifted({ candidates, path, ...rest }: Completion, before: string): Completion {
  return {
    ...rest,
    candidates: candidates.map(({ value, about }) => ({ value: `${before}${value}`, about })),
    ...(path && { path: { ...path, from: path.from + before.length } }),
  };
}
