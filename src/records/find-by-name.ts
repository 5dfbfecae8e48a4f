import type { Resource } from '../catalog/define.ts';
import { NAME_FIELDS, singularName } from '../catalog/rules.ts';
import { pluralOf } from '../cli/words.ts';
import { undefinedIfRefused } from '../client/assumed.ts';
import type { Query } from '../client/cost.ts';
import type { Choice } from '../deps.ts';
import { DeclinedError, type NotFoundError, UsageError } from '../errors.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import type { Asking, Needs } from '../session/context.ts';
import type { PrintingCommand } from '../session/printed-command.ts';
import { isPlainLine } from '../values/hidden-characters.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { nearest, type PartOfName, partOfName } from '../values/suggest.ts';
import { capitalised, quote } from '../values/text.ts';
import { collectRows, DETAIL } from './all-rows.ts';

export type FindingByName = 'catalog' | 'client' | 'notice' | Asking | PrintingCommand;

export interface Named {
  readonly id: number;
  /** The text for a person: `Web shop (#7)`. */
  readonly label: string;
  readonly names: readonly string[];
  readonly name: string | undefined;
}

/**
 * Finds an id by number, key, name, title or e-mail address, in any letter case. A part of a name counts if only one record has the part,
 * and a person confirms the record. At a terminal, the user chooses among several records.
 * @param missing creates the error if nothing matches: wrong input, or a missing record. Default: UsageError.
 * @param takesWords true if whole words of a name count without a terminal. Default: true.
 * @throws UsageError without a terminal, if several records match, or if the text is another part of a name.
 * @throws DeclinedError if the user declines.
 */
export async function idByName(
  context: Needs<FindingByName>,
  resource: Resource,
  text: string,
  missing: typeof UsageError | typeof NotFoundError = UsageError,
  read: Reading = readingOf(context, resource),
  takesWords = true,
): Promise<Named> {
  const { found, known } = await lookUp(read, text);
  const parts = found.length > 0 ? [] : withPart(known, text);
  const [part] = parts;
  if (part !== undefined && parts.length === 1) return usePart(context, resource, text, part, takesWords);
  const [only, ...others] = [...found, ...parts.map(({ record }) => record)];
  if (only === undefined) throw noSuch(resource, text, known, missing);
  if (others.length > 0) return pick(context, resource, text, [only, ...others]);
  await context.notice(`${capitalised(singularName(resource))}: ${only.label}`);
  return only;
}

/** The most records that svc reads, in three requests, before svc uses the search of the service. */
const FEW = 300;

export interface Reading {
  first(): Promise<{ readonly records: readonly Named[]; readonly isWhole: boolean }>;
  searched(text: string, limit?: number): Promise<readonly Named[]>;
  all(): Promise<readonly Named[]>;
}

/**
 * Returns the rows that the service finds. Undefined if the resource does not accept `q`. The fields that `q` searches are not documented
 * (rule 18.27).
 */
async function search(
  context: Needs<'client'>,
  path: string,
  query: Query,
  text: string,
  limit?: number,
): Promise<readonly JsonObject[] | undefined> {
  return collectRows(context, path, [...query, ['q', text]], { limit, assumed: ['q'] }).catch(undefinedIfRefused('q'));
}

export function readingOf(context: Needs<'client'>, { noun, path }: Pick<Resource, 'noun' | 'path'>): Reading {
  const query = queryFor(noun);
  let first: ReturnType<Reading['first']> | undefined;
  let all: Promise<readonly Named[]> | undefined;
  return {
    first() {
      first ??= collectRows(context, path, query, { limit: FEW }).then((rows) => ({
        records: rows.flatMap(named),
        isWhole: rows.length < FEW,
      }));
      return first;
    },
    async searched(text, limit) {
      return (await search(context, path, query, text, limit))?.flatMap(named) ?? [];
    },
    all() {
      all ??= collectRows(context, path, query).then((rows) => rows.flatMap(named));
      return all;
    },
  };
}

/**
 * Returns the records that match a text. svc reads a small resource completely, and searches a large resource at the service. If the search
 * finds nothing, svc reads all records.
 */
