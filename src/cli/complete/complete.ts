import { listNouns } from '../../catalog/index.ts';
import { plainWords, readAlias } from '../../values/alias.ts';
import { findEntry, spellingsOf } from '../resolve.ts';
import type { CommandEntry, CommandSpec, Completes, OptionSpec, Options } from '../spec.ts';
import { type Candidate, type Completion, NOTHING, startingWith, words } from './candidate.ts';
import { locate } from './locate.ts';

/** What only the machine or the service knows; neither is asked before it is needed, and neither may be slow. */
export interface Known {
  /** Hosts that svc knows of. */
  hosts(): Promise<readonly string[]>;
  /** Words of the person's own, and what each stands for. */
  aliases(): Promise<Readonly<Record<string, string>>>;
  /** Records of a noun, as far as they are at hand. */
  records(noun: string, as: 'id' | 'name'): Promise<readonly Candidate[]>;
}

/**
 * What may stand where the cursor is, from the tree of commands.
 *
 * @param typed The words after `svc` up to the cursor; the last is the one to complete, perhaps empty.
 */
export async function complete(root: CommandSpec, globals: Options, typed: readonly string[], known: Known): Promise<Completion> {
  const word = typed.at(-1) ?? '';
  const line = await unaliased(root, typed, known);
  const spot = line === undefined ? undefined : await locate(root, globals, line);
  if (spot === undefined) return NOTHING;
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
      return valueCompletion(choices === undefined ? (completes ?? byPlaceholder(name)) : { values: choices }, word, known);
    }
    case 'value': {
      const completes = completionOf(spot.option, spot.spec);
      const completion = await valueCompletion(completes, word.slice(spot.before.length), known);
      return shifted(completion, spot.before);
    }
  }
}

/** A line that begins with an alias, as that has it; undefined where a shell alone knows. */
async function unaliased(root: CommandSpec, typed: readonly string[], known: Known): Promise<readonly string[] | undefined> {
  const [first = '', ...rest] = typed;
  if (rest.length === 0 || first.startsWith('-') || first === 'help' || findEntry(root.commands ?? [], first) !== undefined) return typed;
  const aliases = await known.aliases();
  const text = Object.hasOwn(aliases, first) ? aliases[first] : undefined;
  if (text === undefined) return typed;
  const expansion = readAlias(text);
  return 'words' in expansion ? [...plainWords(expansion.words), ...rest] : undefined;
}

async function aliasCandidates(known: Known): Promise<readonly Candidate[]> {
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

function completionOf(option: OptionSpec, spec: CommandSpec): Completes | undefined {
  if (option.choices !== undefined) return { values: option.choices };
  if (option.completes !== undefined) return option.completes;
  const placeholder = /<([^>]*)>/.exec(option.flags)?.[1] ?? '';
  if (placeholder === 'a,b.c' && spec.fields !== undefined) return { values: spec.fields, list: true };
  return byPlaceholder(placeholder);
}

/** What stands between angle brackets means the same in every command. */
function byPlaceholder(name: string): Completes | undefined {
  switch (name) {
    case 'host':
      return 'host';
    case 'file':
      return 'file';
    case 'dir':
    case 'directory':
      return 'directory';
    case 'noun':
      return { values: listNouns().map(({ noun }) => noun) };
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

async function valueCompletion(completes: Completes | undefined, typed: string, known: Known): Promise<Completion> {
  if (completes === undefined) return NOTHING;
  if (completes === 'file' || completes === 'directory') return { candidates: [], path: { kind: completes, from: 0 } };
  if (completes === 'at-file') return atFile(typed);
  if (completes === 'alias') return { candidates: startingWith(typed, await aliasCandidates(known)) };
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
  return typed === '' ? { candidates: [{ value: '@', about: 'From a file' }], open: true } : NOTHING;
}

/** Whoever knows a record by its name may type that, and gets its id. */
async function records(wanted: Extract<Completes, { records: string }>, typed: string, known: Known): Promise<Completion> {
  const all = [...words(wanted.or ?? []), ...(await known.records(wanted.records, wanted.as ?? 'id'))];
  const candidates = startingWith(typed, all);
  if (candidates.length > 0 || typed === '') return { candidates };
  const sought = typed.toLowerCase();
  const named = all.filter(({ value, about }) => (wanted.as === 'name' ? value : about).toLowerCase().startsWith(sought));
  return named.length === 0 ? NOTHING : { candidates: named, byAbout: true };
}

/** The same, with what stands before the value in the same word. */
function shifted({ candidates, path, ...rest }: Completion, before: string): Completion {
  return {
    ...rest,
    candidates: candidates.map(({ value, about }) => ({ value: `${before}${value}`, about })),
    ...(path && { path: { ...path, from: path.from + before.length } }),
  };
}
