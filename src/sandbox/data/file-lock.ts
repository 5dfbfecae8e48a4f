import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Takes a data file for this process: two that keep the same file would overwrite each other's data. It holds an exclusive
 * transaction on an empty database beside the file. The system ends that transaction with its process.
 *
 * @returns A function that releases the file.
 * @throws RangeError when another process has it; SQLite's error when there can be no lock at that path.
 */
export function lockFile(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(`${path}.lock`);
  try {
    // Nothing is ever written, so nothing more lies beside it.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    if (code === 5 || code === 6) throw new RangeError('another sandbox keeps its data there');
    throw error;
  }
  return () => {
    if (database.isOpen) database.close();
  };
}
