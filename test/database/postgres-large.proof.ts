// Many rows at once: by COPY, whole, and without being held in memory. What they take is `npm run bench -- postgres`.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import { builtInCatalog } from '../../src/catalog/index.ts';
import type { TableCheck } from '../../src/database/local-database.ts';
import { readAddress } from '../../src/database/postgres/address.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';
import { shapeOf } from '../../src/database/table-shape.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { IS_FULL } from '../support/parts.ts';

const ROWS = IS_FULL ? 400_000 : 60_000;
const CHECK: TableCheck = { path: '/worklogs', as_of: '2026-06-01T00:00:00Z', whole_at: '2026-06-01T00:00:00Z', known_by: 'read' };
/** Characters of a record. */
const LENGTH = 3_000;
/** What may be held of them, less than all of them: V8 lets some lie before it cleans up. */
const MOST_BYTES = 150_000_000;
const bin = await findPostgres();

describe.skipIf(bin === undefined)('a table with many rows', () => {
  let server: PostgresServer;
  let address: string;
  beforeAll(async () => {
    server = await startPostgres(bin ?? '');
    address = await server.database('large');
  });
  afterAll(() => server?.close());

  it.each(['new', 'changed'])('gets all %s rows through COPY, without all rows in memory', async (kind) => {
    const localDatabase = await openPostgresDatabase(await readAddress(address, {}, ''), { host: 'acme.example.com', user: 1 });
    const shape = shapeOf('worklogs', await builtInCatalog().find('worklogs'));
    const digest = createHash('md5');
    const before = process.memoryUsage.rss();
    const seen = new Set<string>();
    let most = before;
    async function* records(): AsyncGenerator<JsonObject> {
      for (let id = 1; id <= ROWS; id += 1) {
        const record = worklog(id, kind);
        digest.update(createHash('md5').update(JSON.stringify(record)).digest('hex'));
        if (id % 1_000 === 0) most = Math.max(most, process.memoryUsage.rss());
        // The last that its session was asked to do, whether that is over or not.
        if (id % (ROWS / 10) === 0) seen.add((await server.psql(address, '-c', LAST_WORD)).trim());
        yield record;
      }
    }
    expect((await localDatabase.replace(shape, records(), CHECK)).put).toBe(ROWS);
    await localDatabase.close();
    console.log(`${kind}: memory from ${Math.round(before / 1e6)} to ${Math.round(most / 1e6)} MB`);
    // What changed is put in place from where it was copied to, many at a time.
    const words = kind === 'new' ? ['COPY'] : ['COPY', 'WITH', 'TRUNCATE'];
    expect([...seen].filter((word) => !words.includes(word))).toEqual([]);
    expect(most - before).toBeLessThan(MOST_BYTES);
    const all =
      "SELECT md5(string_agg(md5(record), '' ORDER BY id)), count(description) FROM svc.worklogs JOIN svc.svc_record_worklogs USING (id)";
    expect(await server.psql(address, '-F', '|', '-c', all)).toBe(`${digest.digest('hex')}|${ROWS}\n`);
  });
});

const LAST_WORD = "SELECT split_part(ltrim(query), ' ', 1) FROM pg_stat_activity WHERE application_name LIKE 'svc sync%'";

function worklog(id: number, kind: string): JsonObject {
  const day = new Date(Date.UTC(2024, 0, 1) + (id % 700) * 86_400_000).toISOString().replace('.000', '');
  return {
    ...{ id, date: day.slice(0, 10), minutes: 15 * (1 + (id % 32)), project_id: 1 + (id % 200), user_id: 1 + (id % 60) },
    ...{ description: `${kind} ${id} `.padEnd(LENGTH, 'x'), is_overtime: id % 9 === 0, created_at: day, updated_at: day },
  };
}
