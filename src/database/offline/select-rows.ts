import type { Resource } from '../../catalog/define.ts';
import { NotAvailableOfflineError, UsageError } from '../../errors.ts';
import type { ValueKind } from '../../values/kind.ts';
import { nearest } from '../../values/suggest.ts';
import { quoted, recordTable } from '../sql-values.ts';
import type { DatabaseSnapshot } from './open-snapshot.ts';

/** A part of an SQL query in which the table is called `t`, with the values of its placeholders. */
export interface SqlPart {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** A stored table, and the catalog’s description of its fields. */
export interface StoredTable {
  readonly snapshot: DatabaseSnapshot;
  readonly table: string;
  /** The fields and filters of the resource. Undefined if the catalog does not have the resource. */
  readonly resource: Pick<Resource, 'fields' | 'filters'> | undefined;
  /** The id that the word `me` means. Undefined if the database does not know its user. */
  readonly me: number | undefined;
}

interface Column {
  /** The quoted name in SQL. */
  readonly name: string;
  readonly kind: ValueKind;
}

const COMPARISONS: Readonly<Record<string, string>> = { gte: '>=', gt: '>', lte: '<=', lt: '<' };

/**
 * Returns the SQL condition for one `filter[field]` or `filter[field][operator]` parameter. Money and decimals compare as numbers. A date
 * and a date-time compare as dates. Strings compare character by character. Only `null` matches a row without a value.
 * @throws NotAvailableOfflineError that names the parameter, if the field has no column or some stored rows lack the field.
 * @throws UsageError if the value has the wrong type.
 */
export function filterSql(stored: StoredTable, parameter: string, value: string): SqlPart {
  const [, field = '', operator] = /^filter\[([^\][]+)\](?:\[([a-z]+)\])?$/.exec(parameter) ?? [];
  const { snapshot, table } = stored;
  const { name, kind } = columnOf(stored, field, parameter);
  const hidden = `t.${name} IS NULL AND NOT EXISTS (SELECT 1 FROM ${quoted(recordTable(table))} r WHERE r.id = t.id AND json_type(r.record, ?) = 'null')`;
  // If a stored record lacks the field, its value at the service is unknown.
  if (snapshot.all(`SELECT 1 FROM ${quoted(table)} t WHERE ${hidden} LIMIT 1`, `$.${quoted(field)}`).length > 0)
    throw notStored(`${parameter}: some rows were stored without the field ${field}`, parameter);
  if (operator === 'null') return { sql: `t.${name} IS ${booleanOf(parameter, value) === 1 ? '' : 'NOT '}NULL`, values: [] };
  const values = (operator === 'in' ? value.split(',') : [value]).map((text) => readValue(stored, parameter, kind, text));
  const compare = operator === undefined || operator === 'in' ? '=' : COMPARISONS[operator];
  if (compare === undefined) throw notStored(`the operator of ${parameter}`, parameter);
  const parts = values.map((each): SqlPart => {
    if (kind === 'money' || kind === 'decimal' || kind === 'coordinate')
      return { sql: `CAST(t.${name} AS REAL) ${compare} ?`, values: [each] };
    // A date and a date-time compare only as far as the shorter one goes.
    if (isTime(kind)) return { sql: `substr(t.${name}, 1, length(?)) ${compare} substr(?, 1, length(t.${name}))`, values: [each, each] };
    return { sql: `t.${name} ${compare} ?`, values: [each] };
  });
  return { sql: `(${parts.map(({ sql }) => sql).join(' OR ')})`, values: parts.flatMap((part) => part.values) };
}

/**
 * Returns the SQL order for a `sort` parameter: `field`, `-field`, or several fields separated by commas. Rows without a value come last in
 * both directions. Equal rows follow the id, in the direction of the first field. Strings compare without regard to the case of A to Z.
 *
 * @throws NotAvailableOfflineError if a field has no column, or if no stored row has the field.
 */
export function orderSql(stored: StoredTable, sort: string): string {
  const keys = sort.split(',').map((text) => ({ field: text.replace(/^-/, ''), direction: text.startsWith('-') ? 'DESC' : 'ASC' }));
  const parts = keys.map(({ field, direction }) => {
    const { name, kind } = columnOf(stored, field, 'sort');
    const { snapshot, table } = stored;
    const shown = `SELECT 1 FROM ${quoted(recordTable(table))} WHERE json_type(record, ?) IS NOT NULL LIMIT 1`;
    if (snapshot.all(`SELECT 1 FROM ${quoted(table)} LIMIT 1`).length > 0 && snapshot.all(shown, `$.${quoted(field)}`).length === 0)
      throw notStored(`sort: no row was stored with the field ${field}`, 'sort');
    const value = kind === 'money' || kind === 'decimal' || kind === 'coordinate' ? `CAST(t.${name} AS REAL)` : `t.${name}`;
    return `t.${name} IS NULL, ${value} COLLATE NOCASE ${direction}`;
  });
  return [...parts, `t.id ${keys[0]?.direction ?? 'ASC'}`].join(', ');
}

function columnOf(stored: StoredTable, field: string, parameter: string): Column {
  const { snapshot, table, resource } = stored;
  const columns = snapshot.all<{ readonly name: string; readonly type: string }>('SELECT name, type FROM pragma_table_info(?)', table);
  const known = columns.filter(({ type }) => type !== 'JSON TEXT');
  const column = known.find(({ name }) => name === field) ?? (isExpected(stored, field) ? { name: '', type: '' } : undefined);
  if (column === undefined) {
    const near = nearest(
      field,
      known.map(({ name }) => name),
    );
    throw notStored(`${parameter}: ${table} has no stored column "${field}"`, parameter, near && `Did you mean ${near}?`);
  }
  const catalog = <T>(all: Readonly<Record<string, T>> | undefined) => (all && Object.hasOwn(all, field) ? all[field] : undefined);
  const kind = catalog(resource?.fields)?.kind ?? catalog(resource?.filters)?.kind ?? KINDS[column.type] ?? 'string';
  return { name: column.name === '' ? 'id' : quoted(field), kind };
}

/**
 * Returns true if the catalog has the field and the table has no rows. An empty table has few columns, and any filter gives an empty
 * result.
 */
function isExpected({ snapshot, table, resource }: StoredTable, field: string): boolean {
  const isKnown = [resource?.fields, resource?.filters].some((all) => all !== undefined && Object.hasOwn(all, field));
  return isKnown && snapshot.all(`SELECT 1 FROM ${quoted(table)} LIMIT 1`).length === 0;
}

const KINDS: Readonly<Record<string, ValueKind>> = { INTEGER: 'integer', BOOLEAN: 'boolean', NUMERIC: 'decimal' };

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
 * @param what the thing that is not available; the message continues with it and adds a full stop.
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
