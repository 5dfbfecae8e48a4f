import type { Files } from '../deps.ts';
import { UsageError } from '../errors.ts';

/** What a directory says to svc, for all who work in it. It comes with a checkout, so it is a stranger's file. */
export const DIRECTORY_FILE = '.svc.json';

const LARGEST = 64 * 1024;

/**
 * The text of a `.svc.json`; undefined where there is none, or it may not be read. Only a small regular file is read: a
 * link to a device or a pipe would keep svc reading for ever.
 *
 * @throws UsageError for anything else of that name.
 */
export async function readDirectoryFile(files: Pick<Files, 'readText' | 'stat'>, path: string): Promise<string | undefined> {
  const found = await files.stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isFile && found.size <= LARGEST) return files.readText(path).catch(() => undefined);
  throw new UsageError(`${path} is not a small file of settings.`, { hint: 'Mend or remove it, or work in another directory.' });
}
