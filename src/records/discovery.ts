import type { Resource } from '../catalog/define.ts';
import { rows } from '../client/pages.ts';
import type { Needs } from '../session/context.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../values/json.ts';

/** Returns the resources of the organisation, one entry each (rules 9.4 to 9.9). svc caches the answer as its headers allow (rule 7.3). */
export async function discover(context: Needs<'client'>): Promise<readonly JsonObject[]> {
  return Array.fromAsync(rows(await context.client(), { method: 'GET', path: '/' }));
}

/**
 * Finds the entry of a resource by the path of its list. Compares the path of single records if the resource has no list.
 * @param what a resource, or the name of a top-level resource.
 */
export function entryOf(entries: readonly JsonObject[], what: Pick<Resource, 'path'> | string): JsonObject | undefined {
  const path = nameless(typeof what === 'string' ? `/${what}` : what.path);
  return (
    entries.find((entry) => pathOf(entry['path']) === path) ??
    entries.find((entry) => pathOf(entry['item_path'])?.replace(/\/\{\}$/, '') === path)
  );
}

/** Returns true if the resource has a list, and not only single records (rule 4.43). */
export function hasCollection(entry: JsonObject): boolean {
  return pathOf(entry['path']) !== undefined;
}

/**
 * Converts a path from discovery to a path within the API. The path may be relative, absolute, or a whole URL (rule 18.2). Placeholders
 * lose their names. Undefined for a value that is not a string.
 */
export function pathOf(written: JsonValue | undefined): string | undefined {
  const template = templateOf(written);
  return template === undefined ? undefined : nameless(template);
}

/** Converts a path from discovery like {@link pathOf}, but keeps the names of placeholders: `/work-items/{work_item}/comments`. */
export function templateOf(written: JsonValue | undefined): string | undefined {
  if (typeof written !== 'string') return undefined;
  const rooted = written.replace(/^https?:\/\/[^/]+/, '').replace(/^\/api\/v2(?=\/|$)/, '');
  return rooted.startsWith('/') ? rooted : `/${rooted}`;
}

/**
 * Removes the names of placeholders, because an organisation can use other names than svc: `/work-items/{work_item}` becomes
 * `/work-items/{}`. Also removes a slash at the end.
 */
function nameless(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '');
}

/** Returns the operations of an entry, one line each. The form of operations is not documented (rule 19.3). */
export function operationsOf(entry: JsonObject): string[] {
  const listed = entry['operations'];
  if (Array.isArray(listed)) return listed.map((operation: JsonValue) => operationText(undefined, operation));
  if (isJsonObject(listed)) return Object.entries(listed).map(([name, operation]) => operationText(name, operation));
  return [];
}

function operationText(name: string | undefined, operation: JsonValue): string {
  if (!isJsonObject(operation)) return [name, scalarText(operation)].filter((part) => part !== undefined && part !== '').join(' ');
  const { method, path, url } = operation;
  const known = [method, path ?? url].map(scalarText).filter((part) => part !== '');
  return known.length > 0 ? known.join(' ') : [name, scalarText(operation['name'] ?? null)].filter((part) => part).join(' ');
}
