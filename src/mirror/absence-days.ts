import { TURNED_DOWN } from '../values/turned-down.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { quoted } from './sql-values.ts';
import { fieldOf, hasAll, showsField, type TablesThere, type TableThere } from './view-parts.ts';
import { ZONES } from './zones.ts';

/**
 * A row for each day that an absence touches, in the zone of the person; absences that were turned down are none. A day is told by the
 * clock alone: it may be no working day, and of half a day there are the times at which it begins and ends, as working hours are no part
 * of SQL. One that runs goes to the day of the copy. An end that is a date is a day of it, one at midnight is not (rule 18.34).
 */
export function absenceDays(tables: TablesThere, dialect: SqlDialect): string | undefined {
  const absences = tables.get('absences');
  if (!hasAll(absences, 'id', 'user_id', 'start', 'end')) return undefined;
  const users = tables.get('users');
  const people = hasAll(users, 'id') ? users : undefined;
  const [type, status] = ['type', 'status'].map((field) => fieldOf(dialect, absences, 'a', field));
  const local = (moment: string) => dialect.later(dialect.utc(moment), offsetAt(dialect.utc(moment)));
  const bound = (column: string, edge: string) =>
    `CASE WHEN length(${column}) = 10 THEN ${dialect.day(column)} || '${edge}' ELSE ${local(column)} END`;
  const looked = `(SELECT min(t."as_of") FROM svc_tables AS t WHERE t."noun" = 'absences')`;
  const off = daysOff(tables, dialect);
  return `WITH RECURSIVE placed AS (
  SELECT a."id", a."user_id", a."start", a."end", ${type} AS type, ${status} AS status,
    CASE WHEN a."end" IS NULL AND ${showsField(dialect, absences, 'a', 'end')} THEN 1 ELSE 0 END AS runs,
    ${zoneOf(people)} AS zone
  FROM ${quoted(absences.table)} AS a${people === undefined ? '' : `\n  LEFT JOIN ${quoted(people.table)} AS u ON u."id" = a."user_id"`}
), bounds AS (
  SELECT a."id", a."user_id", a.type, a.status, a.runs,
    ${bound('a."start"', 'T00:00:00')} AS first,
    CASE WHEN a.runs = 1 THEN substr(${local(looked)}, 1, 10) || 'T24:00:00' ELSE ${bound('a."end"', 'T24:00:00')} END AS last
  FROM placed AS a
  WHERE lower(COALESCE(a.status, '')) NOT IN (${[...TURNED_DOWN].map((word) => `'${word}'`).join(', ')})
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
SELECT d."id" AS absence_id, d.day AS "date", ${dialect.weekday('d.day')} AS weekday, d."user_id"${hasAll(people, 'name') ? ', u."name" AS person' : ''},
  d.type AS "type", d.status AS "status",
  CASE WHEN d.first > d.day || 'T00:00:00' THEN substr(d.first, 12, 5) END AS begins,
  CASE WHEN d.last < d.day || 'T23:59:59' THEN substr(d.last, 12, 5) END AS ends,
  CASE WHEN d.first <= d.day || 'T00:00:00' AND d.last >= d.day || 'T23:59:59' THEN 1 ELSE 0 END AS is_whole_day,
  d.runs AS is_running${off === undefined ? '' : `,\n  ${off} AS day_off`}
FROM days AS d${hasAll(people, 'name') ? `\nLEFT JOIN ${quoted(people.table)} AS u ON u."id" = d."user_id"` : ''}`;
}

/** Minutes that the clock of `a.zone` is before UTC at a moment. */
function offsetAt(moment: string): string {
  return `COALESCE((SELECT z."minutes" FROM ${ZONES} AS z WHERE z."zone" = a.zone AND z."since" <= ${moment} ORDER BY z."since" DESC LIMIT 1), 0)`;
}

/** The zone of a person, where the mirror knows it; else that of whoever synced. */
function zoneOf(people: TableThere | undefined): string {
  return hasAll(people, 'timezone') ? `COALESCE((SELECT min(z."zone") FROM ${ZONES} AS z WHERE z."zone" = u."timezone"), '')` : `''`;
}

/** The name of a holiday or a free day of everybody's, or of this person's. */
function daysOff(tables: TablesThere, dialect: SqlDialect): string | undefined {
  const found = (['holidays', 'free-days'] as const).flatMap((noun) => {
    const there = tables.get(noun);
    if (!hasAll(there, 'date', 'name')) return [];
    const whose = fieldOf(dialect, there, 'o', 'user_id');
    const name = `min(COALESCE(o."name", '${noun === 'holidays' ? 'holiday' : 'free day'}'))`;
    return `(SELECT ${name} FROM ${quoted(there.table)} AS o WHERE o."date" = d.day AND (${whose} IS NULL OR CAST(${whose} AS TEXT) = CAST(d."user_id" AS TEXT)))`;
  });
  return found.length < 2 ? found[0] : `COALESCE(${found.join(', ')})`;
}
