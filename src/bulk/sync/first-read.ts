import { rm } from 'node:fs/promises';
import type { Choice, Excluded } from '../export/collections.ts';
import { tellCost } from '../export/estimate.ts';
import { exportAll } from '../export/export-into.ts';
import { readRecords } from '../export/lines.ts';
import { removeState } from '../export/manifest.ts';
import { openRun } from '../export/run.ts';
import type { SyncRun } from './run.ts';

/** What came of reading tables for the first time. */
export interface FirstRead {
  readonly rows: ReadonlyMap<string, number>;
  readonly leftOut: readonly { readonly noun: string; readonly reason: string }[];
  readonly notCollections: readonly Excluded[];
}

/**
 * Reads tables that the mirror does not have as an export reads them, into files beside it, and then puts each into its table. Stopped at
 * any moment, the next run goes on where it was.
 *
 * @param directory for the files; it is gone afterwards.
 */
export async function readFirst(run: SyncRun, choice: Choice, user: number | undefined, directory: string): Promise<FirstRead> {
  const { context, client, mirror, shapeOf } = run;
  const reading = await openRun(context, directory, { choice, user, client }, OPTIONS);
  if (!reading.goesOn) await tellCost(reading, choice.collections, choice.nested);
  await exportAll(reading, choice.collections, choice.nested);
  const rows = new Map<string, number>();
  const { collections, left_out: leftOut, not_collections: notCollections } = reading.state;
  for (const { noun, path, file, as_of, rows: count } of collections) {
    const key = choice.nested.find((each) => each.noun === noun)?.key;
    const change = { path, as_of, whole_at: as_of, known_by: 'read' as const };
    await mirror.replace(await shapeOf(noun, key), readRecords(context.files, `${directory}/${file}`), change);
    rows.set(noun, count);
  }
  await removeState(context.files, directory);
  await rm(directory, { recursive: true, force: true });
  return { rows, leftOut, notCollections };
}

const OPTIONS = { format: undefined, since: undefined, view: 'detail', restart: undefined, noNested: undefined } as const;
