import { TURNED_DOWN } from '../values/statuses.ts';
import type { ExistingTable, ExistingTables } from './existing-tables.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { hasAll, missingColumn, noView, showsFields, type ViewParts } from './view-parts.ts';
import { ZONES } from './zones.ts';

/**
 * Returns the view with one row for each day of an absence, in the time zone of the person. Rejected and withdrawn absences have no rows.
 *
 * The days follow the calendar only: the view does not use the working hours. A day of the view can therefore be a day off. Half days show
 * the times at which the absence starts and ends.
 *
 * An absence without an end lasts until the day on which svc last checked the table. An end that is a date includes that date. An end at
 * midnight excludes the day that starts then (rule 18.34).
 */
export function absenceDays(tables: ExistingTables, dialect: SqlDialect): ViewParts {
  const absences = tables.get('absences');
  if (!hasAll(absences, 'id', 'user_id', 'start', 'end'))
    return noView(missingColumn(tables, 'absences', 'id', 'user_id', 'start', 'end') ?? 'absences');
  const users = tables.get('users');
  const people = hasAll(users, 'id') ? users : undefined;
  const [type, status] = ['type', 'status'].map((field) => columnOr(absences, 'a', field));
  const shown = ['type', 'status'].filter((field) => absences.columns.has(field));
  const lacks = new Map<string, string>();
  const lack = (name: string, needs: string | undefined) => needs === undefined || lacks.set(name, needs);
  for (const field of ['type', 'status']) lack(field, missingColumn(tables, 'absences', field));
  lack('person', missingColumn(tables, 'users', 'id', 'name'));
  const local = (timestamp: string) => dialect.later(timestamp, offsetAt(dialect, timestamp));
  const checkedAt = `(SELECT min(t."as_of") FROM ${dialect.table('svc_tables')} AS t WHERE t."noun" = 'absences')`;
  const off = daysOff(tables, dialect);
  if (off === undefined) lack('day_off', missingColumn(tables, 'holidays', 'date', 'name'));
  const select = `WITH RECURSIVE placed AS ${dialect.once} (
  SELECT a."id", a."user_id", ${type} AS type, ${status} AS status,
    ${dialect.day(absences, 'a', 'start')} AS first_day, ${dialect.timestamp(absences, 'a', 'start')} AS begun,
    ${dialect.day(absences, 'a', 'end')} AS last_day, ${dialect.timestamp(absences, 'a', 'end')} AS ended,
    (${dialect.isNull('a', 'end')} AND ${showsFields(dialect, absences, 'a', ['end'])}) IS TRUE AS runs,
    ${zoneOf(dialect, people)} AS zone
  FROM ${dialect.table(absences.table)} AS a${people === undefined ? '' : `\n  LEFT JOIN ${dialect.table(people.table)} AS u ON u."id" = a."user_id"`}
), bounds AS ${dialect.once} (
  SELECT a."id", a."user_id", a.type, a.status, a.runs,
    COALESCE(a.first_day || 'T00:00:00', ${local('a.begun')}) AS first,
    CASE WHEN a.runs THEN substr(${local(checkedAt)}, 1, 10) || 'T24:00:00' ELSE COALESCE(a.last_day || 'T24:00:00', ${local('a.ended')}) END AS last
  FROM placed AS a
  WHERE lower(COALESCE(CAST(a.status AS TEXT), '')) NOT IN (${[...TURNED_DOWN].map((word) => `'${word}'`).join(', ')})
), spans AS (
  SELECT b."id", b."user_id", b.type, b.status, b.runs, b.first,
    CASE WHEN b.first = b.last AND substr(b.first, 12) = '00:00:00' THEN substr(b.first, 1, 10) || 'T24:00:00' ELSE b.last END AS last
  FROM bounds AS b
), days AS (
  SELECT s.*, substr(s.first, 1, 10) AS day FROM spans AS s WHERE s.last > s.first
  UNION ALL
  SELECT d."id", d."user_id", d.type, d.status, d.runs, d.first, d.last, ${dialect.nextDay('d.day')}
  FROM days AS d WHERE ${dialect.nextDay('d.day')} || 'T00:00:00' < d.last
)
SELECT d."id" AS absence_id, ${dialect.asDay('d.day')} AS "date", ${dialect.weekday('d.day')} AS weekday, d."user_id"${hasAll(people, 'name') ? ', u."name" AS person' : ''}${shown.map((field) => `, d.${field} AS "${field}"`).join('')},
  CASE WHEN d.first > d.day || 'T00:00:00' THEN substr(d.first, 12, 5) END AS begins,
  CASE WHEN d.last < d.day || 'T23:59:59' THEN substr(d.last, 12, 5) END AS ends,
  (d.first <= d.day || 'T00:00:00' AND d.last >= d.day || 'T23:59:59') IS TRUE AS is_whole_day,
  d.runs AS is_running${off === undefined ? '' : `,\n  ${off} AS day_off`}
FROM days AS d${hasAll(people, 'name') ? `\nLEFT JOIN ${dialect.table(people.table)} AS u ON u."id" = d."user_id"` : ''}`;
  return { select, lacks };
}

/** Returns SQL for a column, or `NULL` if the table lacks the column. */
function columnOr({ columns }: ExistingTable, alias: string, field: string): string {
  return columns.has(field) ? `${alias}."${field}"` : 'NULL';
}

/** Returns SQL for the UTC offset of the zone `a.zone` at a time, in minutes. */
function offsetAt(dialect: SqlDialect, timestamp: string): string {
  return `COALESCE((SELECT z."minutes" FROM ${dialect.table(ZONES)} AS z WHERE z."zone" = a.zone AND z."since" <= ${timestamp} ORDER BY z."since" DESC LIMIT 1), 0)`;
}

/** Returns SQL for a person’s time zone. An empty name means the zone of the user who ran the sync. */
function zoneOf(dialect: SqlDialect, people: ExistingTable | undefined): string {
  return hasAll(people, 'timezone')
    ? `COALESCE((SELECT min(z."zone") FROM ${dialect.table(ZONES)} AS z WHERE z."zone" = u."timezone"), '')`
    : `''`;
}

/**
 * Returns SQL for the name of a holiday or free day. The day applies to everyone, or to this person only. Undefined if neither table exists
 * with dates and names.
 */
function daysOff(tables: ExistingTables, dialect: SqlDialect): string | undefined {
  const found = (['holidays', 'free-days'] as const).flatMap((noun) => {
    const there = tables.get(noun);
    if (!hasAll(there, 'date', 'name')) return [];
    const whose = columnOr(there, 'o', 'user_id');
    const name = `min(COALESCE(o."name", '${noun === 'holidays' ? 'holiday' : 'free day'}'))`;
    return `(SELECT ${name} FROM ${dialect.table(there.table)} AS o WHERE o."date" = ${dialect.asDay('d.day')} AND (${whose} IS NULL OR CAST(${whose} AS TEXT) = CAST(d."user_id" AS TEXT)))`;
  });
  return found.length < 2 ? found[0] : `COALESCE(${found.join(', ')})`;
}
