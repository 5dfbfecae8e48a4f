import { isRawNumber, type JsonObject, type JsonValue, scalarText, stringifyJson } from '../../values/json.ts';
import { OTHERS } from '../sql-values.ts';
import type { StoredColumn, TextKind } from '../table-shape.ts';
import { isDay, isDecimal, isLong, isMoment } from '../value-form.ts';

// Columns of PostgreSQL for a table of the team database, and the values that fit into them.

type PostgresType = 'bigint' | 'boolean' | 'numeric' | 'text' | 'date' | 'timestamp with time zone' | 'jsonb';

export interface PostgresColumn {
  readonly name: string;
  /** Type as `format_type` writes it. */
  readonly type: PostgresType;
}

/** Returns the columns of PostgreSQL. The column for other fields comes last. */
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
 * Writes a record as fields of COPY, in the order of the columns. A value that does not fit its column goes to the other fields. No value
 * is lost, and no sync ends because of one.
 *
 * @param isLeftOut whether a field without a column is left out: it gets a column later, whose value is null.
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

/** Writes these fields as JSON that jsonb takes: a value that jsonb refuses becomes a string with its JSON. */
function fieldsAsJson(record: JsonObject, names: readonly string[]): string {
  const safe = (json: string) => (isJsonb(json) ? json : JSON.stringify(json));
  return `{${names.map((name) => `${safe(JSON.stringify(name))}:${safe(stringifyJson(record[name] ?? null))}`).join(',')}}`;
}

const NULL = '\\N';

/** Returns undefined for a value that does not fit. */
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
  // Any other value is stored as its JSON.
  text: (value) => textThatFits(typeof value === 'string' ? value : stringifyJson(value)),
  date: (value) => (typeof value === 'string' && isDay(value) ? value : undefined),
  'timestamp with time zone': (value) => (typeof value === 'string' && isMoment(value) ? value : undefined),
  jsonb(value) {
    const text = stringifyJson(value);
    return isJsonb(text) ? escaped(text) : undefined;
  },
};

/** Whether jsonb takes a JSON text: no NUL, no half of a character, limited digits and depth. Strings that only look so count too. */
function isJsonb(json: string): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])|\d{1000}|\d[eE][+-]?\d{4}/i.test(json) && !isDeep(json);
}

/** PostgreSQL takes no text with a NUL or half of a character. */
function textThatFits(text: string): string | undefined {
  return text.includes('\0') || !text.isWellFormed() ? undefined : escaped(text);
}

/** Escapes a text as a field of COPY: a tab ends a field, and a new line a row. */
export function escaped(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (letter) => ESCAPES[letter] ?? letter) : text;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** The deepest nesting of lists and objects. */
const DEEPEST = 500;

/** Whether JSON is so deep that the server might not read it. A bracket in a string counts too, which only costs the value its column. */
function isDeep(text: string): boolean {
  let depth = 0;
  if (text.length <= 2 * DEEPEST) return false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    // { and [, } and ].
    if ((letter | 0x20) === 0x7b) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if ((letter | 0x20) === 0x7d) depth -= 1;
  }
  return false;
}
