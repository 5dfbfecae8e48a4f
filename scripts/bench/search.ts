import { builtInCatalog } from '../../src/catalog/index.ts';
import { readAddress } from '../../src/database/postgres/address.ts';
import { openPostgresSnapshot } from '../../src/database/postgres/open-snapshot.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';
import { findRecords } from '../../src/database/search/find-records.ts';
import { shapeOf } from '../../src/database/table-shape.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { readSearch } from '../../src/values/search-words.ts';
import { findPostgres, startPostgres } from './postgres-server.ts';
import { median } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

const ROUNDS = 15;
const AT = '2026-11-22T12:00:00Z';
const CHECK = { path: '/worklogs', as_of: AT, whole_at: AT, known_by: 'read' } as const;

/** Searches a team database of worklogs, with a new connection for each search. The tables have no statistics, as after a first sync. */
export async function benchSearch({ rows }: Settings): Promise<Figure[]> {
  const bin = await findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const server = await startPostgres(bin);
  try {
    const place = await readAddress(await server.database('bench'), {}, '');
    const database = await openPostgresDatabase(place, { host: 'bench', user: 1 });
    await database.replace(shapeOf('worklogs', await builtInCatalog().find('worklogs')), worklogs(rows), CHECK);
    await database.close();
    const figures: Figure[] = [];
    // A word has a number, so that one in 100,000, one in 100 and one in 10 of the records match.
    for (const [word, limit] of [
      ['unique77', 50],
      ['hundredth7', 50],
      ['tenth7', undefined],
    ] as const) {
      const taken: number[] = [];
      const idle = await server.cpu();
      let found = 0;
      for (let round = 0; round <= ROUNDS; round += 1) {
        const began = performance.now();
        const snapshot = await openPostgresSnapshot(place, 'bench', '');
        found = (await findRecords(snapshot, 'bench', { terms: readSearch(`"${word}"`), nouns: undefined, limit: 25 })).total;
        await snapshot.close();
        // The first round only fills caches.
        if (round > 0) taken.push(performance.now() - began);
      }
      const cpu = (((await server.cpu()) - idle) / (ROUNDS + 1)) * 1_000;
      const name = `a search of ${rows} worklogs in PostgreSQL that finds ${found}, with its connection, ms`;
      figures.push({ name, value: median(taken), digits: 0 });
      figures.push({
        name: 'the same in processor time of both ends',
        value: cpu,
        digits: 0,
        ...(limit !== undefined && { atMost: limit }),
      });
    }
    return figures;
  } finally {
    await server.close();
  }
}

async function* worklogs(count: number): AsyncGenerator<JsonObject> {
  for (let id = 1; id <= count; id += 1) {
    const description = `Review of unique${id} with hundredth${id % 100} and tenth${id % 10}, planning for the customer in week ${id % 52}`;
    yield { id, date: '2026-11-02', minutes: 30, user_id: 1, description, version: 1, created_at: AT, updated_at: AT };
  }
}
