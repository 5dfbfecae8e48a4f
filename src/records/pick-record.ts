import type { Resource } from '../catalog/define.ts';
import { thingOf } from '../catalog/rules.ts';
import type { Query } from '../client/cost.ts';
import type { Choice } from '../deps.ts';
import { RefusedError } from '../errors.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import type { Asking, Needs } from '../session/context.ts';
import { isPlainLine } from '../values/hidden-characters.ts';
import type { JsonObject } from '../values/json.ts';
import { collectRows } from './all-rows.ts';
import { type Named, named } from './find-by-name.ts';

/** A record that a person picked. */
export interface Picked {
  readonly id: number;
  /** Its word on a command line: its key or name where that names it alone, else its id. */
  readonly word: string;
}

/** The records to pick from. */
export interface PickQuestion {
  readonly question: string;
  /** Records that are known already; absent: svc reads the first page of the collection. */
  readonly records?: readonly JsonObject[];
  /** The text of the choice of none of them, if there is one. */
  readonly none?: string;
}

/** So many rows make the first page: svc searches for others as a person types. */
const PAGE = 100;

/**
 * A record of a collection, picked by its name. One request, and another for each text that the first page does not have, if the
 * service searches. The fields that `q` searches are not documented (rule 18.27), so its results appear beside the known records.
 *
 * @returns `none` for none of them, undefined where there is nothing to pick from.
 */
export async function pickRecord(
  context: Needs<Asking | 'client'>,
  resource: Resource,
  { question, records, none }: PickQuestion,
): Promise<Picked | 'none' | undefined> {
  const query = namesIn(resource);
  const rows = records ?? (await collectRows(context, resource.path, query, { limit: PAGE }));
  const isWhole = records === undefined && rows.length < PAGE;
  const known = new Map(rows.flatMap(named).map((one) => [String(one.id), one]));
  if (known.size === 0 && isWhole) return undefined;
  let searches = !isWhole;
  const more = async (typed: string): Promise<readonly Choice[]> => {
    if (!searches) return [];
    const found = await collectRows(context, resource.path, [...query, ['q', typed]], { limit: PAGE, assumed: ['q'] }).catch(
      (error: unknown) => {
        if (!(error instanceof RefusedError)) throw error;
        searches = false;
        return [];
      },
    );
    const others = found.flatMap(named).filter(({ id }) => !known.has(String(id)));
    for (const one of others) known.set(String(one.id), one);
    return choicesOf(others);
  };
  const choices = [...choicesOf([...known.values()]), ...(none === undefined ? [] : [{ name: none, value: NONE }])];
  const chosen = await context.prompts.pick(question, choices, context.signal, searches ? more : undefined);
  const one = known.get(chosen);
  return one === undefined ? 'none' : { id: one.id, word: wordOf(resource, one, isWhole ? [...known.values()] : []) };
}

const NONE = '';

/** The fields of a summary are not documented (rule 18.23), and a person without an address would look like nobody. */
function namesIn(resource: Resource): Query {
  return resource.noun === 'users' ? [['view', 'detail']] : [];
}

/** `ABC-12 · Login page`; equal ones also have their numbers. */
function choicesOf(records: readonly Named[]): Choice[] {
  const shown = records.map((one) => ({ one, name: neutraliseLine([...new Set(one.names)].join(' · ')) }));
  const times = Map.groupBy(shown, ({ name }) => name);
  return shown.map(({ one, name }) => ({
    name: (times.get(name) ?? []).length > 1 ? `${name} (#${one.id})` : name,
    value: String(one.id),
  }));
}

/** @param all Every record of the collection, where all are known: only then a name is known to be unique. */
function wordOf({ keyed, noun }: Pick<Resource, 'keyed' | 'noun'>, { id, names, name }: Named, all: readonly Named[]): string {
  const [key = ''] = names;
  if (keyed && /^[A-Z][A-Z0-9]*-\d+$/.test(key)) return key;
  const isOthers = (text: string) =>
    all.some((one) => one.id !== id && one.names.some((other) => other.toLowerCase() === text.toLowerCase()));
  const text = name ?? key;
  const reads = /\D/.test(text) && !/^(?:me|last|none|null|@.*)$/i.test(text) && isPlainLine(text) && !/\s{2}/.test(text);
  return all.length > 0 && noun !== 'work-items' && reads && !isOthers(text) ? text : String(id);
}

/** The question of a pick: `Which project?` */
export function whichOne(resource: Resource): string {
  return `Which ${thingOf(resource)}?`;
}