async function lookUp(read: Reading, text: string) {
  const { records: first, isWhole } = await read.first();
  if (isWhole) return { found: matches(first, text), known: first };
  const found = matches(await read.searched(text), text);
  if (found.length > 0) return { found, known: first };
  const all = await read.all();
  return { found: matches(all, text), known: all };
}

export function named(record: JsonObject): Named[] {
  const { id } = record;
  const text = (field: string) => scalarText(record[field] ?? null).trim();
  const names = NAME_FIELDS.map(text).filter((name) => name !== '');
  if (typeof id !== 'number' || names.length === 0) return [];
  const name = text('name') || text('title');
  const called = [text('issue_key'), name].filter((part) => part !== '').join(' ');
  return [{ id, label: `${called || names[0]} (#${id})`, names, name: name === '' ? undefined : name }];
}

function matches(records: readonly Named[], text: string): readonly Named[] {
  const typed = plain(text);
  const exact = records.filter(({ names }) => names.some((name) => plain(name) === typed));
  return exact.length > 0 ? exact : records.filter(({ names }) => names.some((name) => plain(name).toLowerCase() === typed.toLowerCase()));
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, ' ').normalize('NFC');
}

async function pick(context: Needs<Asking | PrintingCommand>, resource: Resource, text: string, found: readonly Named[]): Promise<Named> {
  if (context.interactive) {
    const choices = found.map((one) => ({ name: one.label, value: String(one.id) }));
    const chosen = await context.prompts.pick(`Which ${singularName(resource)} is ${quote(text)}?`, choices, context.signal);
    const one = found.find(({ id }) => String(id) === chosen);
    if (one !== undefined) {
      await printChosen(context, text, one);
      return one;
    }
  }
  const labels = found.slice(0, MOST_SHOWN).map(({ label }) => label);
  throw new UsageError(`${quote(text)} names ${found.length} ${pluralOf(resource)}.`, {
    hint: `Use the id: ${labels.join(', ')}${found.length > MOST_SHOWN ? ', …' : ''}`,
  });
}

async function printChosen(context: Needs<PrintingCommand>, text: string, { id }: Named): Promise<void> {
  const { printChoice } = await import('../session/printed-command.ts');
  await printChoice(context, text, String(id));
}

const MOST_SHOWN = 8;

export interface WithPart {
  readonly record: Named;
  readonly part: PartOfName;
}

export function withPart(records: readonly Named[], text: string): readonly WithPart[] {
  const found = records.flatMap((record): WithPart[] => {
    const parts = record.names.flatMap((name) => partOfName(text, localPart(name)) ?? []);
    const part = (['words', 'beginning', 'within'] as const).find((one) => parts.includes(one));
    return part === undefined ? [] : [{ record, part }];
  });
  const started = found.filter(({ part }) => part !== 'within');
  return started.length > 0 ? started : found;
}

/** Returns a name unchanged. Returns an e-mail address without its domain, which all people of an organisation share. */
function localPart(name: string): string {
  return name.replace(/@\S+$/, '');
}

async function usePart(
  context: Needs<Asking | PrintingCommand | 'notice'>,
  resource: Resource,
  text: string,
  { record, part }: WithPart,
  takesWords: boolean,
): Promise<Named> {
  const singular = singularName(resource);
  if (context.interactive) {
    if (await context.prompts.confirm(`Use ${record.label}?`, context.signal, true)) {
      await printChosen(context, text, record);
      return record;
    }
    throw new DeclinedError(`You chose no ${singular}.`, { hint: `See: svc ${resource.noun} list` });
  }
  if (part === 'words' && takesWords) {
    await context.notice(`${capitalised(singular)}: ${record.label}`);
    return record;
  }
  throw new UsageError(`${quote(text)} is only a part of the name of a ${singular}.`, {
    hint: `Did you mean ${quote(record.name ?? record.names[0] ?? '')}? Type the full name or the id: ${record.label}`,
  });
}

function noSuch(resource: Resource, text: string, known: readonly Named[], missing: typeof UsageError | typeof NotFoundError): Error {
  const near = nearName(text, known);
  const meant = near === undefined ? '' : `Did you mean ${quote(near)}? `;
  return new missing(`There is no ${singularName(resource)} ${quote(text)}.`, {
    hint: `${meant}See: svc ${resource.noun} list`,
  });
}

