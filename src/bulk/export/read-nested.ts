import { type ForbiddenError, NotFoundError } from '../../errors.ts';
import { startProgress } from '../../session/progress.ts';
import { type JsonValue, stringifyJson } from '../../values/json.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { inOrder } from '../import/in-order.ts';
import { PATIENCE, readBelow } from '../read-below.ts';
import type { NestedCollection } from './collections.ts';
import { fingerprint, readExportedRecords } from './lines.ts';
import { dataFile, type ExportedCollection, type FileCheckpoint, type NestedProgress, partFile, type Split } from './manifest.ts';
import { spoiled } from './read-collection.ts';
import { checkpointAt, keepCheckpoint, type Run, wholeQuery } from './run.ts';

/** A record below which something lies. */
export interface ParentRecord {
  readonly id: JsonValue;
  /** Its own counter says that nothing is there. */
  readonly isEmpty: boolean;
}

/** So many parents are done between two checkpoints. */
const BATCH = 10;

/** The records of the exported parent's file, in their order, with what their counter says: `comments_count` (rule 2.6). */
export async function readParents({ context, directory }: Run, { parent, segment }: NestedCollection): Promise<readonly ParentRecord[]> {
  const counter = `${segment.replaceAll('-', '_')}_count`;
  const found: ParentRecord[] = [];
  for await (const record of readExportedRecords(context.files, `${directory}/${dataFile(parent)}`)) {
    if (record['id'] !== undefined) found.push({ id: record['id'], isEmpty: record[counter] === 0 });
  }
  return found;
}

/**
 * Reads what lies below each record of an exported collection into `<parent>.<nested>.ndjson`, in the parents' order. A record
 * that does not name its parent gets the field. Always whole: the service does not say that a record changes when something below it
 * does, so neither its `updated_at` nor, in an export of changes, its counter can be gone by.
 */
export async function readNested(run: Run, collection: NestedCollection, parents: readonly ParentRecord[]): Promise<ExportedCollection> {
  const { context, directory } = run;
  const { files } = context;
  const { noun, path, parent } = collection;
  const query = wholeQuery(run);
  const file = `${directory}/${dataFile(noun)}`;
  const name = partFile(noun);
  const part = `${directory}/${name}`;
  const from = await checkpointOf(run, collection, name, query);
  let { rows, bytes } = from;
  const below = { ...from.below };
  const asOf = from.as_of;
  await files.truncate(part, bytes);
  const open = parents.slice(below.asked + below.empty);
  const progress = startProgress(
    { ...context, statusLine: run.line() },
    {
      what: `${parent} asked for ${collection.segment}`,
      total: () => parents.length,
      before: () => parents.length - open.length,
      limits: run.client.limits,
    },
  );
  let text = '';
  let waiting = 0;
  const flush = async () => {
    if (text !== '') await files.append(part, text);
    bytes += Buffer.byteLength(text);
    text = '';
    waiting = 0;
    await keepCheckpoint(run, { noun, file: name, query, rows, bytes, as_of: asOf, below: { ...below } });
  };
  try {
    // An export of changes cannot go by a counter of the last one.
    const ask = async ({ id, isEmpty }: ParentRecord) =>
      isEmpty && run.last === undefined ? undefined : readBelow(run.client, collection, id, { query, signal: run.stop.signal });
    for await (const answer of inOrder(open, run.parallel, ask)) {
      progress.add(1);
      if (answer === undefined) below.empty += 1;
      else note(below, answer.error);
      const records = answer?.records ?? [];
      rows += records.length;
      text += records.map((record) => `${stringifyJson(record)}\n`).join('');
      waiting += 1;
      if (waiting === BATCH) await flush();
    }
    await flush();
  } finally {
    progress.end();
  }
  await files.rename(part, file);
  const print = await fingerprint(files, file);
  if (print.rows !== rows || print.bytes !== bytes) throw spoiled(file);
  return { noun, path, query, file: dataFile(noun), ...print, as_of: asOf, below };
}

type Checkpoint = FileCheckpoint & { readonly below: NestedProgress };

/** Where it goes on: after the parents that an earlier run was done with, as far as the file still has what it wrote. */
async function checkpointOf(run: Run, { noun, parent }: NestedCollection, file: string, query: Split['query']): Promise<Checkpoint> {
  const { files } = run.context;
  const known = checkpointAt(run, file, query);
  const size = (await files.stat(`${run.directory}/${file}`))?.size ?? 0;
  if (known?.below !== undefined && size >= known.bytes) return { ...known, below: known.below };
  // A record that was made after its siblings were read has children that nobody asked for.
  const asOf = run.state.collections.find((done) => done.noun === parent)?.as_of ?? utcSeconds(run.context.clock.now());
  const below = { parent, asked: 0, empty: 0, gone: 0, refused: 0 };
  return { noun, file, query, rows: 0, bytes: 0, as_of: asOf, below };
}

/** @throws What the parents answered, when none of the first few answered anything else. */
function note(below: NestedProgress, error: ForbiddenError | NotFoundError | undefined): void {
  below.asked += 1;
  if (error === undefined) return;
  if (error instanceof NotFoundError) below.gone += 1;
  else {
    below.refused += 1;
    below.reason = error.message;
  }
  if (below.asked === PATIENCE && below.gone + below.refused === PATIENCE) throw error;
}
