import type { ExistingTable } from './existing-tables.ts';
import { quoted } from './sql-values.ts';

/** A column of a table with records, and its type in the spelling of the database. */
export interface SqlColumn {
  readonly name: string;
  readonly type: string;
}

/** Two SQL operands of the same type: a column of the table `t`, and a placeholder for a value. */
export interface SqlOperands {
  readonly column: string;
  readonly value: string;
  readonly bound: string | number;
}

/** The SQL expressions that differ between SQLite and PostgreSQL. */
export interface SqlDialect {
  /** A keyword with which the database calculates a subquery once, although the view uses the subquery several times. */
  readonly once: 'MATERIALIZED' | '';
  /** Returns the name of a table for statements. The name does not depend on the search path. */
  table(name: string): string;
  /** Returns SQL for a field as a calendar day `YYYY-MM-DD`. The SQL is NULL for other values. */
  day(there: ExistingTable, alias: string, field: string): string;
  /** Returns SQL for a field as a time `YYYY-MM-DDTHH:MM:SSZ`. The SQL is NULL for other values. */
  timestamp(there: ExistingTable, alias: string, field: string): string;
  /** Returns SQL that is true if a field is null or absent in a row. A value that did not fit the column does not count as null. */
  isNull(alias: string, field: string): string;
  /** Returns SQL that converts a day from text to the type of day columns. */
  asDay(day: string): string;
  /** Returns SQL for the calendar day after a day. */
  nextDay(day: string): string;
  /** Returns SQL for the weekday: 1 for Monday to 7 for Sunday. */
  weekday(day: string): string;
  /** Returns SQL that adds minutes to `YYYY-MM-DDTHH:MM:SSZ`. The minutes may be negative. The result is `YYYY-MM-DDTHH:MM:SS`. */
  later(timestamp: string, minutes: string): string;
  /** Returns SQL that converts a sum to an integer type. */
  whole(sum: string): string;
  /**
   * True if views join the few records that lack a field, because an index finds these records. False if views look up the record of each
   * row.
   */
  readonly hasIndexOfLacking: boolean;
  /** Returns SQL that is true if the original record has a field, null or not. The field may have any name. */
  shows(record: string, field: string): string;
  /** A subquery that returns the ids of a JSON list. The list is the value of the next placeholder. */
  readonly listedIds: string;
  /** Returns operands that compare as the service sends the values: numbers by size, strings character by character. */
  operands(column: SqlColumn, value: string | number): SqlOperands;
  /** Returns SQL for a column of `t` as a decimal number. */
  decimal(column: SqlColumn): string;
  /** Returns SQL that orders a column of `t`. Strings compare without regard to the case of A to Z. */
  sortKey(column: SqlColumn): string;
  /** Returns SQL for a column of `t` as the string that the service sends. */
  text(column: SqlColumn): string;
  /** Returns SQL that is true if a value of the field did not fit the column of `t`. Undefined if columns accept every value. */
  misfit(column: SqlColumn): string | undefined;
}

const columnOf = (alias: string, field: string) => `${alias}.${quoted(field)}`;

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

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
  hasIndexOfLacking: false,
  shows: (record, field) => `json_type(${record}, ${literal(`$.${quoted(field)}`)}) IS NOT NULL`,
  listedIds: 'SELECT value FROM json_each(?)',
  operands: ({ name }, bound) => ({ column: columnOf('t', name), value: '?', bound }),
  decimal: ({ name }) => `CAST(${columnOf('t', name)} AS REAL)`,
  sortKey: ({ name }) => `${columnOf('t', name)} COLLATE NOCASE`,
  text: ({ name }) => columnOf('t', name),
  misfit: () => undefined,
};
