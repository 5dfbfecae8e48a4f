import { rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Excluded, ExportChoice } from '../export/collections.ts';
import { printEstimate } from '../export/estimate.ts';
import { exportAll } from '../export/export-into.ts';
import { readExportedRecords } from '../export/lines.ts';
import { removeState } from '../export/manifest.ts';
import { openRun } from '../export/run.ts';
import type { SyncRun } from './run.ts';

/** The result of the first read of tables. */
export interface FirstRead {
  readonly rows: ReadonlyMap<string, number>;
  readonly leftOut: readonly { readonly noun: string; readonly reason: string }[];
  readonly notCollections: readonly Excluded[];
  /** Some of it was read by an earlier run, and may have changed since. */
  readonly goesOn: boolean;
}

/**
 * Reads tables that the local database does not have, as an export does, into files beside it. Then it puts each into its table. If it is
 * stopped, the next run resumes there, also with tables that were written in part ({@link beganFirst}).
 *
 * @param directory The directory for the files; svc removes it afterwards.
 */
export async function readFirst(run: SyncRun, choice: ExportChoice, user: number | undefined, directory: string): Promise<FirstRead> {
  const { context, client, mirror, shapeOf } = run;
  const nouns = [...choice.collections, ...choice.nested].map(({ noun }) => noun);
  await mirror.keep(BEGAN, JSON.stringify(nouns));
  const reading = await openRun(context, directory, { choice, user, client }, OPTIONS);
  if (context.statusLine.isThere) await printEstimate(reading, choice.collections, choice.nested, false);
  await exportAll(reading, choice.collections, choice.nested);
  const rows = new Map<string, number>();
  const { collections, left_out: leftOut, not_collections: notCollections } = reading.state;
  for (const { noun, path, file, as_of, rows: count } of collections) {
    const key = choice.nested.find((each) => each.noun === noun)?.key;
    const change = { path, as_of, whole_at: as_of, known_by: 'read' as const };
    await mirror.replace(await shapeOf(noun, key), readExportedRecords(context.files, `${directory}/${file}`), change);
    rows.set(noun, count);
  }
  await mirror.keep(BEGAN, undefined);
  await removeState(context.files, directory);
  await rm(directory, { recursive: true, force: true });
  return { rows, leftOut, notCollections, goesOn: reading.isResumed };
}

/** Tables that an earlier run began to read and did not put in place, or not all of them. */
export async function beganFirst({ mirror }: Pick<SyncRun, 'mirror'>): Promise<ReadonlySet<string>> {
  try {
    return new Set(z.array(z.string()).parse(JSON.parse((await mirror.kept(BEGAN)) ?? '[]')));
  } catch {
    return new Set();
  }
}

const BEGAN = 'first read';

const OPTIONS = { format: undefined, since: undefined, view: 'detail', restart: undefined, noNested: undefined } as const;
