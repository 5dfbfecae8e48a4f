import type { Resource } from '../catalog/define.ts';
import { rows } from '../client/pages.ts';
import type { Needs } from '../session/context.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../values/json.ts';

/** The resources of the organisation: an entry for each (rules 9.4 to 9.9), cached like any answer that may be (rule 7.3). */
export async function discover(context: Needs<'client'>): Promise<readonly JsonObject[]> {
  return Array.fromAsync(rows(await context.client(), { method: 'GET', path: '/' }));
}

/** By the path of its collection, or that of its items where it has none. @param what A resource, or the name of one at the top. */
export function entryOf(entries: readonly JsonObject[], what: Pick<Resource, 'path'> | string): JsonObject | undefined {
  const path = nameless(typeof what === 'string' ? `/${what}` : what.path);
  return (
    entries.find((entry) => pathOf(entry['path']) === path) ??
    entries.find((entry) => pathOf(entry['item_path'])?.replace(/\/\{\}$/, '') === path)
  );
}

/** Whether the collection itself is there, and not just its items (rule 4.43). */
export function hasCollection(entry: JsonObject): boolean {
  return pathOf(entry['path']) !== undefined;
}

/** A path below the API, as discovery wrote it: relative, rooted at the host, or absolute (rule 18.2). Templates lose their names. */
export function pathOf(written: JsonValue | undefined): string | undefined {
  const template = templateOf(written);
  return template === undefined ? undefined : nameless(template);
}

/** The same with the names of its placeholders: `/work-items/{work_item}/comments`. */
export function templateOf(written: JsonValue | undefined): string | undefined {
  if (typeof written !== 'string') return undefined;
  const rooted = written.replace(/^https?:\/\/[^/]+/, '').replace(/^\/api\/v2(?=\/|$)/, '');
  return rooted.startsWith('/') ? rooted : `/${rooted}`;
}

/** `/work-items/{work_item}` → `/work-items/{}`: each service names its placeholders itself. */
function nameless(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '');
}

/** The operations of an entry, in a line each; how they are written is not documented (rule 19.3). */
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
