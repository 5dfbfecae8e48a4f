import { closeSync, fdatasyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../deps.ts';
import { isBusy, isDamaged, JournalError, journalError } from './journal-error.ts';
import { makeOwnerOnly } from './owner-only.ts';
import { isBehind, isNewer, migrate, schemaVersion } from './schema.ts';
import { setAside } from './set-aside.ts';

export interface ConnectionOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  /** Ends a wait for another svc. */
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for another svc in milliseconds; default 2,000. */
  readonly timeoutMs?: number | undefined;
  /** 0 to 1, for the jitter; default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Told when a damaged journal was set aside, with a line for the person. */
  readonly onSetAside: (line: string) => void;
}

/** The journal's database, with the waiting, and the mending, that every use of it needs. */
export interface Connection {
  /**
   * Runs `work` in a transaction that alone may write, and may run it again after a failure, so it changes nothing but the
   * database.
   *
   * @param durability `now`: it survives a power cut once this resolves (one fsync). `soon`: a power cut may undo it, a
   *   kill does not.
   * @param ended called when the transaction is over, committed or not, before anything else can happen; again for another try.
   * @throws JournalError
   */
  write<T>(durability: 'now' | 'soon', work: (database: DatabaseSync) => T, ended?: (committed: boolean) => void): Promise<T>;
  /** Runs `work`, which only reads. @throws JournalError */
  read<T>(work: (database: DatabaseSync) => T): Promise<T>;
  close(): void;
}

const DEFAULT_TIMEOUT_MS = 2_000;
/** Pauses between two tries grow from the first to the last of these; a transaction of another svc takes about one. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;
/** A log of so many bytes is read in a tenth of a millisecond when the file is opened; about thirty writes. */
const LARGEST_LOG = 1024 * 1024;

/** Opens the database at `path`, or makes it. @throws JournalError */
export async function openConnection(path: string, options: ConnectionOptions): Promise<Connection> {
  // Loaded here: a command that writes nothing has no use for it.
  const { DatabaseSync: Database } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  /** Once is mending; twice would be a disk that eats journals. */
  let mended = false;

  const opened = (): DatabaseSync => {
    database ??= open(Database, path);
    return database;
  };
  const close = () => {
    if (database !== undefined) closeLeavingLog(Database, database, path);
    database = undefined;
  };

  /** Tries until nobody is in the way, asking again rather than with SQLite's own busy timeout, which would block the event loop. */
  async function patiently<T>(attempt: () => T): Promise<T> {
    const { clock, signal, random = Math.random, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const started = clock.monotonic();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.4, LONGEST_PAUSE_MS)) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error) || clock.monotonic() - started >= timeoutMs) throw error;
      }
      await clock.sleep(pause * (0.5 + random()), signal);
    }
  }

  async function run<T>(attempt: () => T): Promise<T> {
    try {
      return await patiently(attempt);
    } catch (error) {
      if (!isDamaged(error) || mended) throw journalError(path, error);
    }
    mended = true;
    try {
      close();
      const moved = await patiently(() => setAside(Database, path, options.clock.now()));
      if (moved !== undefined) options.onSetAside(asideLine(path, moved));
      return await patiently(attempt);
    } catch (error) {
      throw journalError(path, error);
    }
  }

  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw journalError(path, error);
  }
  await run(opened);
  return {
    write: (durability, work, ended) =>
      run(() => {
        const open = opened();
        const logged = isLogged(open);
        // Without a log beside it (WAL) anything less than FULL could leave the file in pieces.
        open.exec(`PRAGMA synchronous = ${logged ? 'NORMAL' : 'FULL'}`);
        const result = inTransaction(open, () => work(open), ended);
        if (logged && durability === 'now') flush(`${path}-wal`);
        return result;
      }),
    read: (work) => run(() => work(opened())),
    close,
  };
}

/**
 * A write-ahead log: a commit is one fsync, and the settling of a write none; see docs/contributing/journal.md. A disk that cannot hold
 * one (some network disks) leaves SQLite with its rollback journal, which holds as well and takes five.
 */
function open(Database: typeof DatabaseSync, path: string): DatabaseSync {
  makeOwnerOnly(path);
  const database = new Database(path);
  try {
    database.exec('PRAGMA journal_mode = WAL');
    const version = schemaVersion(database);
    if (isNewer(version)) throw new JournalError('newer', path);
    // Looked at again within: another svc may have come first.
    if (isBehind(version)) inTransaction(database, () => migrate(database));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * What synchronous = FULL does after a commit, but for the directory, which SQLite flushes besides, once in each process. That of a new
 * log is flushed with its header. Nobody locks a log, so that closing it ends no lock.
 */
function flush(log: string): void {
  const file = openSync(log, 'r+');
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Closes it, and leaves its log where that is small. SQLite folds the log into the file when its last connection closes, and so the next
 * svc would begin it anew: two flushes more before its first byte leaves, and two here. The last that closes does so only if it may
 * write the file (sqlite.org/wal.html, "Persistence"), so the last is one that may not. docs/decisions/journal.md
 */
function closeLeavingLog(Database: typeof DatabaseSync, database: DatabaseSync, path: string): void {
  const last =
    (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? LARGEST_LOG) < LARGEST_LOG ? openReader(Database, path) : undefined;
  database.close();
  last?.close();
}

/** A connection that only reads, and has: until then it is none to SQLite. Undefined where there is none to be had; nothing depends on it. */
function openReader(Database: typeof DatabaseSync, path: string): DatabaseSync | undefined {
  let reader: DatabaseSync | undefined;
  try {
    reader = new Database(path, { readOnly: true });
    reader.prepare('PRAGMA user_version').get();
    return reader;
  } catch {
    reader?.close();
    return undefined;
  }
}

function isLogged(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA journal_mode').get()?.['journal_mode'] === 'wal';
}

function inTransaction<T>(database: DatabaseSync, work: () => T, ended: (committed: boolean) => void = () => undefined): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    ended(true);
    return result;
  } catch (error) {
    // A full disk may have ended the transaction already.
    if (database.isTransaction) database.exec('ROLLBACK');
    ended(false);
    throw error;
  }
}

function asideLine(path: string, moved: string): string {
  return `The journal ${path} was damaged and is now ${moved}; a new one was begun. svc no longer knows of writes whose outcome was unknown: look before you repeat one.`;
}
