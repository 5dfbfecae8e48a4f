import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { recordTable } from '../../src/database/sql-values.ts';
import type { Random } from '../../src/sandbox/seed/seeding.ts';
import { type Disk, HOME } from './disk.ts';
import type { Ended } from './process.ts';
import { differences, judgeRows, readRows } from './reading.ts';
import type { Service, ShownRecord } from './service.ts';
import type { Typed } from './typing.ts';

/** A local database of a machine, and the resources in it. */
export interface Copy {
  readonly nouns: readonly string[];
  /** The parents of child records, by the resource of the child records. Empty without child records. */
  readonly children: ReadonlyMap<string, string>;
  /** The arguments that name the resources and the database. */
  readonly argv: readonly string[];
  /** The path of the file on the simulated disk. Undefined if svc has made no file. */
  find(disk: Disk): string | undefined;
}

const PATH = `${HOME}/copy.sqlite`;

/** Two resources, in a file that the person named. */
export const NAMED: Copy = {
  nouns: ['worklogs', 'labels'],
  children: new Map(),
  argv: ['worklogs', 'labels', '--to', PATH],
  find: () => PATH,
};

/** Work items with their child records, in the account’s own local database. A sign-out deletes it. */
export const OWN: Copy = {
  nouns: ['work-items', 'subtasks', 'labels'],
  children: new Map([['comments', 'work-items']]),
  argv: ['work-items', 'labels'],
  find: (disk) => [...disk.files().keys()].find((path) => path.startsWith(`${HOME}/.local/state/svc/mirror/`) && path.endsWith('.sqlite')),
};

/** The description of one table in the local database. */
interface CopiedTable {
  readonly noun: string;
  readonly table: string;
  readonly rows: number;
  readonly known_by: string;
  readonly as_of: string;
  readonly whole_at: string;
}

/** The command that updates a local database. */
export const syncing = ({ argv }: Copy, ...flags: readonly string[]): Typed => ({ argv: ['sync', ...argv, ...flags], judge: () => [] });

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

const SPLIT = `${HOME}/changes`;

/** Returns the command that appends new changes to one file for each resource. The first run starts at the beginning of the log. */
export function splitting(disk: Disk, copy: Copy): Typed {
  const state = disk.files().get(`${SPLIT}/.svc-changes.json`);
  const hasPosition = state !== undefined && 'position' in (JSON.parse(String(state)) as object);
  return { argv: ['changes', ...copy.argv, '--split', SPLIT, ...(hasPosition ? [] : ['--since', '0'])], judge: () => [] };
}

/**
 * Returns the command that prints all changes in the log. The files must have each of these changes once and in order, except changes that
 * svc found since the last split.
 */
export function comparingSplit(disk: Disk, copy: Copy): Typed {
  return {
    argv: ['changes', ...copy.argv, '--since', '0', '-o', 'ndjson'],
    judge({ stdout }) {
      const printed = readRows(stdout).rows as unknown as PrintedChange[];
      const split = new Map(
        [...disk.files()].flatMap(([path, content]) =>
          path.startsWith(`${SPLIT}/`) && path.endsWith('.ndjson')
            ? [[path.slice(SPLIT.length + 1, -'.ndjson'.length), readRows(String(content)).rows as unknown as PrintedChange[]] as const]
            : [],
        ),
      );
      const last = Math.max(...[...split.values()].flat().map(({ position }) => position));
      return copy.nouns.flatMap((noun) => {
        const wanted = printed.filter((change) => change.noun === noun && change.position <= last).map(({ id }) => id);
        const found = (split.get(noun) ?? []).map(({ id }) => id);
        return found.join() === wanted.join() ? [] : [`changes --split: ${noun} has ${found.join()}, but the log has ${wanted.join()}`];
      });
    },
  };
}

interface PrintedChange {
  readonly id: string;
  readonly kind: string;
  readonly noun: string;
  readonly position: number;
  readonly record_id: number;
  readonly after: { readonly minutes?: number } | null;
}

