/** What one database says otherwise than another, in the questions that views are. Each takes expressions and gives one. */
export interface SqlDialect {
  /** A text that is a calendar day, as it is; else NULL. */
  day(text: string): string;
  /** The next calendar day of one. */
  nextDay(day: string): string;
  /** 1 for Monday to 7 for Sunday. */
  weekday(day: string): string;
  /** A text that is a moment as `YYYY-MM-DDTHH:MM:SSZ`; else NULL. */
  utc(text: string): string;
  /** A moment and minutes, which may be fewer than none, as `YYYY-MM-DDTHH:MM:SS`. */
  later(moment: string, minutes: string): string;
  /** Whether a record, as the service sent it, has a field, null or not. */
  shows(record: string, field: string): string;
  /** A field of those without a column of their own, as a text. */
  otherField(others: string, field: string): string;
}

export const SQLITE: SqlDialect = {
  day: (text) => `CASE WHEN date(${text}) = ${text} THEN ${text} END`,
  nextDay: (day) => `date(${day}, '+1 day')`,
  weekday: (day) => `((CAST(strftime('%w', ${day}) AS INTEGER) + 6) % 7 + 1)`,
  utc: (text) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${text})`,
  later: (moment, minutes) => `strftime('%Y-%m-%dT%H:%M:%S', ${moment}, (${minutes}) || ' minutes')`,
  shows: (record, field) => `json_type(${record}, '$.${field}') IS NOT NULL`,
  otherField: (others, field) => `CAST(${others} ->> '$.${field}' AS TEXT)`,
};
