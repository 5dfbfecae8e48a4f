import type { ResourceEntry } from '../catalog/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import type { DescribedOperation, DescribedResource } from './described.ts';
import { collectionOf, isSafePath, isSafeWord, resourceTitle, singularOf } from './names.ts';

/** An entry of discovery, with the facts that svc needs. Operations are lines, because their form is not documented (rule 18.26). */
export interface DiscoveredEntry {
  /** The path of the list with its placeholders, such as `/meeting-rooms/{room}/bookings`. */
  readonly path: string | undefined;
  readonly itemPath: string | undefined;
  readonly prefix: string | undefined;
  /** The operations, such as `GET /meeting-rooms`. Empty if discovery names no operations. */
  readonly operations: readonly string[];
  readonly schemas: readonly string[];
}

/**
 * Returns the resources that only discovery lists, with their child resources and other operations. Without a schema from an API spec, svc
 * knows only the id of their records. Has no side effects.
 *
 * @param known resources that the result leaves out.
 */
export function discoveredResources(
  entries: readonly DiscoveredEntry[],
  known: readonly Pick<ResourceEntry, 'noun'>[],
): readonly DescribedResource[] {
  // The path `/me` shows the owner of the token, and is not a resource (rule 9.10).
  const names = new Set(['me', ...known.map(({ noun }) => noun)]);
  const tops = entries.filter(({ path, itemPath }) => {
    const noun = topOf(path ?? collectionOf(itemPath));
    return noun !== undefined && !names.has(noun);
  });
  return tops.flatMap((entry) => {
    const noun = topOf(entry.path ?? collectionOf(entry.itemPath)) ?? '';
    const below = entries.filter(({ path }) => path !== undefined && childrenIn(path) === noun);
    return resourceOf(
      noun,
      entry,
      below.flatMap((child) => resourceOf(child.path?.split('/').at(-1) ?? '', child, [])),
    );
  });
}

function resourceOf(noun: string, entry: DiscoveredEntry, nested: readonly DescribedResource[]): DescribedResource[] {
  const { path = null, itemPath = null } = entry;
  if (!isSafeWord(noun) || ![path, itemPath].every((one) => one === null || isSafePath(one))) return [];
  const operations = operationsIn(entry);
  const lists = operations.some(({ name }) => name === 'list');
  return [
    {
      noun,
      singular: singularOf(noun),
      summary: resourceTitle(noun),
      path,
      itemPath,
      fields: { id: { kind: 'id' } },
      ...(lists && { list: { filters: {}, paged: false, search: true } }),
      operations,
      ...(nested.length > 0 && { nested }),
    },
  ];
}

function operationsIn({ path, itemPath, operations, prefix }: DiscoveredEntry): DescribedOperation[] {
  const documented = operations.flatMap((line) => /^([A-Z]{3,10}) (\/\S*)$/.exec(line)?.slice(1, 3) ?? []);
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at < documented.length; at += 2) pairs.push([documented[at] ?? '', documented[at + 1] ?? '']);
  const all = pairs.length > 0 ? pairs : usual(path, itemPath);
  return all.filter(([, at]) => isSafePath(at)).map(([method, at]) => operationOf(method, at, path, itemPath, prefix));
}

/** Returns the usual operations of a resource. svc assumes these operations if an entry names no operations. */
function usual(path: string | undefined, itemPath: string | undefined): (readonly [string, string])[] {
  const of = (methods: readonly string[], at: string | undefined) =>
    at === undefined ? [] : methods.map((method) => [method, at] as const);
  return [...of(['GET', 'POST'], path), ...of(['GET', 'PATCH', 'DELETE'], itemPath)];
}

const VERBS: Readonly<Record<string, string>> = {
  'GET path': 'list',
  'POST path': 'create',
  'GET item': 'get',
  'PATCH item': 'update',
  'DELETE item': 'delete',
};

function operationOf(
  method: string,
  at: string,
  path: string | undefined,
  itemPath: string | undefined,
  prefix: string | undefined,
): DescribedOperation {
  const same = (one: string, other: string | undefined) => other !== undefined && nameless(one) === nameless(other);
  const place = same(at, path) ? 'path' : same(at, itemPath) ? 'item' : 'other';
  const verb = VERBS[`${method} ${place}`];
  const last = at.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
  const own = place === 'other' ? last.toLowerCase().replace(/[^a-z0-9]+/g, '-') : `${method.toLowerCase()}-${last}`;
  const action = method === 'GET' ? 'read' : method === 'DELETE' ? 'destroy' : 'write';
  return {
    name: verb ?? (isSafeWord(own) ? own : method.toLowerCase()),
    method,
    path: place === 'path' && path !== undefined ? path : place === 'item' && itemPath !== undefined ? itemPath : at,
    ...(prefix !== undefined && { abilities: [`api:${action}:${prefix}`] }),
    ...(verb === undefined && method !== 'GET' && method !== 'DELETE' && { body: {} }),
  };
}

function nameless(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}');
}

/** Returns the name of the resource in a top-level path. Undefined for other paths. */
function topOf(path: string | undefined): string | undefined {
  return /^\/([^/{}]+)$/.exec(path ?? '')?.[1];
}

/** Returns the name of the parent resource in a child resource’s path. Undefined for other paths. */
function childrenIn(path: string): string | undefined {
  return /^\/([^/{}]+)\/\{[^}]+\}\/[^/{}]+$/.exec(path)?.[1];
}

/** Returns the schema names in the `schemas` member of a discovery entry: a string, a list or an object. */
export function schemaNames(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(schemaNames);
  return isJsonObject(value) ? Object.values(value as JsonObject).flatMap(schemaNames) : [];
}
