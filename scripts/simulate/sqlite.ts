import fs from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Life, lives, step } from './life.ts';

const real = { ...fs };

/** Matches statements that change the database or its transaction. */
const CHANGES = /^\s*(?:INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA\s+user_version\s*=)/i;

/** Replaces the databases of `node:sqlite` with databases on the simulated disk. A killed process leaves its databases open. */
export function simulateDatabases(diskFull: () => Error): void {
  const sqlite = process.getBuiltinModule('node:sqlite');
  const { DatabaseSync: Database, StatementSync: Statement } = sqlite;
  const { close } = Database.prototype;
  const { run } = Statement.prototype;
  const owners = new WeakMap<object, { changing(sql: string): void }>();

  class SimulatedDatabase extends Database {
    #isFlushing = true;
    /** True if the current transaction has changed something. */
    #isDirty = false;
    readonly #life: Life | undefined;

    constructor(path: string, options: ConstructorParameters<typeof Database>[1] = {}) {
      const life = lives.getStore();
      if (life !== undefined) step(life, `open ${path}`);
      try {
        super(life === undefined ? path : life.scenario.disk.real(path), options);
      } catch (error) {
        if (error instanceof Error && life !== undefined) error.message = life.scenario.disk.shown(error.message);
        throw error;
      }
      this.#life = life;
      life?.databases.add(this);
    }

    /** Records a statement just before it changes the database. */
    changing(sql: string): void {
      if (this.#life === undefined) return;
      step(this.#life, `sql ${sql.trim().split(/\s+/).slice(0, 3).join(' ')}`);
      const { disk } = this.#life.scenario;
      const path = this.location();
      if (path !== null) disk.wrote(`${path}-wal`);
      if (CHANGES.test(sql)) this.#isDirty = true;
      if (/^\s*(?:BEGIN|ROLLBACK)/i.test(sql)) this.#isDirty = false;
      const isWriting =
        (/^\s*COMMIT/i.test(sql) && this.#isDirty) ||
        (/journal_mode\s*=\s*WAL/i.test(sql) && path !== null && real.statSync(path).size === 0);
      if (disk.isFull && isWriting)
        throw Object.assign(diskFull(), { code: 'ERR_SQLITE_ERROR', errcode: 13, message: 'database or disk is full' });
    }

    override exec(sql: string): void {
      this.changing(sql);
      super.exec(sql);
      const level = /synchronous\s*=\s*(\w+)/i.exec(sql)?.[1]?.toUpperCase();
      if (level !== undefined) this.#isFlushing = level === 'FULL';
      if (/^\s*(?:COMMIT|PRAGMA)/i.test(sql) && this.#isFlushing && this.#life !== undefined) {
        const path = this.location();
        if (path !== null && real.existsSync(`${path}-wal`)) this.#life.scenario.disk.flushed(`${path}-wal`);
      }
    }

    override prepare(...args: Parameters<DatabaseSync['prepare']>): ReturnType<DatabaseSync['prepare']> {
      if (this.#life?.isDead) step(this.#life, 'sql');
      const statement = super.prepare(...args);
      owners.set(statement, this);
      return statement;
    }

    override close(): void {
      if (this.#life?.isDead) return;
      this.#life?.databases.delete(this);
      close.call(this);
    }
  }

  Statement.prototype.run = function changing(this: StatementSync, ...args: Parameters<typeof run>) {
    owners.get(this)?.changing(this.sourceSQL);
    return run.apply(this, args);
  } as typeof run;
  (sqlite as { DatabaseSync: typeof Database }).DatabaseSync = SimulatedDatabase;
}
