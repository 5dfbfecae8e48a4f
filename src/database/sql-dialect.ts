import type { ExistingTable } from './existing-tables.ts';
import { quoted } from './sql-values.ts';

/** The SQL expressions of views that differ between SQLite and PostgreSQL. */
export interface SqlDialect {
  /** A keyword for a subquery that a view uses several times, so that the database calculates it only once. */
  readonly once: 'MATERIALIZED' | '';
  /** Returns the name of a table in statements, which does not depend on the search path. */
  table(name: string): string;
  /** Returns SQL for a field as a calendar day `YYYY-MM-DD`. The SQL is NULL for other values. */
  day(there: ExistingTable, alias: string, field: string): string;
  /** Returns SQL for a field as a time `YYYY-MM-DDTHH:MM:SSZ`. The SQL is NULL for other values. */
  timestamp(there: ExistingTable, alias: string, field: string): string;
  /** Returns SQL that is true if a field is null or absent in a row. A value that did not fit the column does not count as null. */
  isNull(alias: string, field: string): string;
  /** Returns SQL that converts a day from text to the type of day columns. */
  asDay(day: string): string;
  /** Returns SQL for the next calendar day. */
  nextDay(day: string): string;
  /** Returns SQL for the weekday: 1 for Monday to 7 for Sunday. */
  weekday(day: string): string;
  /** Returns SQL that adds minutes to `YYYY-MM-DDTHH:MM:SSZ`. The minutes may be negative. The result is `YYYY-MM-DDTHH:MM:SS`. */
  later(timestamp: string, minutes: string): string;
  /** Returns SQL that converts a sum of integers to an integer. */
  whole(sum: string): string;
  /** Returns SQL that is true if the original record has a field, null or not. */
  shows(record: string, field: string): string;
}

const columnOf = (alias: string, field: string) => `${alias}.${quoted(field)}`;

export const SQLITE: SqlDialect = {
  once: '',
  table: quoted,
  day(_, alias, field) {
    const text = columnOf(alias, field);
    return `CASE WHEN date(${text}) = ${text} THEN ${text} END`;
  },
  timestamp(_, alias, field) {
    const text = columnOf(alias, field);
    return `CASE WHEN length(${text}) <> 10 THEN strftime('%Y-%m-%dT%H:%M:%SZ', ${text}) END`;
  },
  isNull: (alias, field) => `${columnOf(alias, field)} IS NULL`,
  asDay: (day) => day,
  nextDay: (day) => `date(${day}, '+1 day')`,
  weekday: (day) => `((CAST(strftime('%w', ${day}) AS INTEGER) + 6) % 7 + 1)`,
  later: (timestamp, minutes) => `strftime('%Y-%m-%dT%H:%M:%S', ${timestamp}, (${minutes}) || ' minutes')`,
  whole: (sum) => sum,
  shows: (record, field) => `json_type(${record}, '$.${field}') IS NOT NULL`,
};
