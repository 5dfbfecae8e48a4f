import { OTHERS, quoted } from './sql-values.ts';
import type { TableThere } from './tables-there.ts';

/** What one database says otherwise than another, in the questions that views are. Each gives an expression. */
export interface SqlDialect {
  /** Said of a part whose rows are needed more than once, where the database would reckon each anew. */
  readonly once: 'MATERIALIZED' | '';
  /** A table of the mirror, as statements name it wherever else they look for names. */
  table(name: string): string;
  /** A field of a row that is a calendar day, as `YYYY-MM-DD`; else NULL. */
  day(there: TableThere, alias: string, field: string): string;
  /** A field of a row that is a moment, as `YYYY-MM-DDTHH:MM:SSZ`; else NULL. */
  moment(there: TableThere, alias: string, field: string): string;
  /** Whether a field that has a column is null in a row, or absent, and not merely something that the column cannot hold. */
  isNull(alias: string, field: string): string;
  /** A day that is a text, as columns of days have it. */
  asDay(day: string): string;
  /** The next calendar day of one. */
  nextDay(day: string): string;
  /** 1 for Monday to 7 for Sunday. */
  weekday(day: string): string;
  /** A moment as `YYYY-MM-DDTHH:MM:SSZ` and minutes, which may be fewer than none, as `YYYY-MM-DDTHH:MM:SS`. */
  later(moment: string, minutes: string): string;
  /** A sum of whole numbers as one of them. */
  whole(sum: string): string;
  /** Whether a record, as the service sent it, has a field, null or not. */
  shows(record: string, field: string): string;
  /** A field of those without a column of their own, as a text. */
  otherField(alias: string, field: string): string;
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
  otherField: (alias, field) => `CAST(${columnOf(alias, OTHERS)} ->> '$.${field}' AS TEXT)`,
};
