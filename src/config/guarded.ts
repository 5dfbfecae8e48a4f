import type { Files } from '../deps.ts';
import { SvcError, UsageError } from '../errors.ts';

/** Others of this machine may change what svc would go by. */
export class UnguardedError extends SvcError {}

/**
 * Makes sure that nobody but the person and the administrator can have changed a file, or put another one in its place.
 *
 * @param what For the message: `the settings`.
 * @throws UnguardedError
 */
export async function assertGuarded(files: Pick<Files, 'weakness'>, path: string, what: string): Promise<void> {
  const weak = await files.weakness(path);
  if (weak === undefined) return;
  const { path: entry, why } = weak;
  throw new UnguardedError(`svc does not go by ${what} in ${path}, which others on this machine may have changed: of ${entry}, ${why}.`, {
    hint: why.includes('write')
      ? `Look at what is in it, then: chmod go-w ${entry}`
      : `Take it over (chown), or keep svc's files elsewhere with SVC_CONFIG_DIR.`,
  });
}

/** What it takes to read a file that nobody named. */
export interface ReadingUnnamed {
  readonly files: Pick<Files, 'readText' | 'stat' | 'weakness'>;
  /** Prints a line on stderr; the same line only once. */
  readonly tellOnce: (line: string) => void;
}

/**
 * Reads a file that svc looks for where the person works, though the person did not name it: it may be a stranger's. A file that others may
 * have changed does not count, and a line says so.
 *
 * @param largest In bytes; default 64 KiB.
 * @returns undefined where there is none that counts, or it cannot be read.
 * @throws UsageError for what is no regular file or is larger: a pipe or a device would keep svc reading for ever.
 */
export async function readUnnamed({ files, tellOnce }: ReadingUnnamed, path: string, largest = 64 * 1024): Promise<string | undefined> {
  const found = await files.stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const weak = await files.weakness(path);
  if (weak !== undefined) {
    tellOnce(`${path} does not count, since others on this machine may have changed it: of ${weak.path}, ${weak.why}.`);
    return undefined;
  }
  if (found.isFile && found.size <= largest) return files.readText(path).catch(() => undefined);
  throw new UsageError(`${path} is no regular file of up to ${largest / 1024} KiB.`, {
    hint: 'Fix or remove it, or work in another directory.',
  });
}
