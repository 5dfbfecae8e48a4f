import { existsSync } from 'node:fs';

/**
 * How many entries of the journal at `path` wait, or have an unknown outcome; 0 where there is no journal. Only reads, waits for nobody,
 * and never fails: it is for a line that may as well be missing.
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
