import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { emptyBook, LONGEST_REFUSAL, MOST_AHEAD, type RateBook } from '../client/rate-book.ts';
import { makeOwnerOnly } from '../journal/database-file.ts';
import { parsedJson } from '../values/json.ts';

const MOST_BYTES = 1_000_000;

/** The longest wait for another process, in milliseconds. Another process locks the file for less than one millisecond. */
const PATIENCE = 2_000;

const kinds = z.object({ read: z.number(), write: z.number() });
const bucket = z.object({
  kind: z.enum(['read', 'write']),
  limit: z.number().optional(),
  told: z.number(),
  remaining: z.number(),
  window: z.number().optional(),
  earliest: z.number(),
  latest: z.number(),
  serial: z.number(),
});
const book = z.object({
  serial: z.number(),
  buckets: z.array(bucket),
  reserved: z.array(z.object({ serial: z.number(), kind: z.enum(['read', 'write']), units: z.number(), at: z.number() })),
  spread: kinds,
  at: z.number(),
});
const content = z.object({
  sent: z.array(z.object({ second: z.number(), requests: z.number(), read: z.number(), write: z.number() })),
  books: z.record(z.string(), book),
});

type Content = z.infer<typeof content>;

/** Opens the file of rate limits. The file has a digest of `owner` instead of `owner` itself. */
export function openLimitsFile(path: string, { now, owner }: { readonly now: () => number; readonly owner: string }) {
  const key = createHash('sha256').update(owner).digest('hex').slice(0, 16);
  const alone = emptyBook();
  let lock: DatabaseSync | undefined;
  let isUsable = true;

  function locked<T>(work: () => T): T {
    if (lock === undefined) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      makeOwnerOnly(`${path}.lock`);
      lock = new DatabaseSync(`${path}.lock`);
      // Without its own journal on disk, SQLite takes the lock in a third of the time.
      lock.exec(`PRAGMA busy_timeout = ${PATIENCE}; PRAGMA journal_mode = MEMORY`);
    }
    // The operating system releases the lock when the process ends, even after kill -9. svc never writes to this database.
    lock.exec('BEGIN EXCLUSIVE');
    try {
      return work();
    } finally {
      lock.exec('ROLLBACK');
    }
  }

  return {
    /** Changes the rate book in the file while the file is locked. If svc can’t use the file, changes a rate book of this process. */
    update<T>(change: (book: RateBook) => T): T {
      if (!isUsable) return change(alone);
      let changed: { readonly result: T } | undefined;
      try {
        return locked(() => {
          const file = openSync(path, READ_AND_WRITE, 0o600);
          try {
            const found = readContent(file, now());
            const shared = bookOf(found, key, now());
            changed = { result: change(shared) };
            writeContent(file, contentWith(found, key, shared, now()));
            return changed.result;
          } finally {
            closeSync(file);
          }
        });
      } catch {
        // The disk may be full, read-only or without file locks. From now on, this process knows only the answers to its own requests.
        isUsable = false;
        return changed === undefined ? change(alone) : changed.result;
      }
    },
    close(): void {
      lock?.close();
      lock = undefined;
    },
  };
}

/** The flags that open the file and refuse a link at its path. Windows has no flag that refuses a link. */
const READ_AND_WRITE = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

function readContent(file: number, now: number): Content {
  const nothing: Content = { sent: [], books: {} };
  const { size } = fstatSync(file);
  if (size === 0 || size > MOST_BYTES) return nothing;
  const { data } = content.safeParse(parsedJson(readFileSync(file, 'utf8')));
  if (data === undefined) return nothing;
  return {
    sent: data.sent.filter(({ second }) => second * 1000 <= now + MOST_AHEAD),
    books: Object.fromEntries(Object.entries(data.books).filter(([, { at }]) => at <= now + MOST_AHEAD && now - at <= LONGEST_REFUSAL)),
  };
}

function bookOf({ sent, books }: Content, key: string, now: number): RateBook {
  const found = Object.hasOwn(books, key) ? books[key] : undefined;
  if (found === undefined) return { ...emptyBook(), sent };
  const buckets = found.buckets.map(({ limit, window, ...each }) => ({
    ...each,
    limit,
    window,
    latest: Math.min(each.latest, now + LONGEST_REFUSAL),
  }));
  return { ...found, buckets, sent };
}

function contentWith(found: Content, key: string, { serial, buckets, reserved, spread, sent }: RateBook, now: number): Content {
  return { sent, books: { ...found.books, [key]: { serial, buckets, reserved, spread, at: now } } };
}

function writeContent(file: number, next: Content): void {
  ftruncateSync(file, writeSync(file, JSON.stringify(next), 0));
}
