import type { Json } from '../json.ts';
import { unsupportedParameter } from '../problem.ts';
import type { Resource } from '../resources/define.ts';
import { RESOURCES, resourceNamed } from '../resources/index.ts';
import type { World } from '../world.ts';
import type { Call, Operation } from './call.ts';
import { isUnchanged } from './etag.ts';
import { operatorsOf } from './filter.ts';
import { includeNames } from './include.ts';
import { envelope } from './list.ts';
import { oneOf } from './list-query.ts';
import { checkRecordQuery, recordReply } from './record.ts';
import type { Reply } from './reply.ts';

const CACHE_SECONDS = 300;

/** Whether the organisation has the resource: its feature is on. */
function isThere({ switches }: World, resource: Resource): boolean {
  return resource.feature === undefined || switches.features.has(resource.feature);
}

/** Whether the operation is there: its feature is on, and a child may be listed at the top. */
export function isOffered(world: World, operation: Operation): boolean {
  const { resource } = operation;
  if (resource === undefined) return true;
  if (!isThere(world, resource)) return false;
  const isTopList = operation.path === `/${resource.name}` && operation.name === 'list';
  return !(isTopList && resource.nested.length > 0 && !world.knobs.topLevelChildren);
}

/** `GET /`: what this organisation has, whatever the token may do. */
export function discover(call: Call, operations: readonly Operation[]): Reply {
  for (const parameter of call.query.keys()) if (parameter !== 'view') throw unsupportedParameter(parameter);
  const view = oneOf(call.query, 'view', ['summary', 'detail']) ?? 'summary';
  const { world } = call;
  const data = RESOURCES.filter((resource) => resource.verbs.length > 0 && isThere(world, resource)).map((resource) =>
    entry(world, resource, operations, view === 'detail'),
  );
  const page = { per_page: data.length, next_cursor: null, prev_cursor: null, total: data.length, current_page: null, last_page: null };
  const self = `${world.origin}/api/v2/${call.query.size === 0 ? '' : `?${call.query}`}`;
  return envelope(call, { data, meta: { page }, links: { self, next: null, prev: null } }, CACHE_SECONDS);
}

function entry(world: World, resource: Resource, operations: readonly Operation[], detailed: boolean): Json {
  const mine = operations.filter((operation) => operation.resource === resource && isOffered(world, operation));
  const listed = mine.find((operation) => operation.path === `/${resource.name}` && operation.name === 'list');
  const item = mine.find((operation) => operation.name === 'get');
  const write = (path: string | undefined): string | null => (path === undefined ? null : discoveryPath(world, path));
  const summary = {
    name: resource.name,
    path: write(listed?.path),
    item_path: write(item?.path),
    permission_prefix: resource.prefixes[0],
    schemas: { summary: `${resource.schema}Summary`, detail: resource.schema },
    operations: mine.map(({ name, method, path }) => ({ name, method, path: discoveryPath(world, path) })),
  };
  if (!detailed) return summary;
  const filters = Object.entries(resource.fields).flatMap(([name, field]) =>
    field.filter === undefined ? [] : [{ field: name, operators: ['eq', ...operatorsOf(field)] }],
  );
  const sorts = Object.entries(resource.fields).flatMap(([name, field]) => (field.sort === true ? name : []));
  return { ...summary, filters, sorts, includes: includeNames(resource), searchable: resource.search.length > 0 };
}

function discoveryPath({ knobs, origin }: World, path: string): string {
  switch (knobs.discoveryPaths) {
    case 'relative':
      return path;
    case 'rooted':
      return `/api/v2${path}`;
    case 'absolute':
      return `${origin}/api/v2${path}`;
  }
}

/** `GET /me`: the user the token acts as, always under `data`. */
export function me(call: Call): Reply {
  const users = resourceNamed('users');
  checkRecordQuery(call, users);
  const reply = recordReply(call, users, call.actor.user, 200, true);
  return isUnchanged(call.headers, reply.headers?.['ETag'] ?? '') ? { status: 304, headers: reply.headers ?? {} } : reply;
}
