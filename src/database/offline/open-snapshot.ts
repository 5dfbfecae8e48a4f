import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { SvcError } from '../../errors.ts';
import { UsageError } from '../../errors.ts';
import { type ChangeReader, changeReader } from '../change-log.ts';
import { DatabaseError } from '../database-error.ts';
import { findDatabase } from '../find-database.ts';
import type { TableState } from '../local-database.ts';
import { openForReading } from '../open-for-reading.ts';
import { FIRST_SEARCHED, FORM } from '../own-tables.ts';
import { sqliteRunner } from '../run-sqlite.ts';
import type { FindHits } from '../search/find-hits.ts';
import { sqliteSearch } from '../search/sqlite-index.ts';
import { SQLITE, type SqlColumn, type SqlDialect } from '../sql-dialect.ts';

/** A database that svc opens only for reading. A command sees one state of the database, even while a sync runs. */
export interface DatabaseSnapshot {
  /** The name of the database in messages: `local database` or `team database`. */
  readonly title: 'local database' | 'team database';
  /** The command that updates the database, such as `svc sync`. */
  readonly update: string;
  /** The id of the user whose records the database contains. Undefined if the service does not show the id. */
  readonly user: number | undefined;
  readonly states: ReadonlyMap<string, TableState>;
  readonly sql: SqlDialect;
  /** Returns a string that the sync stored. Undefined without such a string. */
  stored(name: string): Promise<string | undefined>;
  columns(table: string): Promise<readonly SqlColumn[]>;
  /** Runs a query. Each `?` is a placeholder. @throws DatabaseError if svc can’t read the database. */
  all<Row>(sql: string, ...values: (string | number)[]): Promise<readonly Row[]>;
  /** Searches the full-text index. Undefined without an index, because an older svc filled the database. */
  readonly findHits: FindHits | undefined;
  /** Returns true if the role can read the records of a table. After a refused query, the server would refuse all further queries. */
  canRead(table: string): Promise<boolean>;
  /**
   * Opens the change log, and ends the transaction of the snapshot. A slow reader then keeps no transaction open.
   *
   * @throws UsageError if an older svc filled the database. ForbiddenError if the role must not read the change log.
   */
  openChangeLog(): Promise<OpenedLog>;
  /** Returns the error for a query that needs the id of the signed-in user. */
  unknownUser(): SvcError;
  close(): Promise<void>;
}

/** The change log of a snapshot. `hidden`: the resources whose changes the role must not read. */
export interface OpenedLog extends ChangeReader {
  readonly hidden: readonly string[];
}

/** Returns the error for a database that has no readable change log, because an older svc made the database. */
export function noChangeLog(name: string, update: string): SvcError {
  return new UsageError(`An older svc filled ${name}, so svc cannot read its change log.`, { hint: `To update the database: ${update}` });
}

/**
 * Opens a local database only for reading.
 *
 * @param host organisation that the database must belong to.
 * @param update the command that updates the database.
 * @returns undefined if the database does not exist or is still empty.
 * @throws DatabaseError for another file, another organisation’s database, a newer format version or a damaged file.
 */
export async function openSnapshot(path: string, host: string, update = 'svc sync'): Promise<DatabaseSnapshot | undefined> {
  if (!(await findDatabase(path))) return undefined;
  const { DatabaseSync: Database } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = openForReading(Database, path);
    // From the first query after BEGIN, this connection sees one state of the database.
    database.exec('BEGIN');
    const snapshot = snapshotOf(database, path, host, update);
    if (snapshot === undefined) database.close();
    return snapshot;
  } catch (error) {
    database?.close();
    throw error instanceof DatabaseError ? error : new DatabaseError('unusable', path, error);
  }
}

function snapshotOf(database: DatabaseSync, path: string, host: string, update: string): DatabaseSnapshot | undefined {
  const form = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (form > FORM) throw new DatabaseError('newer', path);
  if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'svc_mirror'").get() === undefined) return undefined;
  const owner = database.prepare('SELECT host, user_id FROM svc_mirror').get();
  if (owner !== undefined && owner['host'] !== host) throw new DatabaseError('of-another', path);
  const rows = <Row>(sql: string, ...values: SQLInputValue[]): Row[] => {
    try {
      return database.prepare(sql).all(...values) as unknown as Row[];
    } catch (error) {
      throw new DatabaseError('unusable', path, error);
    }
  };
  const states = new Map(rows<TableState>('SELECT * FROM svc_tables').map((state) => [state.noun, state]));
  if (states.size === 0) return undefined;
  return {
    title: 'local database',
    update,
    user: typeof owner?.['user_id'] === 'number' ? owner['user_id'] : undefined,
    states,
    sql: SQLITE,
    all: async (sql, ...values) => rows(sql, ...values),
    columns: async (table) => rows<SqlColumn>('SELECT name, type FROM pragma_table_info(?)', table),
    stored: async (name) => rows<{ readonly text: string }>('SELECT text FROM svc_kept WHERE name = ?', name)[0]?.text,
    findHits: form < FIRST_SEARCHED ? undefined : sqliteSearch(rows),
    canRead: async () => true,
    async openChangeLog() {
      if (rows("SELECT 1 FROM sqlite_master WHERE name = 'svc_log'").length === 0) throw noChangeLog(path, update);
      database.exec('COMMIT');
      return { ...changeReader(sqliteRunner(rows), { changes: 'svc_changes', bounds: 'svc_log' }, path), hidden: [] };
    },
    unknownUser: () =>
      new UsageError('The local database does not contain your user id.', { hint: `To update the local database: ${update}` }),
    close: async () => database.close(),
  };
}
