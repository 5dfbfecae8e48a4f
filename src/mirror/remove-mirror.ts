import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';

/** Removes a mirror, with what SQLite and a sync keep beside it. @returns false where there was none. */
export async function removeMirror(path: string): Promise<boolean> {
  const was = existsSync(path) || existsSync(`${path}.sync`);
  for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
  await rm(`${path}.sync`, { recursive: true, force: true });
  return was;
}
