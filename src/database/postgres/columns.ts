import { isRawNumber, type JsonObject, type JsonValue, scalarText, stringifyJson } from '../../values/json.ts';
import { OTHERS } from '../sql-values.ts';
import type { StoredColumn, TextKind } from '../table-shape.ts';
import { isDay, isDecimal, isLong, isTimestamp } from '../value-form.ts';

// Defines the PostgreSQL columns of the team database, and converts values for them.

type PostgresType = 'bigint' | 'boolean' | 'numeric' | 'text' | 'date' | 'timestamp with time zone' | 'jsonb';

export interface PostgresColumn {
  readonly name: string;
  /** The type, in the spelling of PostgreSQL’s `format_type`. */
  readonly type: PostgresType;
}

/** Returns the PostgreSQL columns for stored columns. The column for other fields is the last column. */
export function postgresColumns(columns: readonly StoredColumn[]): readonly PostgresColumn[] {
  return [...columns.map((column) => ({ name: column.name, type: typeOf(column) })), { name: OTHERS, type: 'jsonb' as const }];
}

const OF_TEXTS: Readonly<Record<TextKind, PostgresType>> = { day: 'date', moment: 'timestamp with time zone', decimal: 'numeric' };

function typeOf({ type, holds }: StoredColumn): PostgresType {
  if (type === 'INTEGER') return 'bigint';
  if (type === 'BOOLEAN') return 'boolean';
  if (type === 'NUMERIC') return 'numeric';
  if (type === 'JSON TEXT') return 'jsonb';
  return holds === undefined ? 'text' : OF_TEXTS[holds];
}

/**
 * Returns a function that writes a record as a line for COPY. A value that does not fit its column goes into the column for other fields.
 * svc therefore loses no value, and no value stops a sync.
 *
 * @param isLeftOut returns true for a field to leave out. The field gets a column later, in which this value is null.
 */
export function lineWriter(
  columns: readonly PostgresColumn[],
  isLeftOut: (name: string, value: JsonValue) => boolean,
): (record: JsonObject) => string {
  const own = columns.filter(({ name }) => name !== OTHERS).map(({ name, type }) => ({ name, write: FITS[type] }));
  const has = new Set(own.map(({ name }) => name));
  return (record) => {
    let line = '';
    const others: string[] = [];
    for (const { name, write } of own) {
      const value = Object.hasOwn(record, name) ? record[name] : null;
      const fitted = value === null || value === undefined ? NULL : write(value);
      line += `${fitted ?? NULL}\t`;
      if (fitted === undefined) others.push(name);
    }
    for (const name in record) if (!has.has(name) && !isLeftOut(name, record[name] ?? null)) others.push(name);
    return `${line}${others.length === 0 ? NULL : escaped(fieldsAsJson(record, others))}`;
  };
}

/** Writes fields as JSON for jsonb. If jsonb refuses a value, the value becomes a string that contains its JSON. */
function fieldsAsJson(record: JsonObject, names: readonly string[]): string {
  const safe = (json: string) => (isJsonb(json) ? json : JSON.stringify(json));
  return `{${names.map((name) => `${safe(JSON.stringify(name))}:${safe(stringifyJson(record[name] ?? null))}`).join(',')}}`;
}

const NULL = '\\N';

/** Converts a value for a column. Returns undefined if the value does not fit the column. */
type Fit = (value: JsonValue) => string | undefined;

const FITS: Readonly<Record<PostgresType, Fit>> = {
  bigint(value) {
    if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
    return isRawNumber(value) && isLong(value.rawJSON) ? value.rawJSON : undefined;
  },
  boolean: (value) => (typeof value === 'boolean' ? (value ? 't' : 'f') : undefined),
  numeric(value) {
    const text = typeof value === 'string' || typeof value === 'number' || isRawNumber(value) ? scalarText(value) : '';
    return isDecimal(text) ? text : undefined;
  },
  // svc stores a value that is not a string as JSON.
  text: (value) => textThatFits(typeof value === 'string' ? value : stringifyJson(value)),
  date: (value) => (typeof value === 'string' && isDay(value) ? value : undefined),
  'timestamp with time zone': (value) => (typeof value === 'string' && isTimestamp(value) ? value : undefined),
  jsonb(value) {
    const text = stringifyJson(value);
    return isJsonb(text) ? escaped(text) : undefined;
  },
};

/**
 * Returns true if jsonb accepts a JSON text: no NUL, no incomplete character, and limits for digits, exponents and depth. Returns false too
 * if a string inside the JSON looks like one of these parts.
 */
function isJsonb(json: string): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])|\d{1000}|\d[eE][+-]?\d{4}/i.test(json) && !isDeep(json);
}

/** Returns an escaped string. Returns undefined for a string that PostgreSQL refuses, with a NUL or an incomplete character. */
function textThatFits(text: string): string | undefined {
  return text.includes('\0') || !text.isWellFormed() ? undefined : escaped(text);
}

/** Escapes a string for COPY, where a tab ends a field and a new line ends a row. */
export function escaped(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (letter) => ESCAPES[letter] ?? letter) : text;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** The deepest nesting of lists and objects that svc stores in jsonb. */
const DEEPEST = 500;

/** Returns true if JSON is so deep that the server might refuse it. Such a value goes into the column for other fields. */
function isDeep(text: string): boolean {
  let depth = 0;
  if (text.length <= 2 * DEEPEST) return false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    // 0x7b matches { and [. 0x7d matches } and ].
    if ((letter | 0x20) === 0x7b) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if ((letter | 0x20) === 0x7d) depth -= 1;
  }
  return false;
}
