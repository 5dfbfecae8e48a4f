import type { Resource } from '../../catalog/define.ts';
import type { KnownRow } from '../../journal/entry.ts';
import { writtenBody } from '../../journal/written-values.ts';
import { collectionPath, itemPath } from '../../records/paths.ts';
import type { Needs } from '../../session/context.ts';
import { type JsonObject, type JsonValue, scalarText, stringifyJson } from '../../values/json.ts';

/** The resource that the rows of a file go into. */
export interface ImportTarget {
  readonly resource: Resource;
  /** The id of the parent record, for child records. */
  readonly parent: string | undefined;
  /** The path of the list. */
  readonly path: string;
  /** The resource with the addresses of single records. */
  readonly items: Resource;
  /** The path of that resource. */
  readonly recordsAt: string;
}

/** Finds the paths for the rows of a file. @throws UsageError for an invalid parent. */
export async function importTarget({ catalog }: Needs<'catalog'>, resource: Resource, parent: string | undefined): Promise<ImportTarget> {
  const path = collectionPath(resource, parent);
  const items = (resource.itemsOf === undefined ? undefined : await catalog.find(resource.itemsOf)) ?? resource;
  return { resource, parent, path, items, recordsAt: items === resource ? path : items.path };
}

/** Returns the path of a row's record. */
export function recordPath({ items, parent }: ImportTarget, recordId: string): string {
  return itemPath(items, recordId, items.parent === undefined ? undefined : parent);
}

/** The fields of a record, as far as svc knows them without a request. */
export interface KnownFields {
  readonly fields: JsonObject;
  /** Names of the fields that the row of the file set. Later writes may have set others. */
  readonly given: readonly string[];
  /** The number of the last write from this machine. */
  readonly lastChange: number | undefined;
}

/** Combines all writes of this account to a row's record. Undefined if this machine did not create the record. */
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
 * Returns the fields to write so that a record matches its row. A field that an earlier form of the row set, and the row no longer has, is
 * cleared.
 */
export function fieldsToCorrect(body: JsonObject, known: Partial<KnownFields> = {}): JsonObject {
  const { fields = {}, given = [] } = known;
  const differing = Object.entries(body).filter(([name, value]) => !isSameValue(fields[name], value));
  const cleared = given.filter((name) => !Object.hasOwn(body, name) && !isEmpty(fields[name]) && !isImplied(name, body));
  return Object.fromEntries([...differing, ...cleared.map((name): [string, JsonValue] => [name, fields[name] === true ? false : null])]);
}

/** Whether the service sets a field by itself: the project of a work item, and your own user. */
function isImplied(name: string, body: JsonObject): boolean {
  return name === 'user_id' || (name === 'project_id' && Object.hasOwn(body, 'work_item_id'));
}

/** Whether two values are the same. A number equals its string, and an absent value equals null. */
export function isSameValue(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return valueText(one) === valueText(other);
}

/** Writes a value for a person; null and an absent value as an empty string. */
export function valueText(value: JsonValue | undefined): string {
  return typeof value === 'object' && value !== null ? stringifyJson(value) : scalarText(value ?? null);
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === false || value === '';
}
