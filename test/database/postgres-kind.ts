import { randomBytes } from 'node:crypto';
import { readAddress } from '../../src/database/postgres/address.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';
import type { DatabaseKind } from './contract.ts';

/**
 * Returns the kind of a server for the contract. Each place is a schema of its own, with a name that needs quotes.
 *
 * @param address address of the database, without parameters.
 * @param psql runs psql with the arguments in that database.
 * @param parameters further parameters of the address, such as `&options=…`.
 */
export function postgresKind(address: string, psql: (...args: readonly string[]) => Promise<string>, parameters = ''): DatabaseKind {
  return {
    async begin() {
      const schema = `of "${randomBytes(4).toString('hex')}`;
      const quotedSchema = `"${schema.replace('"', '""')}"`;
      const place = `${address}?schema=${encodeURIComponent(schema)}${parameters}`;
      const inSchema = (sql: string) => psql('-F', '\u001f', '-R', '\u001e', '-q', '-c', `SET search_path = ${quotedSchema}`, '-c', sql);
      return {
        words: ['postgres', place],
        open: async (owner) => openPostgresDatabase(await readAddress(place, {}, ''), owner),
        async runQuery(sql) {
          const answer = await inSchema(sql);
          return answer
            .replace(/\n$/, '')
            .split('\u001e')
            .map((row) => row.split('\u001f'));
        },
        change: async (sql) => void (await inSchema(sql)),
        makeNewer: async () => void (await inSchema('UPDATE svc_mirror SET form = 99')),
        async remove() {
          await psql('-q', '-c', `DROP SCHEMA IF EXISTS ${quotedSchema} CASCADE`);
        },
      };
    },
  };
}