export function createFeed(disk: Disk, copy: Copy): Feed {
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
    read: () => ({ argv: ['changes', ...copy.argv, '-o', 'ndjson'], judge: receive }),
    begin() {
      if (hasSucceeded && first === undefined) first = currentMinutes(disk, copy);
    },
    judgeComplete() {
      const now = currentMinutes(disk, copy);
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

function currentMinutes(disk: Disk, copy: Copy): Map<number, number> {
  let minutes = new Map<number, number>();
  reading(disk, copy, (database, tables) => {
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
export function judgeDatabase(service: Service, disk: Disk, copy: Copy): string[] {
  return reading(disk, copy, (database, tables) => {
    const wrong: string[] = [];
    const [{ integrity_check: state } = {}] = database.prepare('PRAGMA integrity_check').all();
    if (state !== 'ok') wrong.push(`local database: damaged: ${String(state)}`);
    for (const { noun, table, rows, as_of, whole_at } of tables) {
      const ids = idsIn(database, table);
      const recordIds = idsIn(database, recordTable(table));
      if (ids.length !== rows || recordIds.join() !== ids.join())
        wrong.push(`local database: ${table} reports ${rows} rows, but has ${ids.length} and ${recordIds.length} records`);
      const resource = resourceOf(noun);
      const invented = ids.filter((id) => !service.hasBeen(resource, id));
      if (invented.length > 0) wrong.push(`local database: ${table} has rows that never existed: ${invented.join(', ')}`);
      wrong.push(...judgeTimes(service, database, { noun, table, as_of, whole_at }));
    }
    return wrong;
  });
}

/** Returns the resource of a table: `comments` for `work-items.comments`. */
const resourceOf = (noun: string): string => noun.slice(noun.indexOf('.') + 1);

/**
 * Compares the times of a table with the service’s own records. The table must have each change before `as_of`, and no record that was
 * deleted before `whole_at`. A change of a child record leaves its parent unchanged. A table of child records must therefore only have the
 * records from before `whole_at`. Returns one line per error.
 */
function judgeTimes(service: Service, database: DatabaseSync, told: Pick<CopiedTable, 'noun' | 'table' | 'as_of' | 'whole_at'>): string[] {
  const { noun, table, as_of: asOf, whole_at: wholeAt } = told;
  const resource = resourceOf(noun);
  const stored = recordsOf(database, table);
  const minutes = noun === 'worklogs' ? minutesIn(database, table) : undefined;
  const wrong: string[] = [];
  for (const row of service.live(resource)) {
    const own = stored.get(row.id);
    if (noun !== resource && own === undefined && String(row['created_at']) < wholeAt)
      wrong.push(`local database: ${noun} ${row.id} of ${String(row['created_at'])} is missing, but the table was complete at ${wholeAt}`);
    const isCurrent = own?.['updated_at'] === row['updated_at'] && minutes?.get(row.id) === row['minutes'];
    if (noun !== resource || String(row['updated_at']) >= asOf || isCurrent) continue;
    const what = own === undefined ? 'no row' : JSON.stringify(own);
    wrong.push(`local database: ${noun} ${row.id} of ${String(row['updated_at'])} has ${what}, but the table was checked at ${asOf}`);
  }
  for (const id of stored.keys())
    if ((service.deletedAt(resource, id) ?? Number.POSITIVE_INFINITY) < Date.parse(wholeAt))
      wrong.push(`local database: ${noun} ${id} was deleted before ${wholeAt}, when the table was complete`);
  return wrong;
}

/** Checks a local database that was updated while nobody wrote to the service, with all fields. Returns one line per error. */
export async function judgeCurrentDatabase(service: Service, disk: Disk, copy: Copy): Promise<string[]> {
  const records = await recordsIn(service, copy);
  return reading(disk, copy, (database, tables) => {
    const wrong = [...records.keys()]
      .filter((noun) => !tables.some((table) => table.noun === noun))
      .map((noun) => `local database: it has no ${noun}`);
    for (const { noun, table, known_by } of tables) {
      const live = records.get(noun);
      if (live === undefined) continue;
      const stored = recordsOf(database, table);
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

/** Returns the records of a local database as the service has them, by the names of its tables. */
async function recordsIn(service: Service, { nouns, children }: Copy): Promise<Map<string, readonly ShownRecord[]>> {
  const records = new Map<string, readonly ShownRecord[]>();
  for (const noun of nouns) records.set(noun, await service.records(noun, 'detail'));
  for (const [child, parent] of children) {
    const lists = await Promise.all(service.live(parent).map(({ id }) => service.records(`${parent}/${id}/${child}`, 'detail')));
    records.set(`${parent}.${child}`, lists.flat());
  }
  return records;
}

/** Returns a command that lists a resource from the local database. */
export const listingOffline = (noun: string): string[] => [noun, 'list', '--offline', '--view', 'detail', '-o', 'ndjson'];

/** Returns a command that reads the local database, which a sync may be changing. */
export function readingStored(service: Service, random: Random): Typed {
  const item = random.pick(service.live('work-items')).id;
  const noun = random.pick(['work-items', 'labels', 'subtasks']);
  const stored = (resource: string, ...argv: readonly string[]): Typed => ({
    argv,
    judge: ({ stdout }) => judgeRows(service, resource, new Set(), stdout).map((each) => `stored ${each}`),
  });
  return random.pick([
    stored(noun, ...listingOffline(noun)),
    stored('comments', 'work-items', 'comments', 'list', String(item), '--offline', '-o', 'ndjson'),
    stored('work-items', 'work-items', 'list', '--max-age', '1h', '-o', 'ndjson'),
    stored('work-items', 'sql', 'select id, title from work_items order by title', '-o', 'ndjson'),
    { argv: ['search', 'login', '-o', 'json'], judge: () => [] },
  ]);
}

/** Compares an offline list of a current local database with the records of the service, with all fields. Returns one line per error. */
export async function judgeOffline(service: Service, noun: string, { stdout }: Ended): Promise<string[]> {
  const { rows } = readRows(stdout);
  const live = await service.records(noun, 'detail');
  const wrong = differences(`offline: ${noun}`, new Map(rows.map((row) => [Number(row['id']), row])), live);
  return rows.length === live.length ? wrong : [...wrong, `offline: ${noun} has ${rows.length} rows, but ${live.length} records exist`];
}

/** Opens the local database on the simulated disk for a check. A missing file is not an error. */
function reading(disk: Disk, copy: Copy, judge: (database: DatabaseSync, tables: readonly CopiedTable[]) => string[]): string[] {
  const shown = copy.find(disk);
  const path = shown === undefined ? undefined : disk.real(shown);
  if (path === undefined || !existsSync(path)) return [];
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

function recordsOf(database: DatabaseSync, table: string): Map<number, Readonly<Record<string, unknown>>> {
  const rows = database.prepare(`SELECT id, record FROM "${recordTable(table)}"`).all();
  return new Map(rows.map(({ id, record }) => [Number(id), JSON.parse(String(record))]));
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
