import type { JsonObject, JsonValue } from '../values/json.ts';
import type { ValueKind } from '../values/kind.ts';
import type { DescribedField, DescribedResource } from './described.ts';

const TYPES: Readonly<Record<ValueKind, JsonObject>> = {
  id: { type: 'integer' },
  user: { type: 'integer' },
  'work-item': { type: 'integer' },
  integer: { type: 'integer' },
  string: { type: 'string' },
  html: { type: 'string', contentMediaType: 'text/html' },
  markdown: { type: 'string', contentMediaType: 'text/markdown' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  'span-end': { type: 'string', format: 'date-time' },
  time: { type: 'string', pattern: '^[0-9]{2}:[0-9]{2}$' },
  duration: { type: 'integer', format: 'minutes' },
  money: { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{2}$' },
  decimal: { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' },
  percentage: { type: 'integer', minimum: 0, maximum: 100 },
  coordinate: { type: 'number' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  enum: { type: 'string' },
  json: {},
};

/**
 * Returns the JSON schema of a field.
 *
 * @param way `shown` in records, `sent` in bodies. A coordinate is a string in records and a number in bodies (rules 2.29, 2.30).
 */
export function fieldSchema(field: Omit<DescribedField, 'write' | 'required'>, way: 'shown' | 'sent'): JsonObject {
  const { kind, items, minimum, maximum, summary, nullable, values, extensible, ref, deprecated } = field;
  const base = kind === 'coordinate' && way === 'shown' ? { type: 'string' } : TYPES[kind];
  const listed = values !== undefined && {
    enum: [...values.map((value) => jsonOf(value, base['type'])), ...(nullable && kind !== 'json' ? [null] : [])],
    ...(extensible && { 'x-extensible-enum': true }),
  };
  const typed =
    kind === 'json'
      ? {
          ...(items === undefined
            ? nullable && { type: ['object', 'null'] }
            : { type: nullable ? ['array', 'null'] : 'array', items: { ...TYPES[items], 'x-kind': items, ...listed } }),
        }
      : { ...base, ...(nullable && { type: [base['type'] as string, 'null'] }), ...listed };
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  return {
    ...typed,
    ...bounds,
    'x-kind': kind,
    'x-ref': ref ?? false,
    ...(summary !== undefined && { description: summary }),
    ...(deprecated && { deprecated: true }),
  };
}

function jsonOf(text: string, type: JsonValue | undefined): JsonValue {
  if (type === 'boolean') return text === 'true';
  return (type === 'integer' || type === 'number') && String(Number(text)) === text ? Number(text) : text;
}

type Assumed = (what: 'filter' | 'include', name: string) => boolean;

/** Returns the common query parameters of a list or of one record. A list also has one parameter for each operator of a filter. */
export function listParameters({ list, includes, views }: DescribedResource, isList: boolean, isAssumed: Assumed): JsonObject[] {
  const parameters: JsonObject[] = [];
  const add = (name: string, schema: JsonObject, more: JsonObject = {}) => parameters.push({ name, in: 'query', ...more, schema });
  if (isList && list !== undefined) {
    if (list.paged) add('page', { type: 'integer', minimum: 1, maximum: 1000 });
    if (list.maxPerPage !== undefined) add('per_page', { type: 'integer', minimum: 1, maximum: list.maxPerPage });
    if (list.search) add('q', { type: 'string' });
    if (list.trashed !== undefined) add('trashed', { type: 'string', ...(list.trashed.length > 0 && { enum: [...list.trashed] }) });
    if (list.sorts !== undefined || list.defaultSort !== undefined) {
      const said = list.sorts && {
        'x-values': [...list.sorts],
        description: 'One of these fields. A - before a field reverses the order.',
      };
      add('sort', { type: 'string', ...(list.defaultSort !== undefined && { default: list.defaultSort }) }, { ...said });
    }
    for (const [name, filter] of Object.entries(list.filters))
      for (const operator of filter.operators)
        add(operator === 'eq' ? `filter[${name}]` : `filter[${name}][${operator}]`, filterSchema(filter, operator), {
          ...(operator === 'in' && { style: 'form', explode: false }),
          ...(isAssumed('filter', name) && { 'x-assumed': true }),
        });
  }
  if (views !== undefined) add('view', { type: 'string', enum: ['summary', 'detail'] });
  const include = includeParameter(includes, isAssumed);
  return include === undefined ? parameters : [...parameters, include];
}

/** Returns the parameter `include`. Undefined without relations. Lists no values if the relations are unknown. */
function includeParameter(includes: DescribedResource['includes'], isAssumed: Assumed): JsonObject | undefined {
  const names = Object.keys(includes ?? {});
  if (includes !== undefined && names.length === 0) return undefined;
  const items = { type: 'string', ...(names.length > 0 && { enum: names }) };
  const documented = names.map((name): [string, JsonValue] => {
    const { many, ref } = includes?.[name] ?? {};
    return [name, { ...(many && { many }), ...(ref !== undefined && { ref }), ...(isAssumed('include', name) && { 'x-assumed': true }) }];
  });
  return {
    name: 'include',
    in: 'query',
    style: 'form',
    explode: false,
    ...(documented.length > 0 && { 'x-includes': Object.fromEntries(documented) }),
    schema: { type: 'array', items },
  };
}

function filterSchema(filter: NonNullable<DescribedResource['list']>['filters'][string], operator: string): JsonObject {
  if (operator === 'null') return { type: 'boolean', 'x-kind': filter.kind, 'x-ref': filter.ref ?? false };
  const { operators: _, ...field } = filter;
  const one = fieldSchema(field, 'sent');
  return operator === 'in' ? { type: 'array', items: one } : one;
}

/** Returns the query parameters that only one operation has. */
export function ownParameters(query: Readonly<Record<string, DescribedField>>): JsonObject[] {
  return Object.entries(query).map(([name, field]) => ({
    name,
    in: 'query',
    ...(field.required && { required: true }),
    schema: fieldSchema(field, 'sent'),
  }));
}
