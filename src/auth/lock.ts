import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../deps.ts';
import { SvcError } from '../errors.ts';

export interface LockOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** The subject of the lock, for messages: `the sign-in of acme.example.com`. */
  readonly subject: string;
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for the lock in milliseconds, before an error. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The function that svc calls once if the wait for the lock takes longer than one second. */
  readonly onWait?: (() => void) | undefined;
  readonly random?: (() => number) | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const NOTICEABLE_MS = 1_000;
/**
 * The bounds in milliseconds of a growing pause, before a random factor from 0.5 to 1.5. Two hundred waiting processes must not slow down
 * the process that has the lock.
 */
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 250;

/**
 * Runs `work` while only this process has the lock at `path`. The lock is an exclusive transaction on an empty SQLite database. The
 * operating system ends the transaction with the process, even after `kill -9`. A plain lock file could become stale. The lock is not
 * reentrant: a second call for the same path waits for the first, even within `work`.
 *
 * The lock file stays. If svc removed the file, two processes could each lock a file of their own.
 *
 * @throws SvcError if the lock is taken for longer than `timeoutMs`, or if svc cannot lock at that path.
 * @throws the signal’s reason after an abort.
 */
export async function withLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  options.signal?.throwIfAborted();
  const database = await openDatabase(path);
  try {
    await acquire(database, path, options);
    return await work();
  } finally {
    database.close();
  }
}

async function openDatabase(path: string): Promise<DatabaseSync> {
  // svc imports the module late, because most commands never lock. On Node 22 the import warns that the module is experimental.
  const { DatabaseSync } = await import('node:sqlite');
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return new DatabaseSync(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Takes the lock by repeated attempts, with pauses between the attempts. SQLite’s own busy timeout would block the event loop. */
async function acquire(database: DatabaseSync, path: string, options: LockOptions): Promise<void> {
  const { clock, random = Math.random, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const started = clock.monotonic();
  let hasReported = false;
  for (let pause = FIRST_PAUSE_MS; !take(database, path); pause = Math.min(pause * 1.4, LONGEST_PAUSE_MS)) {
    const waited = clock.monotonic() - started;
    if (waited >= timeoutMs) throw stillTaken(path, options.subject, timeoutMs);
    if (!hasReported && waited >= NOTICEABLE_MS) {
      hasReported = true;
      options.onWait?.();
    }
    await clock.sleep(pause * (0.5 + random()), options.signal);
  }
}

function take(database: DatabaseSync, path: string): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw unusable(path, error);
  }
}

/** Returns true if an error of SQLite is SQLITE_BUSY (5) or SQLITE_LOCKED (6). The higher bits of the code only give details. */
function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
  return code === 5 || code === 6;
}

function stillTaken(path: string, subject: string, timeoutMs: number): SvcError {
  return new SvcError(`Another svc is changing ${subject} and has not finished within ${Math.round(timeoutMs / 1000)} seconds.`, {
    hint: `Try again. If the error remains, end the other svc; the lock is ${path}.`,
  });
}

function unusable(path: string, cause: unknown): SvcError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SvcError(`svc cannot use the lock file ${path}: ${reason}.`, {
    hint: 'The directory must be writable, on a disk that supports file locks. You can remove a damaged lock file while no svc runs.',
    cause,
  });
}
