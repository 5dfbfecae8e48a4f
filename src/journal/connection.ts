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
  /** The longest wait for another svc in milliseconds; default 2,000. */
  readonly timeoutMs?: number | undefined;
  /** 0 to 1, for the jitter; default `Math.random`. */
  readonly random?: (() => number) | undefined;
  readonly onSetAside: (line: string) => void;
}

const DEFAULT_TIMEOUT_MS = 2_000;
/** The first and the longest pause between two tries; a transaction of another svc takes about one. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;
/** About thirty writes. SQLite reads so large a log in a tenth of a millisecond when it opens the file. */
const LARGEST_LOG = 1024 * 1024;

export async function openConnection(path: string, options: ConnectionOptions) {
  // Loaded late: a command that writes nothing has no use for it.
  const { DatabaseSync: Database } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  /** svc moves a damaged journal away only once. A second time would mean a disk that destroys journals. */
  let isRenewed = false;

  const opened = (): DatabaseSync => {
    database ??= open(Database, path);
    return database;
  };
  const close = () => {
    if (database !== undefined) closeLeavingLog(Database, database, path);
    database = undefined;
  };

  /** Tries again until no other process is in the way. SQLite's own busy timeout would block the event loop. */
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
     * Runs `work` in a transaction that alone may write. It may run `work` again after a failure, so `work` must change only the database.
     *
     * @param durability `now`: the change survives a power cut once this resolves (one fsync). `soon`: a power cut may undo the change, a
     * kill does not.
     * @param ended Called when the transaction is over, committed or not, before anything else can happen; called again for another try.
     * @throws JournalError
     */
    write: <T>(durability: 'now' | 'soon', work: (database: DatabaseSync) => T, ended?: (committed: boolean) => void): Promise<T> =>
      run(() => {
        const open = opened();
        const logged = isLogged(open);
        // Without a log beside it (WAL), anything less than FULL could damage the file.
        open.exec(`PRAGMA synchronous = ${logged ? 'NORMAL' : 'FULL'}`);
        const result = inTransaction(open, () => work(open), ended);
        if (logged && durability === 'now') flush(`${path}-wal`);
        return result;
      }),
    /** Runs `work`, which only reads. @throws JournalError */
    read: <T>(work: (database: DatabaseSync) => T): Promise<T> => run(() => work(opened())),
    close,
  };
}

/**
 * With a write-ahead log, recording a write costs one fsync (docs/contributing/journal.md). On some disks, such as network disks, SQLite
 * keeps its rollback journal, which is as safe and takes five.
 */
function open(Database: typeof DatabaseSync, path: string): DatabaseSync {
  makeOwnerOnly(path);
  const database = new Database(path);
  try {
    database.exec('PRAGMA journal_mode = WAL');
    const version = schemaVersion(database);
    if (version > LATEST_VERSION) throw new JournalError('newer', path);
    // svc checks again inside: another svc may have come first.
    if (version < LATEST_VERSION) inTransaction(database, () => migrate(database));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** As synchronous = FULL does after a commit. SQLite itself flushes the directory. Nobody locks a log, so closing it ends no lock. */
function flush(log: string): void {
  const file = openSync(log, 'r+');
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * SQLite folds the log into the file when its last writing connection closes, which costs four flushes (sqlite.org/wal.html,
 * "Persistence"). So the last one here can only read. docs/contributing/decisions/journal.md
 */
function closeLeavingLog(Database: typeof DatabaseSync, database: DatabaseSync, path: string): void {
  const last =
    (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? LARGEST_LOG) < LARGEST_LOG ? openReader(Database, path) : undefined;
  database.close();
  last?.close();
}

/** SQLite does not count a reader before its first read. Undefined when that fails; nothing depends on it. */
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
  return `The journal ${path} was damaged. svc moved it to ${moved}, and started a new journal without the unconfirmed writes. Check a record before you repeat its write.`;
}

/** Undefined when the journal is whole: another svc made a new one. @throws JournalError `locked` while another svc does the same. */
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
