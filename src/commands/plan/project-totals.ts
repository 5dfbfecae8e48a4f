import type { SqlDatabase } from '../../database/query-database.ts';
import type { PlannedWrite } from '../../journal/plan-file.ts';
import { referredWrite } from '../../journal/plan-references.ts';
import type { ProjectTotals } from '../../output/plan-report.ts';
import { plannedValues } from '../../records/guarded-writes.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';

/**
 * Returns the minutes of each project whose hours a plan changes, before and after the plan. The local database has the hours. The range
 * goes from the first to the last month of the changed entries. Undefined if the plan changes no entry, or if the database lacks a needed
 * column or a changed entry.
 */
export function projectTotals({ recordOf, runQuery, tables }: SqlDatabase, writes: readonly PlannedWrite[]): ProjectTotals | undefined {
  const columns =
    tables()
      .find(({ name }) => name === 'worklogs')
      ?.columns.map(({ name }) => name) ?? [];
  if (!['date', 'minutes', 'project_id'].every((name) => columns.includes(name))) return undefined;
  const entries = movesOf(writes, recordOf);
  const days = entries
    .map(({ date }) => scalarText(date))
    .filter((day) => /^\d{4}-\d\d-\d\d$/.test(day))
    .sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || days.length < entries.length) return undefined;
  const [from, to] = [`${first.slice(0, 7)}-01`, `${last.slice(0, 7)}-31`];
  const sums = new Map<string, number>();
  const sql = 'SELECT project_id, sum(minutes) AS minutes FROM worklogs WHERE date >= :from AND date <= :to GROUP BY project_id';
  for (const row of runQuery(sql, { from, to }).rows) sums.set(scalarText(row['project_id']), Number(row['minutes']));
  const differences = new Map<string, number>();
  for (const { project_id: project, minutes, sign } of entries)
    differences.set(scalarText(project), (differences.get(scalarText(project)) ?? 0) + Number(sign) * Number(minutes));
  const projects = [...differences].flatMap(([id, difference]) => {
    const before = sums.get(id) ?? 0;
    const made = referredWrite(id);
    const known = made === undefined ? recordOf('projects', Number(id)) : plannedValues(writes[made - 1] ?? {});
    const label = made === undefined ? id : `(write ${made})`;
    const name = id === '' ? 'no project' : `${label} ${scalarText(known?.['name'])}`.trim();
    return difference === 0 ? [] : [{ name, before, after: before + difference }];
  });
  return { from, to: lastDay(to), projects };
}

/**
 * Returns each changed entry twice: before the write with sign −1, and after the write with sign 1. A new entry has no state before, and a
 * deleted entry has no state after.
 */
function movesOf(writes: readonly PlannedWrite[], recordOf: SqlDatabase['recordOf']): readonly JsonObject[] {
  const latest = new Map<string, JsonObject>();
  return writes.flatMap((write, index) => {
    const { before, method, noun, path } = write;
    if (noun !== 'worklogs' || path.includes('/actions/')) return [];
    const id = method === 'POST' ? `{${index + 1}}` : ((path.split('?', 1)[0] ?? '').split('/').at(-1) ?? '');
    const old = method === 'POST' ? undefined : { ...recordOf('worklogs', Number(id)), ...before, ...latest.get(id) };
    const now = method === 'DELETE' ? undefined : { ...old, ...plannedValues(write) };
    latest.set(id, now ?? {});
    return [...(old === undefined ? [] : [{ ...old, sign: -1 }]), ...(now === undefined ? [] : [{ ...now, sign: 1 }])];
  });
}

/** Returns the last day of a month. @param day a day of the month. */
function lastDay(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
