// The mirror in PostgreSQL, as the distribution packs it: the same as in SQLite, and what only a server has.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import { readAddress } from '../../src/database/postgres/address.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';
import { UnavailableError } from '../../src/errors.ts';
import { databaseContract, idsIn } from './contract.ts';
import { postgresKind } from './postgres-kind.ts';
import { CHECK, OWNER, SHAPE } from './shapes.ts';

const bin = await findPostgres();

describe.skipIf(bin === undefined)('a team database', () => {
  let server: PostgresServer;
  let address: string;
  beforeAll(async () => {
    server = await startPostgres(bin ?? '');
    address = await server.database('reports');
  });
  afterAll(() => server?.close());

  databaseContract('in PostgreSQL', () => postgresKind(address, (...args) => server.psql(address, ...args)));

  const open = async (schema: string) => openPostgresDatabase(await readAddress(`${address}?schema=${schema}`, {}, ''), OWNER);
  const rows = async (sql: string) => (await server.psql(address, '-F', '|', '-q', '-c', sql)).trim().split('\n');

  it('has a PostgreSQL type for each column, and stores values of other types in svc_other_fields', async () => {
    const localDatabase = await open('typed');
    const whole = {
      ...{ id: 1, name: 'a', project_id: 7, is_open: true, tags: [1.5], date: '2026-02-28', price: '12.50' },
      ...{ created_at: '2026-06-01T10:00:00+02:00', updated_at: '2026-06-01T10:00:00.123456Z' },
    };
    const strange = {
      ...{ id: 2, name: 'a\0b', project_id: '7', is_open: 1, tags: { a: '\0' }, date: '2026-02-29', price: '1e9' },
      ...{ created_at: '2026-06-01', updated_at: '2026-06-01T24:00:00Z', more: '\ud800' },
    };
    await localDatabase.replace(SHAPE, [whole, strange, { id: 3, price: 1.25, name: 5 }], CHECK);
    await localDatabase.close();
    expect(
      await rows("SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'typed' AND table_name = 'things'"),
    ).toEqual(
      expect.arrayContaining([
        'id|bigint',
        'name|text',
        'project_id|bigint',
        'is_open|boolean',
        'tags|jsonb',
        'date|date',
        'price|numeric',
        'updated_at|timestamp with time zone',
        'svc_other_fields|jsonb',
      ]),
    );
    expect(await rows("SET timezone = 'UTC'; SELECT * FROM typed.things ORDER BY id")).toEqual([
      '1|a|7|t|[1.5]|2026-02-28|12.50|2026-06-01 08:00:00+00|2026-06-01 10:00:00.123456+00||',
      expect.stringMatching(/^2\|{10}\{/),
      '3|5|||||1.25||||',
    ]);
    // No text in it keeps the others from being asked.
    const [others] = await rows(
      'SELECT json_object_agg(k, svc_other_fields ->> k) FROM typed.things, jsonb_object_keys(svc_other_fields) k WHERE id = 2',
    );
    const { id: _, ...unfit } = strange;
    expect(Object.keys(JSON.parse(others ?? ''))).toEqual(expect.arrayContaining(Object.keys(unfit)));
    expect(JSON.parse(others ?? '')).toMatchObject({ project_id: '7', date: '2026-02-29', name: '"a\\u0000b"', more: '"\\ud800"' });
    expect(await rows("SELECT count(*) FROM pg_indexes WHERE schemaname = 'typed' AND indexdef LIKE '%(project_id)'")).toEqual(['1']);
  });

  it('accepts one syncing process at a time in each schema', async () => {
    const first = await open('one');
    await expect(open('one')).rejects.toThrow(/^Another svc \(127\.0\.0\.1, its process \d+ there\) updates postgres:\/\/ada@127/);
    await (await open('two')).close();
    await first.close();
    await (await open('one')).close();
  });

  it('keeps the old rows when the server ends the connection of a sync', async () => {
    const localDatabase = await open('ended');
    await localDatabase.replace(SHAPE, [{ id: 1, name: 'old' }], CHECK);
    async function* ended() {
      for (let id = 1; id <= 4_000; id += 1) yield { id, name: 'new', text: 'x'.repeat(500) };
      await rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'svc sync%'");
      yield { id: 5_000 };
    }
    await expect(localDatabase.replace(SHAPE, ended(), CHECK)).rejects.toThrow(UnavailableError);
    await localDatabase.close();
    const again = await open('ended');
    expect(await idsIn(again)).toEqual([1]);
    await again.close();
    expect(await rows('SELECT name FROM ended.things')).toEqual(['old']);
  });

  it('keeps a view that depends on its tables, and names the column of the view', async () => {
    const localDatabase = await open('held');
    await localDatabase.replace(SHAPE, [{ id: 1, name: 'old' }], CHECK);
    await rows('CREATE VIEW public.of_mine AS SELECT name FROM held.things');
    // A view uses a column that would get another type.
    const other = {
      ...SHAPE,
      columns: SHAPE.columns.map((each) => (each.name === 'name' ? { name: 'name', type: 'INTEGER' as const } : each)),
    };
    await localDatabase.update(other, [], [], CHECK);
    expect((await localDatabase.heldBack()).columns).toEqual([{ table: 'things', column: 'name', views: ['public.of_mine'] }]);
    expect(await rows('SELECT * FROM public.of_mine')).toEqual(['old']);
    // Columns that are added are no matter to it.
    await localDatabase.update(
      { ...SHAPE, columns: [...SHAPE.columns, { name: 'more', type: 'TEXT' }] },
      [{ id: 2, name: 'new' }],
      [],
      CHECK,
    );
    expect(await rows('SELECT * FROM public.of_mine ORDER BY 1')).toEqual(['new', 'old']);
    await localDatabase.close();
    await rows('DROP VIEW public.of_mine');
  });
});
