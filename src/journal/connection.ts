import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../deps.ts';
import { makeOwnerOnly, tryLock } from './database-file.ts';
import { isBusy, isDamaged, JournalError, journalError } from './journal-error.ts';
import { LATEST_VERSION, migrate, schemaVersion } from './schema.ts';

export interface ConnectionOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for another svc process, in milliseconds. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
  /** Returns a random number from 0 to 1 for the jitter. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  readonly onSetAside: (line: string) => void;
}

const DEFAULT_TIMEOUT_MS = 2_000;
/**
 * The first pause between two attempts, in milliseconds, before jitter. A transaction of another svc process takes about one millisecond.
 */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;
/**
 * The size in bytes from which svc no longer leaves a write-ahead log on disk: about thirty writes. SQLite reads a log of this size in a
 * tenth of a millisecond.
 */
const LARGEST_LOG = 1024 * 1024;

export async function openConnection(path: string, options: ConnectionOptions) {
  // svc loads the module only when the journal opens, because most commands write nothing.
  const { DatabaseSync: Database } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  /**
   * True after svc has tried to move a damaged journal away. svc tries only once, because a second damaged journal points to a broken disk.
   */
  let isRenewed = false;

  const opened = (): DatabaseSync => {
    database ??= open(Database, path);
    return database;
  };
  /** True after a change that svc has not flushed. */
  let isLoose = false;
  const close = () => {
    if (database !== undefined) closeLeavingLog(Database, database, path);
    database = undefined;
  };

  /**
   * Repeats an attempt for up to `timeoutMs` while another process blocks the attempt. SQLite’s own busy timeout would block the event
   * loop.
   */
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
      if (!isDamaged(error) || isRenewed) throw journalError(path, error);
    }
    isRenewed = true;
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
    /**
     * Runs `work` in a transaction. No other process can write to the journal during the transaction. svc may run `work` again after a
     * failure, so `work` must change only the database.
     * @param durability `now`: the change survives a power cut once the promise resolves, at the cost of at least one fsync. `soon`: the
     * change survives a kill, and from `close` on a power cut.
     * @param ended function that svc calls directly after each transaction. `committed` is false after a rollback.
     * @throws JournalError
     */
    write: <T>(durability: 'now' | 'soon', work: (database: DatabaseSync) => T, ended?: (committed: boolean) => void): Promise<T> =>
      run(() => {
        const open = opened();
        const logged = open.prepare('PRAGMA journal_mode').get()?.['journal_mode'] === 'wal';
        // Without a write-ahead log, any setting below FULL could damage the file.
        open.exec(`PRAGMA synchronous = ${logged ? 'NORMAL' : 'FULL'}`);
        const before = changesOf(open);
        const result = inTransaction(open, () => work(open), ended);
        if (logged && durability === 'now') flush(`${path}-wal`);
        isLoose = logged && durability === 'soon' && (isLoose || changesOf(open) !== before);
        return result;
      }),
    /** Runs `work`, which must only read. Each statement of `work` is a transaction of its own. @throws JournalError */
    read: <T>(work: (database: DatabaseSync) => T): Promise<T> => run(() => work(opened())),
    /** Flushes the changes that are not flushed yet, and closes the file. */
    close(): void {
      try {
        if (isLoose) flush(`${path}-wal`);
      } catch {
        // The changes survive everything except a power cut.
      }
      close();
    },
  };
}

/** Returns the number of rows that a connection has changed so far. */
function changesOf(database: DatabaseSync): unknown {
  return database.prepare('SELECT total_changes() AS changes').get()?.['changes'];
}

/**
 * Opens the journal file, and migrates an older file. With a write-ahead log, recording a write costs one fsync
 * (docs/contributing/journal.md). On some disks, such as network disks, SQLite keeps its rollback journal, which is as safe but costs five
 * fsyncs.
 */
function open(Database: typeof DatabaseSync, path: string): DatabaseSync {
  makeOwnerOnly(path);
  const database = new Database(path);
  try {
    database.exec('PRAGMA journal_mode = WAL');
    const version = schemaVersion(database);
    if (version > LATEST_VERSION) throw new JournalError('newer', path);
    // svc checks the version again within the transaction, because another svc process may have migrated the file.
    if (version < LATEST_VERSION) inTransaction(database, () => migrate(database));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Flushes the log to disk, as synchronous = FULL does after a commit. SQLite flushes the directory. Closing a log releases no lock. */
function flush(log: string): void {
  const file = openSync(log, 'r+');
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Closes the connection, and leaves a write-ahead log below 1 MiB on disk. SQLite copies the log into the file when the last writing
 * connection closes (sqlite.org/wal.html, “Persistence”). The copy costs four flushes. svc therefore opens a reading connection, and closes
 * this connection last (docs/contributing/decisions/journal.md).
 */
function closeLeavingLog(Database: typeof DatabaseSync, database: DatabaseSync, path: string): void {
  const last =
    (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? LARGEST_LOG) < LARGEST_LOG ? openReader(Database, path) : undefined;
  database.close();
  last?.close();
}

/** Opens a reading connection, and reads once, because SQLite ignores a reader before its first read. Undefined after a failure. */
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

function inTransaction<T>(database: DatabaseSync, work: () => T, ended: (committed: boolean) => void = () => undefined): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    ended(true);
    return result;
  } catch (error) {
    // If the disk is full, SQLite may have already ended the transaction.
    if (database.isTransaction) database.exec('ROLLBACK');
    ended(false);
    throw error;
  }
}

function asideLine(path: string, moved: string): string {
  return `The journal ${path} was damaged. svc moved the file to ${moved}, and started a new journal without the unconfirmed writes. Check a record before you repeat its write.`;
}

/**
 * Moves a damaged journal away, and returns its new path. Returns undefined if the file is missing, in use or intact, for example after
 * another svc process replaced the file.
 * @throws JournalError with the fault `locked` while another svc process moves the same file.
 */
export function setAside(Database: typeof DatabaseSync, path: string, now: number): string | undefined {
  const lock = tryLock(Database, `${path}.lock`);
  if (lock === undefined) throw new JournalError('locked', path);
  try {
    if (isWhole(Database, path)) return undefined;
    const target = `${path}.damaged-${now}`;
    for (const suffix of ['-wal', '-shm', '']) if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
    return target;
  } finally {
    lock.close();
  }
}

function isWhole(Database: typeof DatabaseSync, path: string): boolean {
  if (!existsSync(path)) return true;
  const database = new Database(path);
  try {
    return database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] === 'ok';
  } catch (error) {
    if (isBusy(error)) return true;
    if (isDamaged(error)) return false;
    throw error;
  } finally {
    database.close();
  }
}
