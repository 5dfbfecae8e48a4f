import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { parsedJson } from '../../values/json.ts';
import type { Excluded, ExportChoice } from '../export/collections.ts';
import { printEstimate } from '../export/estimate.ts';
import { exportAll, withResume } from '../export/export-into.ts';
import { DamagedFileError, readExportedRecords } from '../export/lines.ts';
import { removeState } from '../export/manifest.ts';
import { openRun } from '../export/run.ts';
import type { SyncRun } from './run.ts';

export interface FirstRead {
  readonly rows: ReadonlyMap<string, number>;
  readonly leftOut: readonly { readonly noun: string; readonly reason: string }[];
  readonly notCollections: readonly Excluded[];
  /** True if an earlier run read some of the rows. These rows have possibly changed since then. */
  readonly isContinued: boolean;
}

/**
 * Reads the tables that the local database lacks. Like an export, svc first writes files into `directory`, then fills the tables. After an
 * interruption, the next run resumes with the files and the partly filled tables ({@link startedFirst}).
 *
 * @param directory directory for the files, which svc removes at the end.
 */
export async function readFirst(run: SyncRun, choice: ExportChoice, user: number | undefined, directory: string): Promise<FirstRead> {
  const { context, client, database, shapeOf } = run;
  const nouns = [...choice.collections, ...choice.nested].map(({ noun }) => noun);
  await database.keep(BEGAN, JSON.stringify(nouns));
  const reading = await openRun(context, directory, { choice, user, client }, OPTIONS);
  if (context.statusLine.isThere) await printEstimate(reading, choice.collections, choice.nested, false);
  try {
    await exportAll(reading, choice.collections, choice.nested);
  } catch (error) {
    // svc sync has no --restart, which the command after damage would need.
    throw error instanceof DamagedFileError ? error : withResume(error, context, reading.state);
  }
  const rows = new Map<string, number>();
  const { collections, left_out: leftOut, not_collections: notCollections } = reading.state;
  for (const { noun, path, file, as_of, rows: count } of collections) {
    const key = choice.nested.find((each) => each.noun === noun)?.key;
    const change = { path, as_of, whole_at: as_of, known_by: 'read' as const };
    await database.replace(await shapeOf(noun, key), readExportedRecords(context.files, `${directory}/${file}`), change);
    rows.set(noun, count);
  }
  await database.keep(BEGAN, undefined);
  await removeState(context.files, directory);
  await rm(directory, { recursive: true, force: true });
  return { rows, leftOut, notCollections, isContinued: reading.isResumed };
}

/** Returns the tables that an earlier run started to read and did not completely fill. */
export async function startedFirst({ database }: Pick<SyncRun, 'database'>): Promise<ReadonlySet<string>> {
  return new Set(z.array(z.string()).safeParse(parsedJson((await database.stored(BEGAN)) ?? '')).data);
}

const BEGAN = 'first read';

const OPTIONS = { format: undefined, since: undefined, view: 'detail', restart: undefined, noChildren: undefined } as const;
