import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { findMirror } from '../find-mirror.ts';
import type { TableState } from '../mirror.ts';
import { MirrorError } from '../mirror-error.ts';
import { openForReading } from '../open-for-reading.ts';
import { FORM } from '../own-tables.ts';

/** A local database that is only read, in the state of one time: one command sees one state, even during a sync. */
export interface Copy {
  readonly path: string;
  /** Id of the user whose records it has; undefined if the service did not say. */
  readonly user: number | undefined;
  /** The existing tables, by resource. */
  readonly states: ReadonlyMap<string, TableState>;
  /** Returns a text that the sync stored beside the tables. */
  kept(name: string): string | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  close(): void;
}

/**
 * Opens a local database for reading alone.
 *
 * @param host the organisation that it must belong to.
 * @returns undefined if it does not exist, or is still empty.
 * @throws MirrorError for another file, another organisation’s database, a newer form or a damaged file.
 */
export async function openCopy(path: string, host: string): Promise<Copy | undefined> {
  if (!(await findMirror(path))) return undefined;
  const { DatabaseSync: Database } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = openForReading(Database, path);
    // The first query after BEGIN fixes the state that is seen until the end.
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
