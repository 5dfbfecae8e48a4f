import { existsSync } from 'node:fs';

/**
 * Counts the entries of the journal at `path` that wait or are unconfirmed; 0 without a journal. It only reads, waits for nobody, and never
 * fails: its line may be missing.
 */
export async function countOpen(path: string): Promise<number> {
  if (!existsSync(path)) return 0;
  const { DatabaseSync } = await import('node:sqlite');
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    return Number(database.prepare(`SELECT count(*) AS count FROM entries WHERE outcome IN ('waiting', 'unknown')`).get()?.['count']);
  } catch {
    return 0;
  } finally {
    database?.close();
  }
}
