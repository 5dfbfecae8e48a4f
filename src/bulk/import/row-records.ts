import type { Resource } from '../../catalog/define.ts';
import type { KnownRow } from '../../journal/entry.ts';
import { writtenBody } from '../../journal/written-values.ts';
import { collectionPath, itemPath } from '../../records/paths.ts';
import type { Needs } from '../../session/context.ts';
import { type JsonObject, type JsonValue, scalarText, stringifyJson } from '../../values/json.ts';

export interface ImportTarget {
  readonly resource: Resource;
  /** The id of the parent record. Only set for child records. */
  readonly parent: string | undefined;
  readonly path: string;
  /** The resource that has the paths of single records. */
  readonly items: Resource;
  readonly recordsAt: string;
}

export async function importTarget({ catalog }: Needs<'catalog'>, resource: Resource, parent: string | undefined): Promise<ImportTarget> {
  const path = collectionPath(resource, parent);
  const items = (resource.itemsOf === undefined ? undefined : await catalog.find(resource.itemsOf)) ?? resource;
  return { resource, parent, path, items, recordsAt: items === resource ? path : items.path };
}

export function recordPath({ items, parent }: ImportTarget, recordId: string): string {
  return itemPath(items, recordId, items.parent === undefined ? undefined : parent);
}

export interface KnownFields {
  readonly fields: JsonObject;
  /** The names of the fields that the row of the file set. Later writes can have set other fields. */
  readonly given: readonly string[];
  /** The journal number of the last update from this machine. Undefined without an update. */
  readonly lastChange: number | undefined;
}

/** Combines all writes of this account to the record of a row. Returns undefined if svc on this machine did not create the record. */
export async function readKnownFields(
  context: Needs<'journal'>,
  target: ImportTarget,
  { recordId }: KnownRow,
): Promise<KnownFields | undefined> {
  if (recordId === undefined) return undefined;
  const entries = await (await context.journal()).writesTo(target.path, recordPath(target, recordId), recordId);
  const [made, ...changes] = entries.filter(({ method }) => method === 'POST' || method === 'PATCH');
  if (made?.method !== 'POST') return undefined;
  const given = writtenBody(made) ?? {};
  return {
    fields: Object.assign({}, given, ...changes.map(writtenBody)) as JsonObject,
    given: Object.keys(given),
    lastChange: changes.at(-1)?.number,
  };
}

/**
 * Returns the fields that make a record match its row. Clears a field that only an older version of the row had: true becomes false, any
 * other value null.
 */
export function fieldsToCorrect(body: JsonObject, known: Partial<KnownFields> = {}): JsonObject {
  const { fields = {}, given = [] } = known;
  const differing = Object.entries(body).filter(([name, value]) => !isSameValue(fields[name], value));
  const isEmpty = (value: JsonValue | undefined) => valueText(value) === '' || value === false;
  // The service sets these fields itself: the project of a work item, and your own user id.
  const isImplied = (name: string) => name === 'user_id' || (name === 'project_id' && Object.hasOwn(body, 'work_item_id'));
  const cleared = given.filter((name) => !Object.hasOwn(body, name) && !isEmpty(fields[name]) && !isImplied(name));
  return Object.fromEntries([...differing, ...cleared.map((name): [string, JsonValue] => [name, fields[name] === true ? false : null])]);
}

/** Returns true if two values are equal. A number equals its string form. An absent value equals null and an empty string. */
export function isSameValue(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return valueText(one) === valueText(other);
}

/** Converts a value to a string, to compare or print the value. Null and an absent value become an empty string. */
export function valueText(value: JsonValue | undefined): string {
  return typeof value === 'object' && value !== null ? stringifyJson(value) : scalarText(value);
}
