import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { findMirror } from '../find-mirror.ts';
import type { TableState } from '../mirror.ts';
import { MirrorError } from '../mirror-error.ts';
import { openForReading } from '../open-for-reading.ts';
import { FORM } from '../own-tables.ts';

/** A local database that svc opens only for reading. A command sees one state of the database, even while a sync runs. */
export interface Copy {
  readonly path: string;
  /** The id of the user whose records the database contains. Undefined if the service does not show the id. */
  readonly user: number | undefined;
  /** The states of the tables, by resource. */
  readonly states: ReadonlyMap<string, TableState>;
  /** Returns a string that the sync stored. Undefined if there is none. */
  kept(name: string): string | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  close(): void;
}

/**
 * Opens a local database only for reading.
 *
 * @param host organisation that the database must belong to.
 * @returns undefined if the database does not exist or is still empty.
 * @throws MirrorError for another file, another organisation’s database, a newer form or a damaged file.
 */
export async function openCopy(path: string, host: string): Promise<Copy | undefined> {
  if (!(await findMirror(path))) return undefined;
  const { DatabaseSync: Database } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = openForReading(Database, path);
    // The first query after BEGIN fixes the state that this connection sees.
    database.exec('BEGIN');
    const copy = copyOf(database, path, host);
    if (copy === undefined) database.close();
    return copy;
  } catch (error) {
    database?.close();
    throw error instanceof MirrorError ? error : new MirrorError('unusable', path, error);
  }
}

function copyOf(database: DatabaseSync, path: string, host: string): Copy | undefined {
  if (Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0) > FORM) throw new MirrorError('newer', path);
  if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'svc_mirror'").get() === undefined) return undefined;
  const whose = database.prepare('SELECT host, user_id FROM svc_mirror').get();
  if (whose !== undefined && whose['host'] !== host) throw new MirrorError('of-another', path);
  const all = <Row>(sql: string, ...values: SQLInputValue[]): Row[] => {
    try {
      return database.prepare(sql).all(...values) as unknown as Row[];
    } catch (error) {
      throw new MirrorError('unusable', path, error);
    }
  };
  const states = new Map(all<TableState>('SELECT * FROM svc_tables').map((state) => [state.noun, state]));
  if (states.size === 0) return undefined;
  return {
    path,
    user: typeof whose?.['user_id'] === 'number' ? whose['user_id'] : undefined,
    states,
    all,
    kept: (name) => all<{ readonly text: string }>('SELECT text FROM svc_kept WHERE name = ?', name)[0]?.text,
    close: () => database.close(),
  };
}
