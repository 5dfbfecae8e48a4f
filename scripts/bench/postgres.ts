import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { readExportedRecords } from '../../src/bulk/export/lines.ts';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { readAddress } from '../../src/database/postgres/address.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';
import { shapeOf } from '../../src/database/table-shape.ts';
import { nodeFiles } from '../../src/system/files.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { findPostgres, type PostgresServer, startPostgres } from './postgres-server.ts';
import { median } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

const ROUNDS = 7;
const CHECK = { path: '/worklogs', as_of: '2026-11-22T12:00:00Z', whole_at: '2026-11-22T12:00:00Z', known_by: 'read' } as const;
const TABLES = ['worklogs', 'svc_record_worklogs'];

/** The cost of writing a table: elapsed milliseconds, and seconds of processor time of client and server. */
interface Taken {
  readonly clock: number;
  readonly cpu: number;
}

/** Writes worklogs from a file to a new PostgreSQL table. Compares the time with psql’s `\copy` of the same rows. */
export async function benchPostgres({ directory, rows }: Settings): Promise<Figure[]> {
  const bin = await findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const file = join(directory, 'worklogs.ndjson');
  await writeRecords(file, rows);
  const server = await startPostgres(bin);
  try {
    const address = await server.database('bench');
    const rounds: { readonly own: Taken; readonly theirs: Taken }[] = [];
    // The first round only fills caches.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const taken = await inTurns(server, address, file, join(directory, 'table.copy'));
      if (round > 0) rounds.push(taken);
    }
    const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
    return [
      {
        name: `${rows} worklogs into PostgreSQL, against \\copy`,
        value: of(({ own, theirs }) => own.clock / theirs.clock),
        digits: 2,
        atMost: 2,
      },
      { name: 'the same in processor time of both ends', value: of(({ own, theirs }) => own.cpu / theirs.cpu), digits: 2 },
      { name: 'svc, ms', value: of(({ own }) => own.clock), digits: 0 },
      { name: '\\copy, ms', value: of(({ theirs }) => theirs.clock), digits: 0 },
    ];
  } finally {
    await server.close();
  }
}

async function inTurns(server: PostgresServer, address: string, file: string, between: string) {
  const taking = async (work: () => Promise<unknown>): Promise<Taken> => {
    const [began, idle] = [performance.now(), await server.cpu()];
    await work();
    const clock = performance.now() - began;
    await sessionsOver(server, address);
    return { clock, cpu: (await server.cpu()) - idle };
  };
  const psql = (lines: readonly string[]) => server.psql(address, '-q', ...lines.flatMap((line) => ['-c', line]));
  const each = (line: (table: string) => string) => TABLES.map(line);
  const shape = shapeOf('worklogs', await builtInCatalog().find('worklogs'));
  const own = await taking(async () => {
    const localDatabase = await openPostgresDatabase(await readAddress(address, {}, ''), { host: 'bench', user: 1 });
    await localDatabase.replace(shape, readExportedRecords(nodeFiles(), file), CHECK);
    await localDatabase.close();
  });
  await psql(['CREATE SCHEMA copied', ...each((table) => `CREATE TABLE copied.${table} (LIKE svc.${table} INCLUDING ALL)`)]);
  await psql(each((table) => `\\copy svc.${table} TO '${between}.${table}'`));
  await sessionsOver(server, address);
  const theirs = await taking(() => psql(['BEGIN', ...each((table) => `\\copy copied.${table} FROM '${between}.${table}'`), 'COMMIT']));
  await psql(['DROP SCHEMA copied CASCADE', 'DROP SCHEMA svc CASCADE']);
  return { own, theirs };
}

/** Waits until all other sessions have ended, because the server counts their processor time only then. */
async function sessionsOver(server: PostgresServer, address: string): Promise<void> {
  const others = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
  while ((await server.psql(address, '-c', others)).trim() !== '0');
}

async function writeRecords(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  for (let id = 1; id <= rows; id += 1)
    if (!file.write(`${JSON.stringify(worklog(id))}\n`)) await new Promise<void>((free) => file.once('drain', free));
  await finished(file.end());
}

/** Returns a worklog as a service sends it, without invoice. */
export function worklog(id: number): JsonObject {
  const day = new Date(Date.UTC(2024, 0, 1) + (id % 700) * 86_400_000).toISOString().replace('.000', '');
  return {
    ...{ id, date: day.slice(0, 10), minutes: 15 * (1 + (id % 32)) },
    description: `Worked on item ${id}: what had to be done, and some more that had not — ünïcödé too`,
    ...{ project_id: 1 + (id % 200), work_item_id: 1 + (id % 5_000), budget_id: null, task_id: 1 + (id % 40), user_id: 1 + (id % 60) },
    ...{ is_overtime: id % 9 === 0, is_not_billable: id % 5 === 0, exceeded_budget: false, reviewed_by: null },
    ...{ invoice_id: id % 3 === 0 ? id : null, sales_invoice_row_id: null, web_url: `https://acme.example.com/worklogs/${id}` },
    ...{ created_at: day, updated_at: day },
  };
}
