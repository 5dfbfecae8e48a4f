import type { BudgetKind, SharedLimits } from '../client/pace.ts';
import { refusedUntil } from '../client/rate-book.ts';
import { pathIn } from '../values/paths.ts';
import type { Needs } from './context.ts';

/**
 * Opens the rate limits that all processes share. Every process reads from the file until when it must not send. Bulk work also stores its
 * book there, one for each account.
 */
export function openSharedLimits(
  { clock, files, paths }: Needs<'clock' | 'files' | 'paths'>,
  { origin, account }: { readonly origin: string; readonly account: () => Promise<string> },
): SharedLimits & { close(): void } {
  const path = pathIn(paths.cache, 'limits', `${origin.replace(/[^a-z0-9.-]+/gi, '_')}.json`);
  let book: ReturnType<typeof openBook> | undefined;
  async function openBook() {
    const [{ openLimitsFile }, owner] = await Promise.all([import('./limits-file.ts'), account()]);
    return openLimitsFile(path, { now: () => clock.now(), owner: `${origin}\0${owner}` });
  }
  return {
    async refused() {
      const text = await files.atOnce.readText(path).catch(() => undefined);
      return text === undefined ? NEVER : readRefused(text, clock.now());
    },
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

const NEVER: Readonly<Record<BudgetKind, number>> = { read: 0, write: 0 };

/** Matches the start of the file. A reader without the lock may see half a file. */
const REFUSED = /^\{"refused":\{"read":(\d{1,16}),"write":(\d{1,16}),"at":(\d{1,16})\}/;

function readRefused(text: string, now: number): Readonly<Record<BudgetKind, number>> {
  const [, read, write, at] = REFUSED.exec(text) ?? [];
  const until = (time: string | undefined) => refusedUntil(Number(time), Number(at), now);
  return { read: until(read), write: until(write) };
}
