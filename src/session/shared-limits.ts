import { closeSync, constants, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BudgetKind, SharedLimits } from '../client/pace.ts';
import { refusedUntil } from '../client/rate-book.ts';
import { pathIn } from '../values/paths.ts';
import type { Needs } from './context.ts';

/**
 * Opens the shared rate limits. One file has the time before which no process sends requests. For bulk work, a second file has the rate
 * book of each account.
 */
export function openSharedLimits(
  { clock, paths }: Needs<'clock' | 'paths'>,
  { origin, account }: { readonly origin: string; readonly account: () => Promise<string> },
): SharedLimits & { close(): void } {
  const name = origin.replace(/[^a-z0-9.-]+/gi, '_');
  const pauses = openPauses(pathIn(paths.cache, 'limits', `${name}.pauses`), () => clock.now());
  let book: ReturnType<typeof openBook> | undefined;
  async function openBook() {
    const [{ openLimitsFile }, owner] = await Promise.all([import('./limits-file.ts'), account()]);
    return openLimitsFile(pathIn(paths.cache, 'limits', `${name}.json`), { now: () => clock.now(), owner: `${origin}\0${owner}` });
  }
  return {
    ...pauses,
    async update(change) {
      book ??= openBook();
      return (await book).update(change);
    },
    close() {
      book?.then(
        ({ close }) => close(),
        () => undefined,
      );
    },
  };
}

/** The lines of the file: the pause of reads, then of writes. Equal lengths let svc write each line alone. */
const LINES: readonly BudgetKind[] = ['read', 'write'];

/** Matches a line: the end of the pause, and the time of writing, in milliseconds since 1970. */
const LINE = /^(\d{16}) (\d{16})\n$/;

const LINE_BYTES = 34;

/** The flags that refuse a link at the file’s path, and do not wait for a pipe. Windows has no such flags. */
const NO_LINK = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens the file with the pauses that the service requested. The file needs no lock, because one small write stores a pause. Another
 * process then sees the pause before its next request. If svc can’t use the file, processes share no pauses.
 */
function openPauses(path: string, now: () => number): Pick<SharedLimits, 'refused' | 'refuse'> {
  const read = (kind: BudgetKind): number => {
    const bytes = Buffer.alloc(LINE_BYTES);
    withFile(path, constants.O_RDONLY, (file) => readSync(file, bytes, 0, LINE_BYTES, LINES.indexOf(kind) * LINE_BYTES));
    const [, until, at] = LINE.exec(bytes.toString('latin1')) ?? [];
    return until === undefined ? 0 : refusedUntil(Number(until), Number(at), now());
  };
  return {
    refused: read,
    refuse(kind, until) {
      if (read(kind) >= until) return;
      const line = [until, now()].map((time) => String(Math.ceil(time)).padStart(16, '0')).join(' ');
      const write = (file: number) => writeSync(file, `${line}\n`, LINES.indexOf(kind) * LINE_BYTES);
      const flags = constants.O_WRONLY | constants.O_CREAT;
      if (withFile(path, flags, write)) return;
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      } catch {
        return;
      }
      withFile(path, flags, write);
    },
  };
}

/** Runs `use` with the open file. Returns false after a failure. */
function withFile(path: string, flags: number, use: (file: number) => void): boolean {
  try {
    const file = openSync(path, flags | NO_LINK, 0o600);
    try {
      use(file);
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    return false;
  }
}
