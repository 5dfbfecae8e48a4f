import type { ServedOperation } from '../api/call.ts';
import { LONGEST_LIST, operatorsOf, takesFilter } from '../api/filter.ts';
import { heedsKey, LONGEST_KEY } from '../api/idempotency.ts';
import { DEFAULT_PER_PAGE, LAST_PAGE, servedListParameters, TRASHED } from '../api/list.ts';
import { descendingKey, sortNames } from '../api/order.ts';
import { includeNames, MOST_ROWS, relation, rowsWith } from '../api/render.ts';
import type { Interpretations } from '../interpretations.ts';
import type { JsonSchema, Operator, ServedField, ServedResource } from '../resources/define.ts';
import { type Components, filterSchema } from './schemas.ts';

const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': { description: 'The server’s id of the request, a ULID.', schema: { type: 'string' } },
  'X-Service-Api-Version': { description: 'The major version of this API.', schema: { type: 'string', enum: ['2'] } },
  RateLimit: {
    description: 'limit, remaining and reset of the rate limit with the fewest rate-limit units left.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': { description: 'The rate-limit units of that rate limit and its window in seconds.', schema: { type: 'string' } },
  'X-RateLimit-Limit': deprecated('The rate-limit units of the rate limit with the fewest rate-limit units left.'),
  'X-RateLimit-Remaining': deprecated('The rate-limit units left in that rate limit.'),
  'X-RateLimit-Reset': deprecated('The time when that rate limit is full again.'),
  'Retry-After': { description: 'The seconds to wait before the next attempt.', schema: { type: 'integer' } },
  ETag: { description: 'The ETag: strong for a record, weak for a page.', schema: { type: 'string' } },
  Location: { description: 'The URL of the new record.', schema: { type: 'string', format: 'uri' } },
  'Idempotency-Replayed': { description: 'The answer was stored for this Idempotency-Key.', schema: { type: 'string', enum: ['true'] } },
};

function deprecated(description: string): JsonSchema {
  return { deprecated: true, description: `${description} Sent until 2027-09-01.`, schema: { type: 'integer' } };
}

const EVERYWHERE = ['X-Request-Id', 'X-Service-Api-Version'];
const RATE_LIMIT = ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

export function headersOf(names: readonly string[], { components, interpretations }: ParameterPlace): JsonSchema {
  const all = [...EVERYWHERE, ...(interpretations.rateLimitHeaders === 'never' ? [] : RATE_LIMIT), ...names];
  return Object.fromEntries(all.map((name) => [name, components.ref('headers', name.replaceAll('-', ''), () => HEADERS[name] ?? {})]));
}

export function describedParameters(
  operation: ServedOperation,
  find: (parameter: string) => ServedResource | undefined,
  at: ParameterPlace,
): JsonSchema[] {
  const { path, query, nested, resource } = operation;
  const { components, interpretations } = at;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(components, name, find(name)));
  const shown = operation.answer(interpretations).resource;
  const plain =
    query === 'list' && resource !== undefined
      ? servedListParameters(resource, nested?.counted ?? resource.counted)
      : query === 'list'
        ? []
        : query;
  const inQuery = plain.flatMap((name) => queryParameter(name, operation, shown ?? resource, at));
  const filters = query === 'list' && resource !== undefined ? filterParameters(resource, interpretations) : [];
  return [...inPath, ...inQuery, ...filters, ...headers(operation, at)];
}

export interface ParameterPlace {
  readonly components: Components;
  readonly interpretations: Interpretations;
}

function pathParameter(components: Components, name: string, resource: ServedResource | undefined): JsonSchema {
  return components.ref('parameters', `${resource?.schema ?? 'Upload'}Id`, () => {
    const { key } = resource ?? {};
    const id = { type: 'integer', format: 'int64', minimum: 1 };
    const schema = key === undefined ? id : { anyOf: [id, { type: 'string', pattern: key.pattern.source }] };
    const words = key === undefined ? 'The id of the record.' : `The id of the record, or its ${key.field.replaceAll('_', ' ')}.`;
    return { name, in: 'path', required: true, description: words, schema };
  });
}

function queryParameter(
  name: string,
  operation: ServedOperation,
  resource: ServedResource | undefined,
  { components, interpretations }: ParameterPlace,
): JsonSchema[] {
  const isList = operation.query === 'list';
  const shared = (part: string, schema: JsonSchema, description: string): JsonSchema[] => [
    components.ref('parameters', part, () => ({ name, in: 'query', description, schema })),
  ];
  switch (name) {
    case 'per_page':
      return shared(
        'PerPage',
        { type: 'integer', minimum: 1, maximum: MOST_ROWS, default: DEFAULT_PER_PAGE },
        `Rows of a page; at most ${rowsWith('')} when include names a to-many relation (${rowsWith('tags')} for tags).`,
      );
    case 'cursor':
      return shared('Cursor', { type: 'string' }, 'The next_cursor of the page before. A cursor is only valid for the same query.');
    case 'page':
      return shared(
        'PageNumber',
        { type: 'integer', minimum: 1, maximum: LAST_PAGE },
        'The number of the page. Do not combine page with cursor.',
      );
    case 'with_total':
      return shared('WithTotal', { type: 'string', enum: ['1'] }, 'Counts the rows, which costs two rate-limit units.');
    case 'q':
      return [{ name, in: 'query', description: 'Text to search for.', schema: { type: 'string' } }];
    case 'trashed':
      return shared(
        'Trashed',
        { type: 'string', enum: TRASHED[interpretations.trashedTakes], default: 'without' },
        'Whether deleted records are listed.',
      );
    case 'view': {
      const usual = isList || resource === undefined ? 'summary' : 'detail';
      const schema = { type: 'string', enum: ['summary', 'detail'], default: usual };
      return shared(isList || resource === undefined ? 'ListView' : 'RecordView', schema, 'How much of each record is shown.');
    }
    case 'sort':
      return resource === undefined ? [] : [sortParameter(resource, interpretations)];
    case 'include':
      return resource === undefined ? [] : includeParameter(resource, interpretations);
  }
  throw new RangeError(`the document has no words for the parameter ${name}`);
}

