// The mirror in PostgreSQL, as the distribution packs it: the same as in SQLite, and what only a server has.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { readAddress } from '../../src/mirror/postgres/address.ts';
import { openPostgresMirror } from '../../src/mirror/postgres-mirror.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { mirrorContract } from './contract.ts';

const bin = await findPostgres();

describe.skipIf(bin === undefined)('with a server', () => {
  let server: PostgresServer;
  let address: string;
  beforeAll(async () => {
    server = await startPostgres(bin ?? '');
    address = await server.database('reports');
  });
  afterAll(() => server?.close());

  mirrorContract('PostgreSQL', () => ({
    async begin() {
      const schema = `of "${randomBytes(4).toString('hex')}`;
      const place = `${address}?schema=${encodeURIComponent(schema)}`;
      const psql = (sql: string) =>
        server.psql(address, '-F', '\u001f', '-R', '\u001e', '-c', `SET search_path = "${schema.replace('"', '""')}"`, '-q', '-c', sql);
      return {
        words: ['postgres', place],
        open: async (whose) => openPostgresMirror(await readAddress(place, {}, ''), whose),
        async ask(sql) {
          const answer = await psql(sql);
          return answer
            .replace(/\n$/, '')
            .split('\u001e')
            .map((row) => row.split('\u001f'));
        },
        makeNewer: async () => void (await psql('UPDATE svc_mirror SET form = 99')),
        async remove() {
          await server.psql(address, '-q', '-c', `DROP SCHEMA IF EXISTS "${schema.replace('"', '""')}" CASCADE`);
        },
      };
    },
  }));
});
