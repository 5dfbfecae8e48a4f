import type { GeneratorValue } from 'fast-check';
import fc from 'fast-check';
import type { ServedOperation } from '../../src/sandbox/api/call.ts';
import { isOffered } from '../../src/sandbox/api/discovery.ts';
import { operatorsOf, takesMe } from '../../src/sandbox/api/filter.ts';
import { OPERATIONS } from '../../src/sandbox/api/operations.ts';
import { includeNames } from '../../src/sandbox/api/render.ts';
import { relationName, type ServedChild, type ServedField, type ServedResource } from '../../src/sandbox/resources/define.ts';
import { RESOURCES, resourceNamed } from '../../src/sandbox/resources/index.ts';
import type { SandboxState } from '../../src/sandbox/sandbox-state.ts';

/** A request before it is sent. */
export interface Draft {
  readonly operation: ServedOperation;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
  body: Record<string, unknown> | string | undefined;
}

// Deleting the token’s owner, or removing the owner from the organisation, would turn each later answer into a 401.
const HARMLESS = OPERATIONS.filter(
  (operation) => answersJson(operation) && (operation.path !== '/users/{user}' || operation.method === 'GET'),
);

/** Returns true if an operation answers in JSON. File contents and the YAML API spec are not JSON. */
export function answersJson({ name }: ServedOperation): boolean {
  return name !== 'download' && name !== 'openapi_yaml';
}

/** Returns true if an operation accepts `view`. */
export function takesView({ query }: ServedOperation): boolean {
  return query === 'list' || query.includes('view');
}

// Each value has its own function, because the generator confuses two calls with different regular expressions.
const requestIds = () => fc.stringMatching(/^[\w-]{1,20}$/);
const fileNames = () => fc.stringMatching(/^\w{1,8}\.txt$/);
const amounts = () => fc.stringMatching(/^-?\d{1,6}(\.\d{1,2})?$/);

/** Generates a request that the documentation allows, for any operation, with any matching parameters and body. */
export function validRequest(g: GeneratorValue, sandboxState: SandboxState, choices: readonly ServedOperation[] = HARMLESS): Draft {
  const there = choices.filter((operation) => isOffered(sandboxState, operation));
  const paths = there.map(({ method, path }) => `${method} ${path}`);
  const chosen = g(fc.constantFrom, ...paths);
  const operation = there[paths.indexOf(chosen)] as ServedOperation;
  const { method, resource, name } = operation;
  const query = new URLSearchParams();
  const isCollection = method === 'GET' && name === 'list';
  const takesInclude = resource !== undefined && ['list', 'get', 'create', 'update'].includes(name);
  if (g(fc.boolean) && takesView(operation)) query.set('view', g(fc.constantFrom, 'summary', 'detail'));
  const many = takesInclude ? addInclude(g, sandboxState, resource, query) : false;
  if (isCollection && resource !== undefined) addListParameters(g, sandboxState, operation, resource, query, many);

  const headers: Record<string, string> = {};
  if (method === 'POST' && g(fc.boolean)) headers['idempotency-key'] = g(fc.uuid);
  if (method === 'PATCH' && g(fc.boolean)) headers['if-match'] = '*';
  if (g(fc.boolean)) headers['x-request-id'] = g(requestIds);
  return { operation, method, path: fill(g, sandboxState, operation), query, headers, body: bodyOf(g, sandboxState, operation) };
}

/** Fills a path, mostly with existing ids. */
function fill(g: GeneratorValue, sandboxState: SandboxState, { path }: ServedOperation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const resource =
      RESOURCES.find((known) => known.parameter === parameter && known.topLevel) ??
      RESOURCES.find((known) => known.parameter === parameter);
    if (resource === undefined || g(fc.integer, { min: 0, max: 19 }) === 0) return g(fc.constantFrom, '999999', '0', '1');
    return String(existing(g, sandboxState, resource.name) ?? 999999);
  });
}

/** Returns the id of some record. Undefined without records. */
function existing(g: GeneratorValue, sandboxState: SandboxState, resource: string): number | undefined {
  const ids = [...sandboxState.db.table(resource).rows.keys()];
  return ids.length === 0 ? undefined : ids[g(fc.nat, { max: ids.length - 1 })];
}

/** Adds an `include` parameter. @returns true if it has a to-many relation. */
function addInclude(g: GeneratorValue, sandboxState: SandboxState, resource: ServedResource, query: URLSearchParams): boolean {
  const names = includeNames(resource, sandboxState.interpretations);
  if (names.length === 0 || g(fc.integer, { min: 0, max: 3 }) > 0) return false;
  const chosen = g(fc.subarray, names, { minLength: 1, maxLength: Math.min(3, names.length) });
  // Half of the to-one paths have a second step.
  const paths = chosen.map((path) => {
    const target = Object.entries(resource.fields).find(([field, definition]) => relationName(field, definition) === path)?.[1].to;
    const further = target === undefined ? [] : includeNames(resourceNamed(target), sandboxState.interpretations);
    return further.length > 0 && g(fc.boolean) ? `${path}.${g(fc.constantFrom, ...further)}` : path;
  });
  query.set('include', paths.join(','));
  return true;
}

