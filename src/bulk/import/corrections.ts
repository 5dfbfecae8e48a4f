import { writtenBody } from '../../journal/body-of.ts';
import type { KnownRow } from '../../journal/import-row.ts';
import { itemPath } from '../../records/paths.ts';
import type { Needs } from '../../session/context.ts';
import { type JsonObject, type JsonValue, scalarText, stringifyJson } from '../../values/json.ts';
import type { ImportPlace } from './place.ts';

/** What a record holds, as far as that is known without asking. */
export interface Holding {
  readonly fields: JsonObject;
  /** The fields that its row gave it; what was written to it besides is no business of the file's. */
  readonly given: readonly string[];
  /** The last change of it from here. */
  readonly lastChange: number | undefined;
}

/** What was written to a row's record from here, put together; undefined where it was not created from here. */
export async function holdingOf(context: Needs<'journal'>, place: ImportPlace, { recordId }: KnownRow): Promise<Holding | undefined> {
  if (recordId === undefined) return undefined;
  const journal = await context.journal();
  const entries = await journal.writesTo(place.path, recordPath(place, recordId), recordId);
  const [made, ...changes] = entries.filter(({ method }) => method === 'POST' || method === 'PATCH');
  if (made?.method !== 'POST') return undefined;
  const given = writtenBody(made) ?? {};
  return {
    fields: Object.assign({}, given, ...changes.map(writtenBody)) as JsonObject,
    given: Object.keys(given),
    lastChange: changes.at(-1)?.number,
  };
}

/** A record as it was read just now. */
export function asHolding(record: JsonObject): Holding {
  return { fields: record, given: [], lastChange: undefined };
}

/** The path of a row's record. */
export function recordPath({ items, parent }: ImportPlace, recordId: string): string {
  return itemPath(items, recordId, items.parent === undefined ? undefined : parent);
}

/**
 * What must be written to a record so that it says what a row says: the fields in which they differ. A field that the row gave it
 * and does not give any more is emptied.
 */
export function correctionOf(body: JsonObject, holding: Holding | undefined): JsonObject {
  const { fields = {}, given = [] } = holding ?? {};
  const differing = Object.entries(body).filter(([name, value]) => !isSame(fields[name] ?? null, value));
  const left = given.filter((name) => !Object.hasOwn(body, name) && !isEmpty(fields[name] ?? null) && !follows(name, body));
  return Object.fromEntries([...differing, ...left.map((name): [string, JsonValue] => [name, fields[name] === true ? false : null])]);
}

/** A work item brings its project with it, and nobody's hours are one's own. */
function follows(name: string, body: JsonObject): boolean {
  return name === 'user_id' || (name === 'project_id' && Object.hasOwn(body, 'work_item_id'));
}

/** Whether two values mean the same, a number and its text being one. */
export function isSame(one: JsonValue, other: JsonValue): boolean {
  return shownValue(one) === shownValue(other);
}

/** A value for a person. */
export function shownValue(value: JsonValue): string {
  return typeof value === 'object' && value !== null ? stringifyJson(value) : scalarText(value);
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === false || value === '';
}
