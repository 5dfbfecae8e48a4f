import type { Resource } from '../../catalog/define.ts';
import { NotAvailableOfflineError, UsageError } from '../../errors.ts';
import type { ValueKind } from '../../values/kind.ts';
import { nearest } from '../../values/suggest.ts';
import type { SqlColumn } from '../sql-dialect.ts';
import { OTHERS, quoted, recordTable } from '../sql-values.ts';
import type { DatabaseSnapshot } from './open-snapshot.ts';

/** A part of an SQL query in which the table is called `t`, with the values of its placeholders. */
export interface SqlPart {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The facts that svc needs to query a stored table. */
export interface StoredTable {
  readonly snapshot: DatabaseSnapshot;
  readonly table: string;
  /** The fields and filters of the resource. Undefined if the catalog does not have the resource. */
  readonly resource: Pick<Resource, 'fields' | 'filters'> | undefined;
  /** The id that the word `me` means. Undefined if the database lacks the id of its user. */
  readonly me: number | undefined;
}

interface Column extends SqlColumn {
  readonly kind: ValueKind;
}

const COMPARISONS: Readonly<Record<string, string>> = { gte: '>=', gt: '>', lte: '<=', lt: '<' };

/**
 * Returns the SQL condition for one `filter[field]` or `filter[field][operator]` parameter. Money and decimals compare as numbers. A date
 * and a date-time compare as dates. Strings compare character by character. Only the operator `null` matches a row without a value.
 *
 * @throws NotAvailableOfflineError that names the parameter, if the field has no column or some stored rows lack the field.
 * @throws NotAvailableOfflineError for an unknown operator, or if PostgreSQL can’t compare a value of the field.
 * @throws UsageError if the value has the wrong type.
 */
export async function filterSql(stored: StoredTable, parameter: string, value: string): Promise<SqlPart> {
  const [, field = '', operator] = /^filter\[([^\][]+)\](?:\[([a-z]+)\])?$/.exec(parameter) ?? [];
  const { snapshot, table } = stored;
  const column = await columnOf(stored, field, parameter);
  const { kind } = column;
  const { sql } = snapshot;
  const name = `t.${quoted(column.name)}`;
  await checkFit(stored, column, parameter);
  const record = `SELECT 1 FROM ${sql.table(recordTable(table))} r WHERE r.id = t.id AND ${sql.shows('r.record', field)}`;
  // If a stored record lacks the field, its value at the service is unknown.
  const hidden = `SELECT 1 FROM ${sql.table(table)} t WHERE ${name} IS NULL AND NOT EXISTS (${record}) LIMIT 1`;
  if ((await snapshot.all(hidden)).length > 0) throw notStored(`${parameter}: some rows were stored without the field ${field}`, parameter);
  if (operator === 'null') return { sql: `${name} IS ${booleanOf(parameter, value) === 1 ? '' : 'NOT '}NULL`, values: [] };
  const values = (operator === 'in' ? value.split(',') : [value]).map((text) => readValue(stored, parameter, kind, text));
  const compare = operator === undefined || operator === 'in' ? '=' : COMPARISONS[operator];
  if (compare === undefined) throw notStored(`the operator of ${parameter}`, parameter);
  const parts = values.map((each): SqlPart => {
    if (isDecimal(kind)) return { sql: `${sql.decimal(column)} ${compare} CAST(? AS DOUBLE PRECISION)`, values: [each] };
    // If two times differ in precision, the comparison uses the lower precision: a date and a date-time compare as dates.
    if (isTime(kind))
      return {
        sql: `substr(${sql.text(column)}, 1, length(CAST(? AS TEXT))) ${compare} substr(CAST(? AS TEXT), 1, length(${sql.text(column)}))`,
        values: [each, each],
      };
    const operands = sql.operands(column, each);
    return { sql: `${operands.column} ${compare} ${operands.value}`, values: [operands.bound] };
  });
  return { sql: `(${parts.map(({ sql }) => sql).join(' OR ')})`, values: parts.flatMap((part) => part.values) };
}

/**
 * Returns the SQL order for a `sort` parameter: `field`, `-field`, or several fields separated by commas. Rows without a value come last in
 * both directions. Equal rows follow the id, in the direction of the first field. Strings compare without regard to the case of A to Z.
 *
 * @throws NotAvailableOfflineError if a field has no column or no values, or if PostgreSQL can’t compare a value.
 */
export async function orderSql(stored: StoredTable, sort: string): Promise<string> {
  const { snapshot, table } = stored;
  const { sql } = snapshot;
  const keys = sort.split(',').map((text) => ({ field: text.replace(/^-/, ''), direction: text.startsWith('-') ? 'DESC' : 'ASC' }));
  const parts: string[] = [];
  for (const { field, direction } of keys) {
    const column = await columnOf(stored, field, 'sort');
    await checkFit(stored, column, 'sort');
    const shown = `SELECT 1 FROM ${sql.table(recordTable(table))} r WHERE ${sql.shows('r.record', field)} LIMIT 1`;
    if (!(await isEmpty(stored)) && (await snapshot.all(shown)).length === 0)
      throw notStored(`sort: no row was stored with the field ${field}`, 'sort');
    const value = isDecimal(column.kind) ? sql.decimal(column) : sql.sortKey(column);
    parts.push(`t.${quoted(column.name)} IS NULL, ${value} ${direction}`);
  }
  return [...parts, `t.id ${keys[0]?.direction ?? 'ASC'}`].join(', ');
}

/**
 * Refuses a column if a value of the field did not fit the column. The database then can’t compare this value with other values.
 *
 * @throws NotAvailableOfflineError for such a column.
 */
async function checkFit({ snapshot, table }: StoredTable, column: SqlColumn, parameter: string): Promise<void> {
  const misfit = snapshot.sql.misfit(column);
  if (misfit === undefined) return;
  if ((await snapshot.all(`SELECT 1 FROM ${snapshot.sql.table(table)} t WHERE ${misfit} LIMIT 1`)).length > 0)
    throw notStored(`${parameter}: PostgreSQL can’t compare some values of ${column.name}`, parameter);
}

async function columnOf(stored: StoredTable, field: string, parameter: string): Promise<Column> {
  const { snapshot, table, resource } = stored;
  const columns = await snapshot.columns(table);
  const known = columns.filter(({ name, type }) => type !== 'JSON TEXT' && type !== 'jsonb' && name !== OTHERS);
  const id = known.find(({ name }) => name === 'id');
  const column = known.find(({ name }) => name === field) ?? ((await isExpected(stored, field)) ? id : undefined);
  if (column === undefined) {
    const near = nearest(
      field,
      known.map(({ name }) => name),
    );
    throw notStored(`${parameter}: ${table} has no stored column "${field}"`, parameter, near && `Did you mean ${near}?`);
  }
  const catalog = <T>(all: Readonly<Record<string, T>> | undefined) => (all && Object.hasOwn(all, field) ? all[field] : undefined);
  const kind = catalog(resource?.fields)?.kind ?? catalog(resource?.filters)?.kind ?? KINDS[column.type] ?? 'string';
  return { ...column, kind };
}

/** Returns true if the catalog has the field and the table has no rows. An empty table has few columns, and a filter finds nothing. */
async function isExpected(stored: StoredTable, field: string): Promise<boolean> {
  const { fields, filters } = stored.resource ?? {};
  const isKnown = [fields, filters].some((all) => all !== undefined && Object.hasOwn(all, field));
  return isKnown && (await isEmpty(stored));
}

async function isEmpty({ snapshot, table }: StoredTable): Promise<boolean> {
  return (await snapshot.all(`SELECT 1 FROM ${snapshot.sql.table(table)} LIMIT 1`)).length === 0;
}

/** The kinds of the columns of SQLite and PostgreSQL that the catalog does not have. */
const KINDS: Readonly<Record<string, ValueKind>> = {
  ...{ INTEGER: 'integer', BOOLEAN: 'boolean', NUMERIC: 'decimal' },
  ...{ bigint: 'integer', boolean: 'boolean', numeric: 'decimal' },
};

function isDecimal(kind: ValueKind): boolean {
  return kind === 'money' || kind === 'decimal' || kind === 'coordinate';
}

function isTime(kind: ValueKind): boolean {
  return kind === 'date' || kind === 'date-time' || kind === 'span-end';
}

function readValue({ me }: StoredTable, parameter: string, kind: ValueKind, text: string): string | number {
  const written = (form: RegExp, what: string) => {
    if (!form.test(text)) throw unfit(parameter, what, text);
    return text;
  };
  switch (kind) {
    case 'user':
    case 'id':
    case 'work-item':
      return text === 'me' && me !== undefined ? me : Number(written(/^\d{1,15}$/, 'an id'));
    case 'integer':
    case 'duration':
    case 'percentage':
      return Number(written(/^-?\d{1,15}$/, 'an integer'));
    case 'money':
    case 'decimal':
    case 'number':
    case 'coordinate':
      return Number(written(/^-?\d{1,15}(?:\.\d+)?$/, 'a decimal number'));
    case 'boolean':
      return booleanOf(parameter, text);
    case 'date':
    case 'date-time':
    case 'span-end':
      return written(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?$/, 'YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ');
    default:
      return text;
  }
}

function booleanOf(parameter: string, text: string): number {
  if (!/^(?:true|false|1|0)$/.test(text)) throw unfit(parameter, 'true or false', text);
  return Number(text === 'true' || text === '1');
}

function unfit(parameter: string, what: string, text: string): UsageError {
  return new UsageError(`${parameter} takes ${what}, not "${text.slice(0, 100)}".`, { hint: 'Write the value in that form.' });
}

/**
 * Creates the error for something that is not available offline.
 *
 * @param what the part that is not available. The message ends with this part and a full stop.
 * @param parameter query parameter that the user can leave out.
 * @param first sentence that the hint starts with.
 */
export function notStored(what: string, parameter: string, first?: string): NotAvailableOfflineError {
  const elsewhere = 'Leave out --offline, or query the local database: svc sql --schema';
  return new NotAvailableOfflineError(
    `Not available offline: ${what}.`,
    parameter,
    first === undefined ? elsewhere : `${first} ${elsewhere}`,
  );
}
