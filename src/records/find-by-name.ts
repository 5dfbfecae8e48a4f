import type { Resource } from '../catalog/define.ts';
import { NAME_FIELDS, thingOf } from '../catalog/rules.ts';
import { pluralOf } from '../cli/words.ts';
import { type NotFoundError, RefusedError, UsageError } from '../errors.ts';
import type { Asking, Needs } from '../session/context.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { quote } from '../values/quote.ts';
import { nearest } from '../values/suggest.ts';
import { collectRows } from './all-rows.ts';

/** The parts of a context that finding a record by its name needs. */
export type FindingByName = 'catalog' | 'client' | 'notice' | Asking;

/** A record, with the fields that distinguish it from others. */
export interface Named {
  readonly id: number;
  /** For a person: `Web shop (#7)`. */
  readonly label: string;
  /** Its names; one at least. */
  readonly names: readonly string[];
  /** Its name or title, of those. */
  readonly name: string | undefined;
}

/**
 * The record that a text names: by its number, key, name, title or e-mail address, whole, in any case. A notice shows the record
 * that was found; of several a person picks one.
 *
 * @param read The part of the collection that was read for other names; each part is read once.
 * @param missing The error for a text that names nothing: wrong input, or a missing record.
 * @throws UsageError for a text that names several.
 */
export async function idByName(
  context: Needs<FindingByName>,
  resource: Resource,
  text: string,
  missing: typeof UsageError | typeof NotFoundError = UsageError,
  read: Reading = readingOf(context, resource),
): Promise<Named> {
  const { found, known } = await lookUp(read, text);
  const [only, ...others] = found;
  if (only === undefined) throw noSuch(resource, text, known, missing);
  if (others.length > 0) return pick(context, resource, text, found);
  await context.notice(`${capital(thingOf(resource))}: ${only.label}`);
  return only;
}

interface Lookup {
  readonly found: readonly Named[];
  /** Names that svc has seen on the way, to suggest from. */
  readonly known: readonly Named[];
}

/** So many records are read before svc asks the service to search: three requests. */
const FEW = 300;

/** A collection that is searched for any number of names: each part is read once. */
export interface Reading {
  /** The first records, and whether these are all. */
  first(): Promise<{ readonly records: readonly Named[]; readonly isWhole: boolean }>;
  searched(text: string): Promise<readonly Named[]>;
  all(): Promise<readonly Named[]>;
}

/** Reads a collection as far as names ask for it. */
export function readingOf(context: Needs<'client'>, { noun, path }: Pick<Resource, 'noun' | 'path'>): Reading {
  // Which fields a summary has is not documented (rule 18.23), and somebody without an address would look like nobody.
  const query: readonly [string, string][] = noun === 'users' ? [['view', 'detail']] : [];
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
    async searched(text) {
      const rows = await collectRows(context, path, [...query, ['q', text]], { assumed: ['q'] }).catch((error: unknown) => {
        if (!(error instanceof RefusedError)) throw error;
        return [];
      });
      return rows.flatMap(named);
    },
    all() {
      all ??= collectRows(context, path, query).then((rows) => rows.flatMap(named));
      return all;
    },
  };
}

/**
 * A small collection is read whole. A larger one is searched, and read to its end if the search finds nothing. The fields that `q`
 * searches are not documented, and not every collection takes it.
 */
async function lookUp(read: Reading, text: string): Promise<Lookup> {
  const { records: first, isWhole } = await read.first();
  if (isWhole) return { found: matches(first, text), known: first };
  const found = matches(await read.searched(text), text);
  if (found.length > 0) return { found, known: first };
  const all = await read.all();
  return { found: matches(all, text), known: all };
}

/** The record with its names; an empty list for a record without any. */
export function named(record: JsonObject): Named[] {
  const { id } = record;
  const text = (field: string) => scalarText(record[field] ?? null).trim();
  const names = NAME_FIELDS.map(text).filter((name) => name !== '');
  if (typeof id !== 'number' || names.length === 0) return [];
  const name = text('name') || text('title');
  const called = [text('issue_key'), name].filter((part) => part !== '').join(' ');
  return [{ id, label: `${called || names[0]} (#${id})`, names, name: name === '' ? undefined : name }];
}

/** Records with exactly this name; else those with this name in another case. */
function matches(records: readonly Named[], text: string): readonly Named[] {
  const typed = plain(text);
  const exact = records.filter(({ names }) => names.some((name) => plain(name) === typed));
  return exact.length > 0 ? exact : records.filter(({ names }) => names.some((name) => plain(name).toLowerCase() === typed.toLowerCase()));
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, ' ').normalize('NFC');
}

async function pick(context: Needs<Asking>, resource: Resource, text: string, found: readonly Named[]): Promise<Named> {
  if (context.interactive) {
    const choices = found.map((one) => ({ name: one.label, value: String(one.id) }));
    const chosen = await context.prompts.pick(`Which ${thingOf(resource)} is ${quote(text)}?`, choices, context.signal);
    const one = found.find(({ id }) => String(id) === chosen);
    if (one !== undefined) return one;
  }
  throw new UsageError(`${quote(text)} names ${found.length} ${pluralOf(resource)}.`, {
    hint: `Use the id: ${found
      .slice(0, MOST_SHOWN)
      .map(({ label }) => label)
      .join(', ')}${found.length > MOST_SHOWN ? ', …' : ''}`,
  });
}

const MOST_SHOWN = 8;

function noSuch(resource: Resource, text: string, known: readonly Named[], missing: typeof UsageError | typeof NotFoundError): Error {
  const names = known.flatMap((one) => one.names);
  const typed = plain(text).toLowerCase();
  const begins = names.find((name) => plain(name).toLowerCase().startsWith(typed));
  const near = begins ?? names.find((name) => hasWord(plain(name).toLowerCase(), typed)) ?? nearest(text, names);
  const meant = near === undefined ? '' : `Did you mean ${quote(near)}? `;
  return new missing(`There is no ${thingOf(resource)} ${quote(text)}.`, {
    hint: `${meant}See: svc ${resource.noun} list`,
  });
}

/** Whether a word of the name begins so: `jansen` in `bakkerij jansen`. */
function hasWord(name: string, typed: string): boolean {
  return typed !== '' && name.split(' ').some((_, at, words) => words.slice(at).join(' ').startsWith(typed));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
