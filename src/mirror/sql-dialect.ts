import { quoted } from './sql-values.ts';
import type { TableThere } from './tables-there.ts';

/** The expressions of views that differ from one database to another. */
export interface SqlDialect {
  /** Marks a part whose rows are used several times, in a database that would compute them each time. */
  readonly once: 'MATERIALIZED' | '';
  /** Returns the name of a table for statements, independent of any search path. */
  table(name: string): string;
  /** Returns a field that is a calendar day, as `YYYY-MM-DD`; else NULL. */
  day(there: TableThere, alias: string, field: string): string;
  /** Returns a field that is a time, as `YYYY-MM-DDTHH:MM:SSZ`; else NULL. */
  moment(there: TableThere, alias: string, field: string): string;
  /** Whether a field with a column is null or absent in a row. A value that the column cannot store does not count. */
  isNull(alias: string, field: string): string;
  /** Converts a day from text to the type of day columns. */
  asDay(day: string): string;
  /** Returns the next calendar day. */
  nextDay(day: string): string;
  /** Returns 1 for Monday to 7 for Sunday. */
  weekday(day: string): string;
  /** Adds minutes, also negative ones, to `YYYY-MM-DDTHH:MM:SSZ`; returns `YYYY-MM-DDTHH:MM:SS`. */
  later(moment: string, minutes: string): string;
  /** Returns a sum of integers as an integer. */
  whole(sum: string): string;
  /** Whether a record, as the service sent it, has a field, null or not. */
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
  moment(_, alias, field) {
    const text = columnOf(alias, field);
    return `CASE WHEN length(${text}) <> 10 THEN strftime('%Y-%m-%dT%H:%M:%SZ', ${text}) END`;
  },
  isNull: (alias, field) => `${columnOf(alias, field)} IS NULL`,
  asDay: (day) => day,
  nextDay: (day) => `date(${day}, '+1 day')`,
  weekday: (day) => `((CAST(strftime('%w', ${day}) AS INTEGER) + 6) % 7 + 1)`,
  later: (moment, minutes) => `strftime('%Y-%m-%dT%H:%M:%S', ${moment}, (${minutes}) || ' minutes')`,
  whole: (sum) => sum,
  shows: (record, field) => `json_type(${record}, '$.${field}') IS NOT NULL`,
};
