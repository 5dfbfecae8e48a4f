import { rm } from 'node:fs/promises';

/** Removes a mirror, with what SQLite and a sync keep beside it. */
export async function removeMirror(path: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
  await rm(`${path}.sync`, { recursive: true, force: true });
}
