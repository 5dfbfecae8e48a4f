import type { Filter, FilterOperator, Resource } from '../../catalog/define.ts';
import type { UsageError } from '../../errors.ts';
import { quoted, recordTable } from '../sql-values.ts';
import { columnsOf } from './learn.ts';
import type { Manner } from './manner.ts';
import type { Copy } from './open-copy.ts';
import { cannotTell, forbiddenThen, refusedThen } from './refusals.ts';

/** What rows of a table are chosen by, as SQLite has it, of a table called `t`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** What choosing rows of a collection takes. */
export interface Choosing {
  readonly copy: Copy;
  readonly table: string;
  /** As the catalog has the collection; undefined where it does not. */
  readonly resource: Pick<Resource, 'filters'> | undefined;
  /** Filters that the service took, and that it refused. */
  readonly manner: Pick<Manner, 'filters' | 'refusedFilters' | 'ownAlone'>;
  /** The id that the word `me` stands for. */
  readonly me: () => number | undefined;
}

/** The filters of a collection: those that the catalog has, and one by ids, with which names are looked up. */
export function filtersOf({ filters }: Pick<Resource, 'filters'>): Readonly<Record<string, Filter>> {
  return { id: { kind: 'id', operators: ['in'], noEquality: true, assumed: true }, ...filters };
}

/** The service takes lists of so many values (rule 8.30). */
const LONGEST_LIST = 100;

/**
 * One `filter[…]` parameter, of those that the catalog knows, on a field that every record of the table shows.
 *
 * @throws RefusedError naming it where the service refused it; UsageError for what the copy cannot tell, and for a value that is not of the field's form.
 */
export function conditionOf({ copy, table, resource, manner, me }: Choosing, parameter: string, value: string): Condition {
  const [, field = '', operator] = /^filter\[([a-z_0-9]+)\](?:\[([a-z]+)\])?$/.exec(parameter) ?? [];
  const filters = resource === undefined ? {} : filtersOf(resource);
  const filter = Object.hasOwn(filters, field) ? filters[field] : undefined;
  const column = columnsOf(copy, table).find(({ name }) => name === field);
  if (filter === undefined || !takes(filter, operator)) throw unknown(parameter);
  if (manner.refusedFilters?.includes(field)) throw refusedThen(parameter);
  if (column === undefined || !manner.filters?.includes(field)) throw unknown(parameter);
  if (!isShown(copy, table, field)) throw unknown(parameter);
  const name = `t.${quoted(field)}`;
  if (operator === 'null') return { sql: `${name} IS ${booleanOf(parameter, value) === 1 ? '' : 'NOT '}NULL`, values: [] };
  const texts = operator === 'in' ? value.split(',') : [value];
  if (texts.length > LONGEST_LIST) throw unfit(parameter, value);
  const values = texts.map((text) => wireValue(parameter, filter, text, me));
  const { ownAlone } = manner;
  if (ownAlone?.field === field && values.some((id) => id !== me())) throw forbiddenThen(ownAlone);
  checkForm(copy, table, field, filter, parameter, values);
  const compared = filter.kind === 'money' || filter.kind === 'decimal' ? `CAST(${name} AS REAL)` : name;
  if (operator === undefined || operator === 'in') return { sql: `${compared} IN (${values.map(() => '?').join(', ')})`, values };
  return { sql: `${compared} ${COMPARISONS[operator as Comparing]} ?`, values };
}

type Comparing = Exclude<FilterOperator, 'in' | 'null'>;
const COMPARISONS: Readonly<Record<Comparing, string>> = { gte: '>=', gt: '>', lte: '<=', lt: '<' };

function takes({ operators, noEquality }: Filter, operator: string | undefined): boolean {
  return operator === undefined ? noEquality !== true : operators.some((known) => known === operator);
}

/** Whether each record has the field: one that does not show it may have any value. */
function isShown(copy: Copy, table: string, field: string): boolean {
  const sql = `SELECT 1 FROM ${quoted(table)} t JOIN ${quoted(recordTable(table))} r ON r.id = t.id
    WHERE t.${quoted(field)} IS NULL AND json_type(r.record, ?) IS NULL LIMIT 1`;
  return copy.all(sql, `$."${field}"`).length === 0;
}

/** @throws UsageError where values are compared that the service may compare in another way than SQLite. */
function checkForm(
  copy: Copy,
  table: string,
  field: string,
  { kind }: Filter,
  parameter: string,
  values: readonly (string | number)[],
): void {
  const name = `t.${quoted(field)}`;
  const found = (condition: string, ...given: (string | number)[]) =>
    copy.all(`SELECT 1 FROM ${quoted(table)} t WHERE ${condition} LIMIT 1`, ...given).length > 0;
  // A day beside a moment: which of the two the service widens is not documented (rule 18.4).
  const isTime = kind === 'date' || kind === 'date-time' || kind === 'span-end' || kind === 'time';
  if (isTime && values.some((value) => found(`length(${name}) <> ?`, String(value).length))) throw unknown(parameter);
  const isText = kind === 'string' || kind === 'html' || kind === 'markdown' || kind === 'enum';
  // Whether it tells `A` from `a` is not documented either.
  if (isText && values.some((value) => found(`${name} = ? COLLATE NOCASE AND ${name} <> ?`, value, value))) throw unknown(parameter);
}

function wireValue(parameter: string, { kind, takesMe }: Filter, text: string, me: Choosing['me']): string | number {
  switch (kind) {
    case 'user':
    case 'id':
    case 'work-item':
    case 'integer':
    case 'duration':
    case 'percentage': {
      const own = text === 'me' && takesMe ? me() : undefined;
      if (own !== undefined) return own;
      if (!/^-?\d{1,15}$/.test(text)) throw unfit(parameter, text);
      return Number(text);
    }
    case 'boolean':
      return booleanOf(parameter, text);
    case 'date':
      if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw unfit(parameter, text);
      return text;
    case 'date-time':
    case 'span-end':
      if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?$/.test(text)) throw unfit(parameter, text);
      return text;
    case 'money':
    case 'decimal':
      if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw unfit(parameter, text);
      return Number(text);
    case 'json':
      throw unknown(parameter);
    default:
      return text;
  }
}

function booleanOf(parameter: string, text: string): number {
  if (!/^(?:true|false|1|0)$/.test(text)) throw unfit(parameter, text);
  return Number(text === 'true' || text === '1');
}

function unknown(parameter: string): UsageError {
  return cannotTell(`Your copy cannot say which records the service would choose by ${parameter}`, 'Leave it out.');
}

function unfit(parameter: string, value: string): UsageError {
  return cannotTell(`Your copy cannot say what ${parameter} would be with ${value.slice(0, 100)}`);
}
