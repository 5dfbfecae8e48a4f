import { isRawNumber, type JsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
import { ownEntry } from '../values/own-entry.ts';

// How names and values of the service become those of SQL.

/** SQLite takes 2,000 columns where it is not built for more. */
export const MOST_COLUMNS = 2_000;

/** The column for fields that have none of their own, as JSON. */
export const OTHERS = 'svc_other_fields';

/** `work-items.comments` → `work_items_comments`; what would be a table of svc's own or of SQLite's gets a word before it. */
export function tableName(noun: string): string {
  const name = noun.replace(/[-.]/g, '_');
  return /^(?:svc|sqlite)_/.test(name) ? `of_${name}` : name;
}

/** Records as they came, beside the table that SQL asks: a field that is absent there is not null, and numbers keep their digits. */
export function recordTable(table: string): string {
  return `svc_record_${table}`;
}

/** `a-b` and `a_b` would be one table. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  taken.add(free);
  return free;
}

/** A name as SQL has it, whatever is in it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Fields that get a column, and those that cannot: to SQLite, `Name` is another `name`. */
export function columnNames(names: readonly string[]): { readonly own: readonly string[]; readonly others: readonly string[] } {
  const taken = new Set([OTHERS]);
  const distinct = names.filter((name) => {
    const folded = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    return !taken.has(folded) && taken.add(folded);
  });
  const own = distinct.length === names.length && names.length <= MOST_COLUMNS ? distinct : distinct.slice(0, MOST_COLUMNS - 1);
  const has = new Set(own);
  return { own, others: names.filter((name) => !has.has(name)) };
}

/** A field as a column has it: booleans are 0 and 1, lists and objects JSON. An absent one is NULL, like null. */
export function sqlValue(record: JsonObject, name: string): string | number | bigint | null {
  const value: JsonValue | undefined = ownEntry(record, name);
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return Number(value);
  // A number is a float to SQLite otherwise, and `1.0` beside texts.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') return value;
  return isRawNumber(value) ? value.rawJSON : stringifyJson(value);
}

/** These fields of a record as JSON; null where it has none of them. */
export function otherFields(record: JsonObject, names: readonly string[]): string | null {
  const held = names.flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name] as JsonValue] as const] : []));
  return held.length === 0 ? null : stringifyJson(Object.fromEntries(held));
}
