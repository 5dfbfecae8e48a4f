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
  /** The longest wait in milliseconds; default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Called once when the wait gets long enough for a person to wonder (one second). */
  readonly onWait?: (() => void) | undefined;
  readonly random?: (() => number) | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const NOTICEABLE_MS = 1_000;
/** Each pause is drawn around a value that grows between these. Two hundred waiting processes must not slow down the holder. */
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 250;

/**
 * Runs `work` while this process alone holds the lock at `path`. The lock is an exclusive transaction on an empty SQLite database. The
 * operating system drops it when its holder dies, kill -9 included; a plain lock file can become stale. Not reentrant: a second call for
 * the same path, from inside `work` too, waits for the first.
 *
 * The file itself stays: after a removal two processes could each hold a lock on a file of their own.
 *
 * @throws SvcError when the lock stays taken beyond `timeoutMs`, or svc cannot lock at that path.
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
  // Loaded late: most commands never lock, and on Node 22 the import warns that the module is experimental.
  const { DatabaseSync } = await import('node:sqlite');
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return new DatabaseSync(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Waits by trying again rather than with SQLite's own busy timeout, which would block the event loop. */
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

/** SQLITE_BUSY (5) and SQLITE_LOCKED (6); the bits above the lowest eight only refine them. */
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
  return new SvcError(`The lock file ${path} cannot be used: ${reason}.`, {
    hint: 'The directory must be writable, on a disk that supports file locks. You can remove a damaged lock file while no svc runs.',
    cause,
  });
}
