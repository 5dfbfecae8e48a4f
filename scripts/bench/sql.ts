import { join } from 'node:path';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import type { TableShape } from '../../src/database/table-shape.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { median, runTimed } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

const ROUNDS = 15;
const [PROJECTS, USERS] = [40, 60];

const JOIN = 'SELECT p.name, sum(w.minutes) / 60.0 AS hours FROM worklogs w JOIN projects p ON p.id = w.project_id GROUP BY p.id';
const VIEW = 'SELECT project, billing, sum(minutes) / 60.0 AS hours FROM hours GROUP BY project_id, billing';

/** Queries a local database of worklogs, and compares the time with sqlite3 on the same file. */
export async function benchSql({ svc, directory, rows }: Settings): Promise<Figure[]> {
  const file = join(directory, 'copy.sqlite');
  await makeDatabase(file, rows);
  const env = { HOME: directory };
  const ask = async (question: string) => {
    const own = await runTimed([...svc, 'sql', question, '--db', file, '--output', 'json', '--quiet'], { env });
    const theirs = await runTimed(['sqlite3', '-readonly', '-json', file, question]);
    return { own: own.seconds * 1_000, theirs: theirs.seconds * 1_000, cpu: (own.cpuSeconds ?? Number.NaN) * 1_000 };
  };
  const rounds: {
    readonly [Name in 'nothing' | 'join' | 'view']: { readonly own: number; readonly theirs: number; readonly cpu: number };
  }[] = [];
  // The first rounds only fill caches.
  for (let round = -2; round < ROUNDS; round += 1) {
    const asked = { nothing: await ask('SELECT 1 AS one'), join: await ask(JOIN), view: await ask(VIEW) };
    if (round >= 0) rounds.push(asked);
  }
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  const apart = (name: 'join' | 'view') =>
    (of((round) => round[name].own) - of((round) => round.nothing.own)) /
    (of((round) => round[name].theirs) - of((round) => round.nothing.theirs));
  return [
    { name: `a join and sum over ${rows} worklogs, start included, ms`, value: of(({ join: { own } }) => own), digits: 0, atMost: 150 },
    { name: 'the same in processor time, for a busy machine', value: of(({ join: { cpu } }) => cpu), digits: 0 },
    { name: 'the start alone, ms', value: of(({ nothing: { own } }) => own), digits: 0 },
    { name: 'the query without the start, against sqlite3', value: apart('join'), digits: 2, atMost: 1.5 },
    { name: 'start included, against sqlite3', value: of(({ join: { own, theirs } }) => own / theirs), digits: 2 },
    { name: 'the view hours with how it is billed, against sqlite3', value: apart('view'), digits: 2, atMost: 1.5 },
  ];
}

async function makeDatabase(file: string, rows: number): Promise<void> {
  const localDatabase = await openSqliteDatabase(file, { host: 'bench', user: 1, timeZone: 'Europe/Amsterdam' });
  const change = { path: '/bench', as_of: '2026-11-22T12:00:00Z', whole_at: '2026-11-22T12:00:00Z', known_by: 'read' } as const;
  const shape = (noun: string, columns: Readonly<Record<string, 'INTEGER' | 'BOOLEAN' | 'TEXT'>>): TableShape => ({
    noun,
    columns: [{ name: 'id', type: 'INTEGER' }, ...Object.entries(columns).map(([name, type]) => ({ name, type }))],
  });
  const named = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Number ${index + 1}` }));
  await localDatabase.replace(shape('projects', { name: 'TEXT' }), named(PROJECTS), change);
  await localDatabase.replace(shape('users', { name: 'TEXT' }), named(USERS), change);
  const worklogs = shape('worklogs', {
    date: 'TEXT',
    minutes: 'INTEGER',
    description: 'TEXT',
    project_id: 'INTEGER',
    user_id: 'INTEGER',
    is_not_billable: 'BOOLEAN',
    exceeded_budget: 'BOOLEAN',
    invoice_id: 'INTEGER',
    sales_invoice_row_id: 'INTEGER',
    created_at: 'TEXT',
    updated_at: 'TEXT',
  });
  await localDatabase.replace(worklogs, made(rows), change);
  await localDatabase.close();
}

function* made(rows: number): Generator<JsonObject> {
  for (let id = 1; id <= rows; id += 1) {
    const day = `202${id % 7}-0${(id % 9) + 1}-1${id % 10}`;
    yield {
      id,
      date: day,
      minutes: 15 * ((id % 32) + 1),
      description: `What was done, in so many words: ${id}`,
      project_id: ((id * 7) % PROJECTS) + 1,
      user_id: ((id * 11) % USERS) + 1,
      is_not_billable: id % 9 === 0,
      exceeded_budget: false,
      invoice_id: id % 3 === 0 ? 1 : null,
      sales_invoice_row_id: null,
      created_at: `${day}T17:00:00Z`,
      updated_at: `${day}T17:00:00Z`,
    };
  }
}