function nearName(text: string, known: readonly Named[]): string | undefined {
  const names = known.flatMap((one) => one.names);
  const wordsOf = (name: string) => localPart(name).split(/[^\p{L}\p{N}\p{M}]+/u);
  const word = nearest(text, names.flatMap(wordsOf));
  return nearest(text, names) ?? names.find((name) => word !== undefined && wordsOf(name).includes(word));
}

export interface Picked {
  readonly id: number;
  /** The word for the record on a command line: a unique key or name, or the id. */
  readonly word: string;
}

export interface PickQuestion {
  readonly question: string;
  /** The known records to choose from. Default: the first page of the resource. */
  readonly records?: readonly JsonObject[];
  readonly none?: string;
}

/** The number of rows on the first page. svc searches for other rows while the user types. */
const PAGE = 100;

/**
 * Lets the user pick a record. Without `records`, the list costs one request. If the service searches (rule 18.27), each text that is not
 * on the first page costs another request.
 * @returns `none` if the user picks no record, undefined if the resource has no records.
 */
export async function pickRecord(
  context: Needs<Asking | 'client'>,
  resource: Resource,
  { question, records, none }: PickQuestion,
): Promise<Picked | 'none' | undefined> {
  const query = queryFor(resource.noun);
  const rows = records ?? (await collectRows(context, resource.path, query, { limit: PAGE }));
  const isWhole = records === undefined && rows.length < PAGE;
  const known = new Map(rows.flatMap(named).map((one) => [String(one.id), one]));
  if (known.size === 0 && isWhole) return undefined;
  let searches = !isWhole;
  const more = async (typed: string): Promise<readonly Choice[]> => {
    if (!searches) return [];
    const found = await search(context, resource.path, query, typed, PAGE);
    searches = found !== undefined;
    const others = (found ?? []).flatMap(named).filter(({ id }) => !known.has(String(id)));
    for (const one of others) known.set(String(one.id), one);
    return choicesOf(others);
  };
  const choices = [...choicesOf([...known.values()]), ...(none === undefined ? [] : [{ name: none, value: NONE }])];
  const chosen = await context.prompts.pick(question, choices, context.signal, searches ? more : undefined);
  const one = known.get(chosen);
  return one === undefined ? 'none' : { id: one.id, word: wordOf(resource, one, isWhole ? [...known.values()] : []) };
}

const NONE = '';

/**
 * Returns the query for the list of choices. For users, svc reads the detail view. A summary may lack fields (rule 18.23), and a user
 * without an address would have no name.
 */
function queryFor(noun: string): Query {
  return noun === 'users' ? DETAIL : [];
}

/** Returns the choices, such as `ABC-12 · Login page`. Equal choices also have their ids. */
function choicesOf(records: readonly Named[]): Choice[] {
  const shown = records.map((one) => ({ one, name: neutraliseLine([...new Set(one.names)].join(' · ')) }));
  const times = Map.groupBy(shown, ({ name }) => name);
  return shown.map(({ one, name }) => ({
    name: (times.get(name) ?? []).length > 1 ? `${name} (#${one.id})` : name,
    value: String(one.id),
  }));
}

/**
 * Returns the word for a record on a command line: a unique key or name, otherwise the id. @param all all records of the resource. Empty if
 * unknown.
 */
function wordOf({ keyed, noun }: Pick<Resource, 'keyed' | 'noun'>, { id, names, name }: Named, all: readonly Named[]): string {
  const [key = ''] = names;
  if (keyed && /^[A-Z][A-Z0-9]*-\d+$/.test(key)) return key;
  const isOthers = (text: string) =>
    all.some((one) => one.id !== id && one.names.some((other) => other.toLowerCase() === text.toLowerCase()));
  const text = name ?? key;
  const reads = /\D/.test(text) && !/^(?:me|last|none|null|@.*)$/i.test(text) && isPlainLine(text) && !/\s{2}/.test(text);
  return all.length > 0 && noun !== 'work-items' && reads && !isOthers(text) ? text : String(id);
}
