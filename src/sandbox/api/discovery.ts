import type { Interpretations } from '../interpretations.ts';
import type { Json } from '../json.ts';
import { type JsonSchema, objectOf, type ServedResource, storedName } from '../resources/define.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Call, ServedOperation } from './call.ts';
import { operatorsOf, takesFilter } from './filter.ts';
import { envelope, oneOf } from './list.ts';
import { unlessUnchanged } from './lookup.ts';
import { sortNames } from './order.ts';
import { checkQuery, checkRecordQuery, recordReply } from './record.ts';
import { includeNames } from './render.ts';
import type { Reply } from './stores.ts';

const CACHE_SECONDS = 300;

/** The resources whose records decide the result of an action. */
const RULES_OF: Readonly<Record<string, readonly string[]>> = {
  transition: ['workflow-transitions'],
  complete: ['work-items', 'workflow-statuses'],
};

function isThere({ read, switches }: SandboxState, resource: ServedResource): boolean {
  if (read?.unread.has(resource.name) === true) return false;
  return resource.feature === undefined || switches.features.has(resource.feature);
}

/**
 * Returns true if the sandbox offers an operation. The feature and the option of the operation must be on. A sandbox with the records of an
 * organisation offers only operations on resources that svc has read. A top-level list of child records also depends on `topLevelChildren`.
 */
export function isOffered(sandboxState: SandboxState, operation: ServedOperation): boolean {
  const { resource, when, name } = operation;
  if (when?.(sandboxState.interpretations) === false) return false;
  if (RULES_OF[name]?.some((each) => sandboxState.read?.unread.has(each)) === true) return false;
  if (resource === undefined) return true;
  if (!isThere(sandboxState, resource)) return false;
  return !(isTopListOfChildren(operation) && sandboxState.interpretations.topLevelChildren === false);
}

function isTopListOfChildren({ resource, path, name }: ServedOperation): boolean {
  return resource !== undefined && resource.nested.length > 0 && path === `/${resource.path}` && name === 'list';
}

export function serveDiscovery(call: Call, operations: readonly ServedOperation[]): Reply {
  checkQuery(call);
  const view = oneOf(call.query, 'view', ['summary', 'detail']) ?? 'summary';
  const { sandboxState } = call;
  const offered = operations.filter((operation) => isOffered(sandboxState, operation));
  const data = [
    ...sandboxState.service.resources
      .filter((resource) => resource.verbs.length > 0 && isThere(sandboxState, resource))
      .map((resource) => resourceEntry(sandboxState, resource, offered, view === 'detail')),
    ...loneEntries(sandboxState, offered),
  ];
  const page = { per_page: data.length, next_cursor: null, prev_cursor: null, total: data.length, current_page: null, last_page: null };
  const self = `${sandboxState.origin}/api/v2/${call.query.size === 0 ? '' : `?${call.query}`}`;
  return envelope(call, { data, meta: { page }, links: { self, next: null, prev: null } }, CACHE_SECONDS);
}

function resourceEntry(sandboxState: SandboxState, resource: ServedResource, offered: readonly ServedOperation[], detailed: boolean): Json {
  const { interpretations } = sandboxState;
  const mine = offered.filter((operation) => operation.resource === resource);
  const list = mine.find((operation) => operation.path === `/${resource.path}` && operation.name === 'list');
  const listed = resource.nested.length > 0 && interpretations.topLevelChildren !== true ? undefined : list;
  const item = mine.find((operation) => operation.name === 'get');
  const summary = entry(sandboxState, {
    name: resource.path,
    path: listed?.path,
    itemPath: item?.path,
    prefix: resource.prefixes[0],
    schema: resource.schema,
    operations: mine.filter(
      (operation) =>
        (!isAction(operation) || interpretations.discoveryActions === 'in-entry') &&
        !(isTopListOfChildren(operation) && interpretations.topLevelChildren === 'unlisted'),
    ),
  });
  if (!detailed) return summary;
  const filters = Object.entries(resource.fields).flatMap(([name, field]) =>
    field.filter !== undefined && takesFilter(interpretations, resource, storedName(name, field))
      ? [{ field: name, operators: ['eq', ...operatorsOf(field)] }]
      : [],
  );
  const includes = includeNames(resource, interpretations);
  return { ...summary, filters, sorts: sortNames(resource, interpretations), includes, searchable: resource.search.length > 0 };
}

