import type { ExistingTable } from '../existing-tables.ts';
import { literal, type SqlColumn, type SqlDialect } from '../sql-dialect.ts';
import { OTHERS, quoted } from '../sql-values.ts';
import { inSchema } from './names.ts';

export const postgresDialect = (schema: string): SqlDialect => ({ ...POSTGRES, table: (name) => inSchema(schema, name) });

/**
 * The SQL expressions that do not depend on the schema. An expression must not fail for any value, because one bad row would make every
 * query fail. Views therefore check a string before a conversion to a date, and rarely parse a record as JSON.
 */
const POSTGRES: Omit<SqlDialect, 'table'> = {
  once: 'MATERIALIZED',
  day(there, alias, field) {
    const column = `${alias}.${quoted(field)}`;
    return there.columns.get(field) === 'date' ? `to_char(${column}, 'YYYY-MM-DD')` : dayIn(textOf(there, alias, field));
  },
  timestamp(there, alias, field) {
    const column = `${alias}.${quoted(field)}`;
    if (there.columns.get(field) === 'timestamp with time zone') return `CASE WHEN ${isNear(column)} THEN ${utc(column)} END`;
    const text = textOf(there, alias, field);
    const timestamp = `(${text})::timestamptz`;
    return `CASE WHEN ${text} ~ '${TIMESTAMP}' THEN CASE WHEN ${dayIn(`substr(${text}, 1, 10)`)} IS NOT NULL THEN CASE WHEN ${isNear(timestamp)} THEN ${utc(timestamp)} END END END`;
  },
  isNull: (alias, field) => `${alias}.${quoted(field)} IS NULL AND ${otherField(alias, field)} IS NULL`,
  asDay: (day) => `(${day})::date`,
  // The last possible date has no next day.
  nextDay: (day) => `CASE WHEN ${day} < '9999-12-31' THEN to_char((${day})::date + 1, 'YYYY-MM-DD') END`,
  weekday: (day) => `extract(isodow FROM (${day})::date)::integer`,
  later: (timestamp, minutes) =>
    `to_char((${timestamp})::timestamp + make_interval(mins => (${minutes})::integer), 'YYYY-MM-DD"T"HH24:MI:SS')`,
  whole: (sum) => `(${sum})::bigint`,
  hasIndexOfLacking: true,
  // A key before the first nested object is a key of the record. No string contains an unescaped quote, so no string looks like a key.
  shows: (record, field) => `CASE
    WHEN strpos(split_part(${record}, '{', 2), ${literal(`${JSON.stringify(field)}:`)}) > 0 THEN true
    WHEN strpos(${record}, ${literal(`${JSON.stringify(field)}:`)}) = 0 THEN false
    WHEN strpos(substr(${record}, 2), '{') = 0 THEN true
    WHEN length(${record}) > ${MOST_BRACKETS} AND length(${record}) - length(translate(${record}, '[{', '')) > ${MOST_BRACKETS} THEN false
    WHEN strpos(${record}, E'\\\\u') = 0 THEN ${record}::json -> ${literal(field)} IS NOT NULL
    ELSE regexp_replace(${record}, ${ESCAPES}, '', 'gi')::json -> ${literal(field)} IS NOT NULL
  END`,
  listedIds: 'SELECT value::bigint FROM jsonb_array_elements_text(CAST(? AS jsonb))',
  operands(column, value) {
    const isNumber = typeof value === 'number' || /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value);
    return NUMBERS.has(column.type) && isNumber
      ? { column: numberOf(column), value: 'CAST(? AS numeric)', bound: value }
      : { column: wireText(column), value: 'CAST(? AS text)', bound: String(value) };
  },
  decimal: (column) =>
    NUMBERS.has(column.type)
      ? `${numberOf(column)}::double precision`
      : `COALESCE(substring(${wireText(column)} from '^-?[0-9]{1,100}(?:[.][0-9]{1,100})?')::double precision, 0)`,
  sortKey: (column) => (NUMBERS.has(column.type) ? numberOf(column) : `lower(${wireText(column)})`),
  text: wireText,
  misfit: ({ name }) => `jsonb_exists(t.${quoted(OTHERS)}, ${literal(name)})`,
};

/** The types of columns whose values compare as numbers. A boolean compares as 0 or 1, as in the local database. */
const NUMBERS: ReadonlySet<string> = new Set(['bigint', 'boolean', 'numeric']);

function numberOf({ name, type }: SqlColumn): string {
  return type === 'boolean' ? `t.${quoted(name)}::integer` : `t.${quoted(name)}`;
}

/** Returns SQL for a column of `t` as the string that the service sends. The string compares byte by byte, as in SQLite. */
function wireText({ name, type }: SqlColumn): string {
  const column = `t.${quoted(name)}`;
  const text =
    type === 'text'
      ? column
      : type === 'date'
        ? `to_char(${column}, 'YYYY-MM-DD')`
        : type === 'timestamp with time zone'
          ? utc(column)
          : `${numberOf({ name, type })}::text`;
  return `(${text}) COLLATE "C"`;
}

/**
 * Returns SQL for a record as jsonb, without Unicode escapes, because the server can’t decode every escape. NULL for a record that jsonb
 * refuses.
 */
export function asJsonb(record: string): string {
  const isTooMuch = `length(${record}) - length(translate(${record}, '[{', '')) > ${MOST_BRACKETS} OR ${record} ~ '[0-9]{255}|[0-9][eE][+-]?[0-9]{4}'`;
  return `CASE
    WHEN ${isTooMuch} THEN NULL
    WHEN strpos(${record}, E'\\\\u') = 0 THEN ${record}::jsonb
    ELSE regexp_replace(${record}, ${ESCAPES}, '', 'gi')::jsonb
  END`;
}

/** Returns SQL for a field from the column for other fields, as text. */
function otherField(alias: string, field: string): string {
  return `(${alias}.${quoted(OTHERS)} ->> '${field}')`;
}

/** Returns SQL for a field as text. If the field’s own column is not a text column, the SQL reads the column for other fields. */
function textOf({ columns }: ExistingTable, alias: string, field: string): string {
  return columns.get(field) === 'text' ? `${alias}.${quoted(field)}` : otherField(alias, field);
}

const DAY = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const TIMESTAMP = `^${DAY}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$`;

/** Returns SQL for a text that is a calendar day, otherwise NULL. The SQL checks the form of the text before the calendar. */
function dayIn(text: string): string {
  const last = `extract(day FROM (substr(${text}, 1, 7) || '-01')::date + interval '1 month -1 day')`;
  return `CASE WHEN ${text} ~ '^${DAY}$' AND ${text} > '0001' THEN CASE WHEN substr(${text}, 9)::integer <= ${last} THEN ${text} END END`;
}

/** Returns SQL that is true if the year of a time has four digits in every time zone. */
function isNear(timestamp: string): string {
  return `${timestamp} >= '0001-01-03T00:00:00Z'::timestamptz AND ${timestamp} < '9999-12-30T00:00:00Z'::timestamptz`;
}

/** Returns SQL that formats a `timestamptz` expression in UTC, as `YYYY-MM-DDTHH:MM:SSZ`. */
export function utc(timestamp: string): string {
  return `to_char(${timestamp} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/**
 * The most brackets in a record that the server parses as JSON. With more brackets, a field after the first nested object counts as absent.
 */
const MOST_BRACKETS = 1_000;

/** Matches escapes in JSON. If the server can’t decode an escape, the query fails, even if the view does not read the field. */
const ESCAPES = String.raw`E'\\\\\\\\|\\\\u[0-9a-f]{4}'`;
