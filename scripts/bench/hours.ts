import { builtInCatalog } from '../../src/catalog/index.ts';
import { readAddress } from '../../src/database/postgres/address.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';
import { shapeOf } from '../../src/database/table-shape.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { worklog } from './postgres.ts';
import { findPostgres, startPostgres } from './postgres-server.ts';
import { median } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

const ROUNDS = 5;

/** The longest time of a query, in milliseconds. */
const LIMIT = 300;

const QUERIES: Readonly<Record<string, string>> = {
  'count(*)': 'SELECT count(*) FROM svc.hours',
  'hours by project': 'SELECT project, sum(minutes) / 60.0 AS hours FROM svc.hours GROUP BY project',
  'hours by project and billing': 'SELECT project, billing, sum(minutes) / 60.0 AS hours FROM svc.hours GROUP BY project, billing',
  'whole rows': 'SELECT * FROM svc.hours',
};

/** Queries the view `hours` in PostgreSQL, over worklogs with all related tables. The times are those of the server. */
export async function benchHours({ rows }: Pick<Settings, 'rows'>): Promise<Figure[]> {
  const bin = await findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const server = await startPostgres(bin);
  try {
    const address = await server.database('bench');
    await fill(address, rows);
    const timed = async (...lines: readonly string[]) => server.psql(address, '-q', ...lines.flatMap((line) => ['-c', line]));
    const figures: Figure[] = [];
    for (const [name, query] of Object.entries(QUERIES)) {
      const [executed, fetched]: [number[], number[]] = [[], []];
      // The first round only fills caches.
      for (let round = 0; round <= ROUNDS; round += 1) {
        const plan = await timed(`EXPLAIN (ANALYZE, TIMING OFF) ${query}`);
        const answer = await timed('\\timing on', query);
        if (round === 0) continue;
        executed.push(Number(/Execution Time: ([\d.]+)/.exec(plan)?.[1]));
        fetched.push(Number(/Time: ([\d.]+) ms/.exec(answer)?.[1]));
      }
      figures.push({ name: `${name} of ${rows} hours, ms`, value: median(executed), digits: 0, atMost: LIMIT });
      figures.push({ name: 'the same with the rows sent to psql, ms', value: median(fetched), digits: 0 });
    }
    return figures;
  } finally {
    await server.close();
  }
}

const AT = '2025-01-01T09:00:00Z';

async function fill(address: string, rows: number): Promise<void> {
  const database = await openPostgresDatabase(await readAddress(address, {}, ''), { host: 'bench', user: 1 });
  const put = async (noun: string, count: number, make: (id: number) => JsonObject) => {
    const shape = shapeOf(noun, await builtInCatalog().find(noun));
    const records = (function* () {
      for (let id = 1; id <= count; id += 1) yield { id, created_at: AT, updated_at: AT, ...make(id) };
    })();
    await database.replace(shape, records, { path: `/${noun}`, as_of: AT, whole_at: AT, known_by: 'read' });
  };
  await put('customers', 50, (id) => ({ name: `Customer ${id}` }));
  await put('projects', 200, (id) => ({ name: `Project ${id}`, customer_id: 1 + (id % 50) }));
  await put('users', 200, (id) => ({ name: `Person ${id}`, timezone: 'Europe/Amsterdam' }));
  await put('work-items', 5_000, (id) => ({ issue_key: `ABC-${id}`, title: `Item ${id}`, project_id: 1 + (id % 200) }));
  await put('tasks', 40, (id) => ({ name: `Task ${id}` }));
  await put('budgets', 300, (id) => ({ name: `Budget ${id}`, project_id: 1 + (id % 200), budget: 6_000 }));
  await put('invoices', 500, (id) => ({ number: `L${id}` }));
  await put('sales-invoices', 3_000, (id) => ({ number: `2026-${id}`, customer_id: 1 + (id % 50) }));
  await put('sales-invoice-rows', 20_000, (id) => ({ sales_invoice_id: 1 + (id % 3_000), name: `Row ${id}` }));
  await put('worklogs', rows, (id) => ({
    ...worklog(id),
    ...{ budget_id: id % 3 === 0 ? 1 + (id % 300) : null, exceeded_budget: id % 11 === 0 },
    ...{ invoice_id: id % 10 === 0 ? 1 + (id % 500) : null, sales_invoice_row_id: id % 2 === 1 ? 1 + (id % 20_000) : null },
    links: { self: `https://acme.example.com/api/v2/worklogs/${id}` },
  }));
  await database.close();
}
