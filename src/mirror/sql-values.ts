import { isRawNumber, type JsonObject, type JsonValue, ownEntry, stringifyJson } from '../values/json.ts';

// Converts names and values of the service to those of SQL.

/** SQLite takes 2,000 columns by default. */
const MOST_COLUMNS_OF_SQLITE = 2_000;

/** The column for fields that have none of their own, as JSON. */
export const OTHERS = 'svc_other_fields';

/** Returns a table name: `work-items.comments` → `work_items_comments`. A name that svc or SQLite reserves gets a prefix. */
export function tableName(noun: string): string {
  const name = noun.replace(/[-.]/g, '_');
  return /^(?:svc|sqlite)_/.test(name) ? `of_${name}` : name;
}

/**
 * Returns the table with the records as the service sent them. Only these records show whether a field is absent or null, and keep all
 * digits.
 */
export function recordTable(table: string): string {
  return `svc_record_${table}`;
}

/** Returns an unused name: `a-b` and `a_b` would be one table. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  taken.add(free);
  return free;
}

/** Quotes any name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** PostgreSQL cuts longer names, in bytes. */
const LONGEST_NAME = 63;

/** Columns that every table of PostgreSQL has. */
const SYSTEM = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']);

/** Whether a field may have a column of its name in every database. */
export function isColumnName(name: string): boolean {
  if (name === '' || name === '__proto__' || name.startsWith('svc_') || SYSTEM.has(name)) return false;
  return !name.includes('\0') && name.isWellFormed() && Buffer.byteLength(name) <= LONGEST_NAME;
}

/** Returns the fields that get a column, and the others: to SQLite, `Name` and `name` are the same column. */
export function columnNames(names: readonly string[]): { readonly own: readonly string[]; readonly others: readonly string[] } {
  const taken = new Set([OTHERS]);
  const distinct = names.filter((name) => {
    const folded = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    return !taken.has(folded) && taken.add(folded);
  });
  const own =
    distinct.length === names.length && names.length <= MOST_COLUMNS_OF_SQLITE ? distinct : distinct.slice(0, MOST_COLUMNS_OF_SQLITE - 1);
  const has = new Set(own);
  return { own, others: names.filter((name) => !has.has(name)) };
}

/**
 * Converts a field to a column value: booleans to 0 and 1, lists and objects to JSON. An absent field is NULL, like null.
 *
 * @param isText whether the column has texts: a boolean is then a word, as in PostgreSQL.
 */
export function sqlValue(record: JsonObject, name: string, isText = false): string | number | bigint | null {
  const value: JsonValue | undefined = ownEntry(record, name);
  if (value === undefined || value === null) return null;
  if (isText && typeof value === 'boolean') return String(value);
  if (typeof value === 'boolean') return Number(value);
  // SQLite would store any other number as a float, and show `1.0` beside texts.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') return value;
  return isRawNumber(value) ? value.rawJSON : stringifyJson(value);
}

/** Returns these fields of a record as JSON; null if it has none of them. */
export function otherFields(record: JsonObject, names: readonly string[]): string | null {
  const held = names.flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name] as JsonValue] as const] : []));
  return held.length === 0 ? null : stringifyJson(Object.fromEntries(held));
}
