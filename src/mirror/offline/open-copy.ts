import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { findMirror } from '../find-mirror.ts';
import type { TableState } from '../mirror.ts';
import { MirrorError } from '../mirror-error.ts';
import { FORM } from '../own-tables.ts';

/** A mirror that is only read, as it was at one moment: whatever a sync does meanwhile, one command sees one state of it. */
export interface Copy {
  readonly path: string;
  /** The id of the user whose sight it holds; undefined where the service would not say. */
  readonly user: number | undefined;
  /** The tables there are, by noun. */
  readonly states: ReadonlyMap<string, TableState>;
  /** A text that the sync kept beside the tables. */
  kept(name: string): string | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  close(): void;
}

/**
 * Opens a mirror for reading alone.
 *
 * @param host whose it must be.
 * @returns undefined where there is none, or nothing in it yet.
 * @throws MirrorError for what is none, is another organisation's, is of a newer form, or is damaged.
 */
export async function openCopy(path: string, host: string): Promise<Copy | undefined> {
  if (!(await findMirror(path))) return undefined;
  const { DatabaseSync: Database } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = new Database(path, { readOnly: true, timeout: 5_000 });
    // The first question after it fixes the state that is seen until the end.
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