function isAction({ path }: ServedOperation): boolean {
  return path.includes('/actions/');
}

function loneEntries(sandboxState: SandboxState, offered: readonly ServedOperation[]): Json[] {
  const { discoveryActions, discoveryMe, discoveryUploads } = sandboxState.interpretations;
  const wanted = offered.filter(
    (operation) =>
      (discoveryMe && operation.path === '/me') ||
      (discoveryUploads && operation.path === '/upload-tickets') ||
      (discoveryActions === 'own-entry' && isAction(operation)),
  );
  const { named } = sandboxState.service;
  // Upload tickets are not a resource. A request for an upload ticket needs the abilities for work items.
  const tickets = { schema: 'UploadTicket', prefixes: named('work-items').prefixes };
  return wanted.map((operation) => {
    const { name, path, resource } = operation;
    const { schema, prefixes } = resource ?? (path === '/me' ? named('users') : tickets);
    const own = resource === undefined ? path.slice(1) : `${resource.path}.${name}`;
    return entry(sandboxState, { name: own, path, itemPath: undefined, prefix: prefixes[0], schema, operations: [operation] });
  });
}

type Entry = Pick<ServedResource, 'name' | 'schema'> &
  Record<'path' | 'itemPath', string | undefined> & { readonly prefix: string; readonly operations: readonly ServedOperation[] };

function entry(sandboxState: SandboxState, { name, path, itemPath, prefix, schema, operations }: Entry): { [member: string]: Json } {
  const write = (template: string | undefined): string | null => (template === undefined ? null : discoveryPath(sandboxState, template));
  return {
    [sandboxState.interpretations.discoveryName]: name,
    path: write(path),
    item_path: write(itemPath),
    permission_prefix: prefix,
    schemas: { summary: `${schema}Summary`, detail: schema },
    operations: writtenOperations(sandboxState, operations),
  };
}

export function discoverySchema({ discoveryName, discoveryOperations }: Interpretations): JsonSchema {
  const text: JsonSchema = { type: 'string' };
  const place: JsonSchema = { type: ['string', 'null'] };
  const call = objectOf({ name: text, method: text, path: text }, ['method', 'path']);
  const operations =
    discoveryOperations === 'map'
      ? { type: 'object', additionalProperties: call }
      : { type: 'array', items: discoveryOperations === 'texts' ? text : call };
  const filter = objectOf({ field: text, operators: { type: 'array', items: text } });
  const properties = {
    [discoveryName]: text,
    path: place,
    item_path: place,
    permission_prefix: text,
    schemas: objectOf({ summary: text, detail: text }),
    operations,
    filters: { type: 'array', items: filter },
    sorts: { type: 'array', items: text },
    includes: { type: 'array', items: text },
    searchable: { type: 'boolean' },
  };
  return objectOf(properties, [discoveryName, 'path', 'item_path', 'permission_prefix', 'schemas', 'operations']);
}

function writtenOperations(sandboxState: SandboxState, operations: readonly ServedOperation[]): Json {
  const written = operations.map(({ name, method, path }) => ({ name, method, path: discoveryPath(sandboxState, path) }));
  switch (sandboxState.interpretations.discoveryOperations) {
    case 'named':
      return written;
    case 'unnamed':
      return written.map(({ method, path }) => ({ method, path }));
    case 'texts':
      return written.map(({ method, path }) => `${method} ${path}`);
    case 'map':
      // A name can occur twice: at the top level and under a parent. The top-level operation comes first in the list, and takes precedence.
      return Object.fromEntries(written.toReversed().map(({ name, method, path }) => [name, { method, path }]));
  }
}

function discoveryPath({ interpretations, origin }: SandboxState, path: string): string {
  const before = { relative: '', rooted: '/api/v2', absolute: `${origin}/api/v2` };
  return before[interpretations.discoveryPaths] + path;
}

export function serveMe(call: Call): Reply {
  const users = call.sandboxState.service.named('users');
  checkRecordQuery(call, users);
  return unlessUnchanged(call, recordReply(call, users, call.actor.user, 200, true));
}
