import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import { databaseContract } from './contract.ts';

databaseContract('a local database', () => ({
  async begin() {
    const directory = await mkdtemp(join(tmpdir(), 'svc-mirror-'));
    const path = join(directory, 'mirror.sqlite');
    return {
      words: ['sqlite', path],
      open: (owner) => openSqliteDatabase(path, owner),
      async runQuery(sql) {
        const database = new DatabaseSync(path, { readOnly: true });
        try {
          return database
            .prepare(sql)
            .all()
            .map((row) => Object.values(row).map((value) => String(value ?? '')));
        } finally {
          database.close();
        }
      },
      change: async (sql) => change(path, sql),
      makeNewer: async () => change(path, 'PRAGMA user_version = 99'),
      remove: () => rm(directory, { recursive: true, force: true }),
    };
  },
}));

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
