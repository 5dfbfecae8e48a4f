import { isRawNumber, type JsonObject, type JsonValue, ownEntry, stringifyJson } from '../values/json.ts';

// Converts names and values of the service to names and values of SQL.

/** The most columns that SQLite allows in a table by default. */
const MOST_COLUMNS_OF_SQLITE = 2_000;

/** The name of the column that contains all fields without their own column, as JSON. */
export const OTHERS = 'svc_other_fields';

/**
 * Returns the name of a resource’s table: `work-items.comments` becomes `work_items_comments`. A name that svc or SQLite reserves gets the
 * prefix `of_`.
 */
export function tableName(noun: string): string {
  const name = noun.replace(/[-.]/g, '_');
  return /^(?:svc|sqlite)_/.test(name) ? `of_${name}` : name;
}

/**
 * Returns the name of the table with the original records. Only these records keep all digits, and show whether a field is absent or null.
 */
export function recordTable(table: string): string {
  return `svc_record_${table}`;
}

/**
 * Returns a name that is not taken, with a number at the end if necessary. Adds the name to `taken`. For example, `a-b` and `a_b` would
 * have the same table name.
 */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  taken.add(free);
  return free;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The longest name in PostgreSQL, in bytes. PostgreSQL shortens a longer name. */
const LONGEST_NAME = 63;

/** The names of the system columns in every PostgreSQL table. */
const SYSTEM = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']);

/** Returns true if svc can use a name as a column in every database. Returns false for a name that PostgreSQL or svc reserves. */
export function isColumnName(name: string): boolean {
  if (name === '' || name === '__proto__' || name.startsWith('svc_') || SYSTEM.has(name)) return false;
  return !name.includes('\0') && name.isWellFormed() && Buffer.byteLength(name) <= LONGEST_NAME;
}

/** Divides fields into fields with their own column and all other fields. SQLite treats `Name` and `name` as the same column. */
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
 * Converts a field to a column value. Booleans become 0 and 1. Lists and objects become JSON. An absent field becomes NULL, like a null
 * value.
 *
 * @param isText true if the column contains texts. A boolean then becomes a word, as in PostgreSQL.
 */
export function sqlValue(record: JsonObject, name: string, isText = false): string | number | bigint | null {
  const value: JsonValue | undefined = ownEntry(record, name);
  if (value === undefined || value === null) return null;
  if (isText && typeof value === 'boolean') return String(value);
  if (typeof value === 'boolean') return Number(value);
  // SQLite would store an integer of type number as a float, and print `1.0`.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') return value;
  return isRawNumber(value) ? value.rawJSON : stringifyJson(value);
}

/** Returns the given fields of a record as JSON. Returns null if the record has none of these fields. */
export function otherFields(record: JsonObject, names: readonly string[]): string | null {
  const present = names.flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name] as JsonValue] as const] : []));
  return present.length === 0 ? null : stringifyJson(Object.fromEntries(present));
}
