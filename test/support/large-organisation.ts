import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The creation and change time of the last records: a day ago, so that no record seems new. */
const LAST = Date.now() - 86_400_000;
const MINUTE = 60_000;

/**
 * Writes an export of an organisation, from which a sandbox can start. The export has many records per resource, created a minute apart and
 * never changed.
 */
export async function writeLargeOrganisation(directory: string, sizes: Readonly<Record<string, number>>): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'manifest.json'), '{}');
  for (const [noun, size] of Object.entries(sizes)) {
    const lines = Array.from({ length: size }, (_, index) => JSON.stringify(recordOf(noun, index + 1, size)));
    await writeFile(join(directory, `${noun}.ndjson`), lines.map((line) => `${line}\n`).join(''));
  }
}

function recordOf(noun: string, id: number, size: number): object {
  const stamp = `${new Date(LAST - (size - id) * MINUTE).toISOString().slice(0, 19)}Z`;
  const stamps = { created_at: stamp, updated_at: stamp };
  const date = stamp.slice(0, 10);
  if (noun === 'worklogs') return { id, date, minutes: 1 + (id % 480), description: `Work ${id}`, user_id: 1 + (id % 10), ...stamps };
  if (noun === 'absences') return { id, user_id: 1 + (id % 10), start: stamp, end: stamp, ...stamps };
  return { id, name: `${noun} ${id}`, title: `${noun} ${id}`, ...stamps };
}
