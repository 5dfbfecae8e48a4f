import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Removes a mirror, with what SQLite and a sync keep beside it. @returns false where there was none. */
export async function removeMirror(path: string): Promise<boolean> {
  const was = existsSync(path) || existsSync(`${path}.sync`);
  for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
  await rm(`${path}.sync`, { recursive: true, force: true });
  return was;
}

/** Removes what a sync that was ended had read for databases; it lies beside the account's own mirror. @param path of that mirror. */
export async function removePieces(path: string): Promise<void> {
  const begin = `${basename(path, '.sqlite')}-`;
  for (const name of await readdir(dirname(path)).catch(() => []))
    if (name.startsWith(begin) && /^[0-9a-f]{16}\.sync$/.test(name.slice(begin.length)))
      await rm(join(dirname(path), name), { recursive: true, force: true });
}
