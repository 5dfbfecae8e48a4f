import type { Files } from '../deps.ts';
import { SvcError, UsageError } from '../errors.ts';

export class UnguardedError extends SvcError {}

/**
 * Checks that only the user and the administrator can change a file.
 *
 * @param what The subject of the message: `the settings`.
 * @throws UnguardedError if somebody else could change the file.
 */
export async function assertGuarded(files: Pick<Files, 'weakness'>, path: string, what: string): Promise<void> {
  const weak = await files.weakness(path);
  if (weak === undefined) return;
  const { path: entry, why } = weak;
  throw new UnguardedError(`svc does not use ${what} in ${path}, because other users of this machine can change ${entry}: ${why}.`, {
    hint: why.includes('write')
      ? `Check the contents, then: chmod go-w ${entry}`
      : `Make yourself the owner (chown), or keep the files of svc elsewhere with SVC_CONFIG_DIR.`,
  });
}

export interface ReadingUnnamed {
  readonly files: Pick<Files, 'readText' | 'stat' | 'weakness'>;
  /** Prints a line on stderr, unless the run has already printed the same line. */
  readonly notifyOnce: (line: string) => void;
}

/**
 * Reads a file that the user did not name, such as a `.svc.json`. Another person can have written the file. svc ignores a file that other
 * users could have changed, and prints a notice.
 *
 * @param largest The size limit in bytes. Default: 64 KiB.
 * @returns undefined if svc ignores the file or cannot read the file.
 * @throws UsageError for a larger file, and for a special file. Reading a pipe or a device would never end.
 */
export async function readUnnamed({ files, notifyOnce }: ReadingUnnamed, path: string, largest = 64 * 1024): Promise<string | undefined> {
  const found = await files.stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const weak = await files.weakness(path);
  if (weak !== undefined) {
    notifyOnce(`svc does not use ${path}, because other users of this machine can change ${weak.path}: ${weak.why}.`);
    return undefined;
  }
  if (found.isFile && found.size <= largest) return files.readText(path).catch(() => undefined);
  throw new UsageError(`${path} is not a regular file of at most ${largest / 1024} KiB.`, {
    hint: 'Fix or remove the file, or work in another directory.',
  });
}
