import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { recordTable } from '../../src/database/sql-values.ts';
import { type Disk, HOME } from './disk.ts';
import type { Ended } from './process.ts';
import { differences } from './reading.ts';
import type { Service, ShownRecord } from './service.ts';
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

/** The changes of time entries that `svc changes` printed. */
export interface Feed {
  /** True if an `svc changes` has succeeded. Every later change must then be printed. */
  readonly hasBegun: boolean;
  /** The command that updates the local database and prints its changes. */
  read(): Typed;
  /** Notes the rows of the local database after the first successful `svc changes`. */
  begin(): void;
  /** Checks, after a read of the last changes, that each difference since the beginning was printed. Returns one line per error. */
  judgeComplete(): string[];
}

interface PrintedChange {
  readonly id: string;
  readonly kind: string;
  readonly noun: string;
  readonly record_id: number;
  readonly after: { readonly minutes?: number } | null;
}

export function createFeed(disk: Disk): Feed {
  const printed = new Map<string, string>();
  const changes: PrintedChange[] = [];
  let hasSucceeded = false;
  let first: ReadonlyMap<number, number> | undefined;

  /** Reads the lines of a run, which a kill can cut off. Returns one line per error. */
  function receive({ code, stdout }: Ended): string[] {
    const lines = stdout.split('\n').slice(0, -1);
    hasSucceeded ||= code === 0;
    return lines.flatMap((line) => {
      const change = JSON.parse(line) as PrintedChange;
      const before = printed.get(change.id);
      printed.set(change.id, line);
      changes.push(change);
      return before === undefined || before === line ? [] : [`changes: ${change.id} was ${before}, and is ${line}`];
    });
  }

  return {
    get hasBegun() {
      return first !== undefined;
    },
    read: () => ({ argv: ['changes', ...COPIED, '--to', PATH, '-o', 'ndjson'], judge: receive }),
    begin() {
      if (hasSucceeded && first === undefined) first = currentMinutes(disk);
    },
    judgeComplete() {
      const now = currentMinutes(disk);
      const of = (id: number) => changes.filter(({ noun, record_id }) => noun === 'worklogs' && record_id === id);
      const missed = [...now].filter(
        ([id, minutes]) => first?.get(id) !== minutes && !of(id).some(({ after }) => after?.minutes === minutes),
      );
      const deleted = [...(first?.keys() ?? [])].filter((id) => !now.has(id) && !of(id).some(({ kind }) => kind === 'deleted'));
      return [
        ...missed.map(([id, minutes]) => `changes: worklog ${id} has ${minutes} minutes, which no change printed`),
        ...deleted.map((id) => `changes: worklog ${id} is gone, and no change printed it`),
      ];
    },
  };
}

function currentMinutes(disk: Disk): Map<number, number> {
  let minutes = new Map<number, number>();
  reading(disk, (database, tables) => {
    const hours = tables.find(({ noun }) => noun === 'worklogs');
    if (hours !== undefined) minutes = minutesIn(database, hours.table);
    return [];
  });
  return minutes;
}

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

/** Checks a local database that was updated while nobody wrote to the service, with all fields. Returns one line per error. */
export async function judgeCurrentDatabase(service: Service, disk: Disk): Promise<string[]> {
  const records = new Map<string, readonly ShownRecord[]>();
  for (const noun of COPIED) records.set(noun, await service.records(noun, 'detail'));
  return reading(disk, (database, tables) => {
    const wrong = COPIED.filter((noun) => !tables.some((table) => table.noun === noun)).map((noun) => `local database: it has no ${noun}`);
    for (const { noun, table, known_by } of tables) {
      const live = records.get(noun) ?? [];
      const rows = database.prepare(`SELECT id, record FROM "${recordTable(table)}"`).all();
      const stored = new Map(rows.map(({ id, record }) => [Number(id), JSON.parse(String(record)) as object]));
      wrong.push(...differences(`local database: ${noun}`, stored, live));
      // If svc only read the changes, it does not claim to have found all deletions.
      if (known_by !== 'changes' && stored.size > live.length)
        wrong.push(`local database: ${table} has ${stored.size} rows, but ${live.length} records exist`);
      const minutes = noun === 'worklogs' ? minutesIn(database, table) : undefined;
      for (const record of minutes === undefined ? [] : live)
        if (minutes?.get(record.id) !== record['minutes'])
          wrong.push(`local database: the column minutes of worklog ${record.id} is ${minutes?.get(record.id)}`);
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
