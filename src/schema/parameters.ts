import { withoutUndefined } from '../values/without-undefined.ts';
import type { DescribedFilter, DescribedList } from './described.ts';
import { checkedName, type RawField, rawField } from './fields.ts';
import type { Flat, Schemas } from './flatten.ts';
import { kindOf } from './kind-of.ts';
import { plainText } from './names.ts';
import type { RawOperation, RawParameter } from './operations.ts';
import { textsOf } from './references.ts';

/** A filter whose reference to another resource svc has not resolved yet. */
export interface RawFilter extends Omit<DescribedFilter, 'ref'>, Pick<RawField, 'hint'> {}

/** The query parameters of a list, with filters that svc has not resolved yet. */
export interface RawList extends Omit<DescribedList, 'filters'> {
  readonly filters: Readonly<Record<string, RawFilter>>;
}

/** The parameters that have the same meaning in every list of the service. */
const COMMON: ReadonlySet<string> = new Set(['sort', 'include', 'view', 'trashed', 'page', 'per_page', 'cursor', 'q', 'with_total']);

export function listOf({ query }: RawOperation, schemas: Schemas): RawList {
  const sort = query.get('sort');
  const sorts = sort === undefined ? undefined : wordsOf(sort, schemas)?.map((word) => word.replace(/^[-+]/, ''));
  const standard = sort?.schema.default;
  const trashed = query.get('trashed');
  const most = query.get('per_page')?.schema.maximum;
  return {
    filters: filtersOf(query, schemas),
    ...(sorts !== undefined && { sorts: [...new Set(sorts)] }),
    ...(typeof standard === 'string' && { defaultSort: checkedName(standard) }),
    paged: query.has('page'),
    search: query.has('q'),
    ...(trashed !== undefined && { trashed: wordsOf(trashed, schemas) ?? [] }),
    ...(most !== undefined && Number.isSafeInteger(most) && most > 0 && { maxPerPage: most }),
  };
}

/**
 * Returns the paths that `include` accepts. Undefined if the parameter is missing or lists no values.
 * @throws UsageError for a value that svc does not accept.
 */
export function includesOf(query: RawOperation['query'], schemas: Schemas): string[] | undefined {
  const include = query.get('include');
  const words = include === undefined ? undefined : wordsOf(include, schemas);
  return words === undefined ? undefined : [...new Set(words)];
}

/**
 * Returns the query parameters of an operation, without filters and the common parameters of lists.
 * @throws UsageError for too many fields, or for a name or value that svc does not accept.
 */
export function ownQuery({ query }: RawOperation, schemas: Schemas): Record<string, RawField> {
  return Object.fromEntries(
    [...query.values()].flatMap((parameter) => {
      const { name, schema, said, required } = parameter;
      if (COMMON.has(name) || FILTER.test(name)) return [];
      const field = rawField(schema, schemas, checkedName(name), said['description']);
      return [[name, { ...field, ...(required && { required: true as const }) }]];
    }),
  );
}

const FILTER = /^filter(?:$|\[)/;
const SINGLE_FILTER = /^filter\[([^\][]+)\](?:\[([^\][]+)\])?(?:\[\])?$/;

/** Reads the filters: `filter[field]`, `filter[field][op]`, or a single `filter` in deepObject style. */
function filtersOf(query: RawOperation['query'], schemas: Schemas): Record<string, RawFilter> {
  const filters = new Map<string, RawFilter>();
  /** The certainty of each field’s kind so far; see {@link filterOf}. */
  const sure = new Map<string, number>();
  const add = (field: string, operator: string, schema: Flat) => {
    const known = filters.get(checkedName(field));
    const [fresh, sureness] = filterOf(field, operator, schema, schemas);
    const tells = sureness > (sure.get(field) ?? -1);
    if (tells) sure.set(field, sureness);
    const { operators = [] } = known ?? {};
    filters.set(field, {
      ...(tells ? { ...known, ...fresh } : { ...fresh, ...known }),
      operators: [...new Set([...operators, checkedName(operator)])],
    });
  };
  for (const { name, schema } of query.values()) {
    const [, field, operator = 'eq'] = SINGLE_FILTER.exec(name) ?? [];
    if (field !== undefined) addEach(field, operator, schema);
    else if (name === 'filter') for (const [inner, property] of schema.properties) addEach(inner, 'eq', schemas.flat(property));
  }
  return Object.fromEntries(filters);

  /** Adds each operator of an object schema. A single value in the same schema means equality. */
  function addEach(field: string, operator: string, schema: Flat): void {
    const scalar = schema.types.some((type) => type !== 'object');
    if (operator === 'eq' && schema.properties.size > 0) {
      if (scalar) add(field, 'eq', { ...schema, types: schema.types.filter((type) => type !== 'object') });
      for (const [name, property] of schema.properties) add(field, name, schemas.flat(property));
    } else add(field, operator, schema);
  }
}

/** The operators whose value has the same kind as the field. */
const SAME_KIND: ReadonlySet<string> = new Set(['eq', 'gte', 'lte', 'gt', 'lt']);

/** Reads a filter with one operator. `sureness` is the certainty of the filter’s kind: 0 if the schema does not show the kind, at most 2. */
function filterOf(field: string, operator: string, schema: Flat, schemas: Schemas): [RawFilter, sureness: number] {
  const element = schema.types.includes('array') ? schemas.flat(schema.items) : schema;
  const { values, hint } = rawField(element, schemas, field);
  const exact = element.extensions.has('x-kind');
  // A comma-separated list in one string hides the kind of the field, as the operator `null` does.
  const isOpen = !exact && (operator === 'null' || (operator === 'in' && element === schema));
  const filter: RawFilter = {
    kind: isOpen ? 'string' : kindOf(element, field),
    operators: [],
    ...withoutUndefined({ values: operator === 'null' ? undefined : values, hint }),
  };
  return [filter, isOpen ? 0 : SAME_KIND.has(operator) ? 2 : 1];
}

/**
 * Returns the words that a parameter accepts. svc uses the first source with words. The sources are: an enum, an enum of list items, an
 * extension, a pattern of alternatives, and words in backticks.
 */
function wordsOf({ said, schema }: RawParameter, schemas: Schemas): string[] | undefined {
  const items = schema.items === undefined ? undefined : schemas.flat(schema.items);
  const extended = ['x-values', 'x-enum', 'x-options'].map((name) => textsOf(said[name] ?? schema.extensions.get(name)));
  const lists = [
    schema.values,
    items?.values,
    ...extended,
    alternatives(items?.pattern ?? schema.pattern),
    quoted(said['description'] ?? schema.description),
  ];
  const words = lists.find((list) => list !== undefined && list.length > 0);
  return words?.map(checkedName);
}

/** Returns the words of a pattern such as `^-?(id|name)(,-?(id|name))*$`. The function never runs the pattern. */
function alternatives(pattern: string | undefined): string[] | undefined {
  if (pattern === undefined || pattern.length > 4_000) return undefined;
  const plain = pattern.replace(/\\\./g, '.').replace(/\[[^\]]*\]|\{[\d,]*\}|\\[a-zA-Z]/g, ' ');
  return [...new Set(plain.match(/[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*/g))];
}

/** Returns the words in backticks of a description. In a parameter for relations or fields, these words are its values. */
function quoted(description: unknown): string[] | undefined {
  if (typeof description !== 'string') return undefined;
  const words = [...description.slice(0, 4_000).matchAll(/`-?([a-z][a-z0-9_.]*)`/g)].map(([, word = '']) => word);
  return [...new Set(words)].filter((word) => !COMMON.has(word) && plainText(word) === word);
}