function addListParameters(
  g: GeneratorValue,
  sandboxState: SandboxState,
  operation: ServedOperation,
  resource: ServedResource,
  query: URLSearchParams,
  many: boolean,
): void {
  const nested: ServedChild | undefined = resource.nested.find(
    ({ segment }) => operation.path.endsWith(`/${segment}`) && operation.path.includes('{'),
  );
  const counted = nested?.counted ?? resource.counted;
  const add = (chance: number): boolean => g(fc.integer, { min: 1, max: chance }) === 1;
  if (add(2)) query.set('per_page', String(g(fc.integer, { min: 1, max: many ? 25 : 100 })));
  if (counted && add(3)) query.set('page', String(g(fc.integer, { min: 1, max: 1000 })));
  if (!counted && add(3)) query.set('with_total', '1');
  if (resource.search.length > 0 && add(4)) query.set('q', g(fc.string, { unit: 'grapheme', maxLength: 5 }));
  if (resource.softDelete && add(4)) query.set('trashed', g(fc.constantFrom, 'without', 'with', 'only'));
  const sortable = Object.entries(resource.fields).flatMap(([name, field]) => (field.sort === true ? name : []));
  if (add(3)) query.set('sort', `${g(fc.constantFrom, '', '-')}${g(fc.constantFrom, ...sortable)}`);
  const filters = Object.entries(resource.fields).filter(([, field]) => field.filter !== undefined);
  if (filters.length > 0 && add(2)) {
    const [name, field] = g(fc.constantFrom, ...filters);
    const operator = g(fc.constantFrom, 'eq', ...operatorsOf(field));
    const one = (): string => filterValue(g, sandboxState, resource, name, field);
    const value = operator === 'null' ? String(g(fc.boolean)) : operator === 'in' ? [one(), one()].join(',') : one();
    query.set(operator === 'eq' ? `filter[${name}]` : `filter[${name}][${operator}]`, value);
  }
}

function filterValue(g: GeneratorValue, sandboxState: SandboxState, resource: ServedResource, name: string, field: ServedField): string {
  if (field.to === 'users' && takesMe(sandboxState.interpretations, resource, name) && g(fc.boolean)) return 'me';
  const value = legalValue(g, sandboxState, field) ?? 1;
  return typeof value === 'string' ? value.replaceAll(',', '') : String(value);
}

function bodyOf(g: GeneratorValue, sandboxState: SandboxState, { resource, name, path }: ServedOperation): Draft['body'] {
  switch (name) {
    case 'transition':
      return { workflow_status_id: existing(g, sandboxState, 'workflow-statuses') ?? fc.pre(false) };
    case 'move':
      return { after_work_item_id: g(fc.boolean) ? existing(g, sandboxState, 'work-items') : null };
    case 'complete':
      return g(fc.boolean) ? {} : undefined;
    case 'request_upload':
      return {
        file_name: g(fileNames),
        ...(path === '/upload-tickets' && { work_item_id: existing(g, sandboxState, 'work-items') ?? fc.pre(false) }),
      };
    case 'upload':
      return {};
  }
  if (resource === undefined || (name !== 'create' && name !== 'update')) return undefined;
  const fields = Object.entries(resource.fields).filter(
    ([, field]) =>
      field.write !== undefined &&
      field.when?.(sandboxState.interpretations) !== false &&
      ((name === 'create' && field.write === 'required') || g(fc.boolean)),
  );
  const body: Record<string, unknown> = {};
  for (const [field, definition] of fields) {
    const value = definition.nullable === true && g(fc.boolean) ? null : legalValue(g, sandboxState, definition);
    // If all records of a required resource are deleted, the test can’t create the record.
    fc.pre(value !== undefined || definition.write === 'optional');
    if (value !== undefined) body[field] = value;
  }
  return body;
}

/** Returns a value that the field accepts in a body. Undefined if there is none. */
function legalValue(g: GeneratorValue, sandboxState: SandboxState, field: ServedField): unknown {
  switch (field.type) {
    case 'string':
    case 'markdown':
    case 'html':
      return `x${g(fc.string, { unit: 'grapheme', maxLength: 8 })}`;
    case 'integer':
    case 'minutes':
      return g(fc.integer, { min: 0, max: 100_000 });
    case 'percent':
      return g(fc.integer, { min: 0, max: 100 });
    case 'boolean':
      return g(fc.boolean);
    case 'date':
      return timestamp(g).slice(0, 10);
    case 'datetime':
      return `${timestamp(g).slice(0, 19)}Z`;
    case 'time':
      return timestamp(g).slice(11, 16);
    case 'money':
    case 'decimal':
      return g(amounts);
    case 'coordinate':
      return g(fc.double, { min: -180, max: 180, noNaN: true });
    case 'enum':
      return g(fc.constantFrom, ...(field.values ?? []));
    case 'reference':
      return existing(g, sandboxState, field.to ?? '');
    case 'references': {
      const id = existing(g, sandboxState, field.to ?? '');
      return id === undefined ? [] : [id];
    }
    case 'object':
      return {};
  }
}

function timestamp(g: GeneratorValue): string {
  return g(fc.date, { min: new Date('2000-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true }).toISOString();
}