function sortParameter(resource: ServedResource, interpretations: Interpretations): JsonSchema {
  const names = sortNames(resource, interpretations);
  const keys = names.flatMap((name) =>
    interpretations.descending === 'refused' ? name : [name, descendingKey(name, interpretations.descending)],
  );
  const usual = resource.defaultSort.replace(/^-/, '');
  const isDescending = usual !== resource.defaultSort;
  const first = isDescending && interpretations.descending !== 'refused' ? descendingKey(usual, interpretations.descending) : usual;
  const items = { type: 'string', enum: keys };
  const schema = { type: 'array', items, ...(keys.includes(first) && !(isDescending && first === usual) && { default: [first] }) };
  return { name: 'sort', in: 'query', description: 'Fields to order by, separated by commas.', style: 'form', explode: false, schema };
}

function includeParameter(resource: ServedResource, interpretations: Interpretations): JsonSchema[] {
  const names = includeNames(resource, interpretations);
  if (names.length === 0) return [];
  const many = names.filter((name) => relation(resource, name)?.many === true);
  const words = `Relations to include, separated by commas. A dot continues a relation.${
    many.length === 0 ? '' : ` To-many, which cost three rate-limit units and make pages smaller: ${many.join(', ')}.`
  }`;
  const choice = `(${names.join('|')})(\\.[a-z_]+)*`;
  const form =
    interpretations.openapiIncludes === 'list'
      ? { style: 'form', explode: false, schema: { type: 'array', items: { type: 'string', enum: names } } }
      : { schema: { type: 'string', pattern: `^${choice}(,${choice})*$` } };
  return [{ name: 'include', in: 'query', description: words, ...form }];
}

function filterParameters(resource: ServedResource, interpretations: Interpretations): JsonSchema[] {
  const filtered = Object.entries(resource.fields).filter(
    ([name, field]) => field.filter !== undefined && takesFilter(interpretations, resource, name),
  );
  if (filtered.length === 0) return [];
  if (interpretations.openapiFilters === 'parameters')
    return filtered.flatMap(([name, field]) => singleFilters(resource, name, field, interpretations));
  const properties = Object.fromEntries(filtered.map(([name, field]) => [name, deepFilter(resource, name, field, interpretations)]));
  const schema = { type: 'object', properties, additionalProperties: false };
  return [{ name: 'filter', in: 'query', description: 'The filters of the rows, by field.', style: 'deepObject', explode: true, schema }];
}

const WORDS: Readonly<Record<Operator, string>> = {
  eq: 'is this',
  gte: 'is this or more',
  lt: 'is less than this',
  lte: 'is this or less',
  in: `is one of these, separated by commas; at most ${LONGEST_LIST}`,
  null: 'has no value, or with false has one',
};

function singleFilters(resource: ServedResource, name: string, field: ServedField, interpretations: Interpretations): JsonSchema[] {
  const operators: readonly Operator[] = ['eq', ...operatorsOf(field)];
  return operators.map((operator) => ({
    name: operator === 'eq' ? `filter[${name}]` : `filter[${name}][${operator}]`,
    in: 'query',
    description: `Rows of which ${name} ${WORDS[operator]}.`,
    ...(operator === 'in' && { style: 'form', explode: false }),
    schema: filterSchema(resource, name, field, operator, interpretations),
  }));
}

function deepFilter(resource: ServedResource, name: string, field: ServedField, interpretations: Interpretations): JsonSchema {
  const equal = filterSchema(resource, name, field, 'eq', interpretations);
  const operators = operatorsOf(field);
  if (operators.length === 0) return equal;
  const properties = Object.fromEntries(
    operators.map((operator) => {
      const schema = filterSchema(resource, name, field, operator, interpretations);
      return [operator, { ...schema, description: `Rows of which ${name} ${WORDS[operator]}.` }];
    }),
  );
  const choices = Array.isArray(equal['anyOf']) ? equal['anyOf'] : [equal];
  return { anyOf: [...choices, { type: 'object', properties, additionalProperties: false }] };
}

function headers(
  { method, path, conditional }: Pick<ServedOperation, 'method' | 'path' | 'conditional'>,
  { components, interpretations }: ParameterPlace,
): JsonSchema[] {
  const header = (name: string, description: string, more: JsonSchema = {}, required = false): JsonSchema =>
    components.ref('parameters', name.replaceAll('-', ''), () => ({
      name,
      in: 'header',
      description,
      ...(required && { required }),
      schema: { type: 'string', ...more },
    }));
  const key = () =>
    header(
      'Idempotency-Key',
      'A key for the write. A request with the same key gets the stored answer.',
      { minLength: 1, maxLength: LONGEST_KEY },
      interpretations.idempotencyKey === 'required',
    );
  return [
    header('X-Request-Id', 'Your own id for the log. The answer does not contain it.'),
    ...(method === 'GET' ? [header('If-None-Match', 'The ETags that you have. If the content has not changed, the answer is 304.')] : []),
    ...(conditional ? [header('If-Match', 'The ETag that the record must still have. Otherwise the answer is 412.')] : []),
    ...(method === 'POST' && heedsKey(interpretations, path) ? [key()] : []),
  ];
}
