import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { recordTable } from '../../src/database/sql-values.ts';
import { type Disk, HOME } from './disk.ts';
import type { Service } from './service.ts';
import type { Typed } from './typing.ts';

const PATH = `${HOME}/copy.sqlite`;
const COPIED = ['worklogs', 'labels'];

/** The description of one table in the local database. */
interface CopiedTable {
  readonly noun: string;
  readonly table: string;
  readonly rows: number;
  readonly known_by: string;
  readonly as_of: string;
  readonly whole_at: string;
}

/** The command that updates the local database. */
export const SYNC: Typed = { argv: ['sync', ...COPIED, '--to', PATH], judge: () => [] };

/**
 * Checks a local database that nobody is writing to, even after an interrupted sync. Each table must be complete, in the state of one time,
 * and match its own description. Returns one line per error.
 */
export function judgeDatabase(service: Service, disk: Disk): string[] {
  return reading(disk, (database, tables) => {
    const wrong: string[] = [];
    const [{ integrity_check: state } = {}] = database.prepare('PRAGMA integrity_check').all();
    if (state !== 'ok') wrong.push(`local database: damaged: ${String(state)}`);
    for (const { noun, table, rows, as_of, whole_at } of tables) {
      const ids = idsIn(database, table);
      const recordIds = idsIn(database, recordTable(table));
      if (ids.length !== rows || recordIds.join() !== ids.join())
        wrong.push(`local database: ${table} reports ${rows} rows, but has ${ids.length} and ${recordIds.length} records`);
      const { rows: there } = service.sandboxState.db.table(noun);
      const invented = ids.filter((id) => !there.has(id) && !(noun === 'worklogs' && service.hasBeen(id)));
      if (invented.length > 0) wrong.push(`local database: ${table} has rows that never existed: ${invented.join(', ')}`);
      if (noun === 'worklogs') wrong.push(...judgeTimes(service, database, { table, as_of, whole_at }));
    }
    return wrong;
  });
}

/**
 * Compares the times of a table with the service’s own records. The table must have each change before `as_of`, and no record that was
 * deleted before `whole_at`. Returns one line per error.
 */
function judgeTimes(service: Service, database: DatabaseSync, told: Pick<CopiedTable, 'table' | 'as_of' | 'whole_at'>): string[] {
  const { table, as_of: asOf, whole_at: wholeAt } = told;
  const stored = minutesIn(database, table);
  const wrong: string[] = [];
  for (const row of service.live('worklogs')) {
    if (String(row['updated_at']) >= asOf || stored.get(row.id) === row['minutes']) continue;
    const what = stored.has(row.id) ? `${stored.get(row.id)} minutes` : 'no row';
    wrong.push(`local database: worklog ${row.id} of ${String(row['updated_at'])} has ${what}, but the table was checked at ${asOf}`);
  }
  for (const id of stored.keys())
    if ((service.deletedAt(id) ?? Number.POSITIVE_INFINITY) < Date.parse(wholeAt))
      wrong.push(`local database: worklog ${id} was deleted before ${wholeAt}, when the table was complete`);
  return wrong;
}

/** Checks a local database that was updated while nobody wrote to the service. Returns one line per error. */
export function judgeCurrentDatabase(service: Service, disk: Disk): string[] {
  return reading(disk, (database, tables) => {
    const wrong = COPIED.filter((noun) => !tables.some((table) => table.noun === noun)).map((noun) => `local database: it has no ${noun}`);
    for (const { noun, table, known_by } of tables) {
      const live = service.live(noun);
      const ids = new Set(idsIn(database, table));
      const lost = live.filter(({ id }) => !ids.has(id));
      if (lost.length > 0) wrong.push(`local database: ${table} lacks ${lost.map(({ id }) => id).join(', ')}`);
      // If svc only read the changes, it does not claim to have found all deletions.
      if (known_by !== 'changes' && ids.size > live.length)
        wrong.push(`local database: ${table} has ${ids.size} rows, but ${live.length} records exist`);
      if (noun !== 'worklogs') continue;
      const minutes = minutesIn(database, table);
      for (const row of live)
        if (ids.has(row.id) && minutes.get(row.id) !== row['minutes'])
          wrong.push(`local database: worklog ${row.id} has ${String(row['minutes'])} minutes, but ${minutes.get(row.id)} at the service`);
    }
    return wrong;
  });
}

/** Opens the local database on the simulated disk for a check. A missing file is not an error. */
function reading(disk: Disk, judge: (database: DatabaseSync, tables: readonly CopiedTable[]) => string[]): string[] {
  const path = disk.real(PATH);
  if (!existsSync(path)) return [];
  // Reading a database writes files next to it, so the check works on a copy.
  const scratch = `${path}.judged`;
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, scratch + end);
  const database = new DatabaseSync(scratch);
  try {
    const isMade = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'svc_tables'`).get() !== undefined;
    return isMade ? judge(database, database.prepare('SELECT * FROM svc_tables').all() as unknown as CopiedTable[]) : [];
  } catch (error) {
    return [`local database: cannot be read: ${String(error)}`];
  } finally {
    database.close();
    for (const end of ['', '-wal', '-shm']) rmSync(scratch + end, { force: true });
  }
}

function minutesIn(database: DatabaseSync, table: string): Map<number, number> {
  const rows = database.prepare(`SELECT id, minutes FROM "${table}"`).all();
  return new Map(rows.map((row) => [Number(row['id']), Number(row['minutes'])]));
}

function idsIn(database: DatabaseSync, table: string): number[] {
  return database
    .prepare(`SELECT id FROM "${table}" ORDER BY id`)
    .all()
    .map(({ id }) => Number(id));
}
