import { pages } from '../../client/pages.ts';
import { ForbiddenError, NotFoundError } from '../../errors.ts';
import { startProgress } from '../../session/progress.ts';
import { type JsonObject, type JsonValue, scalarText, stringifyJson } from '../../values/json.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { inOrder } from '../import/in-order.ts';
import type { NestedCollection } from './collections.ts';
import { fingerprint, readRecords } from './lines.ts';
import { type Below, dataFile, type ExportedCollection, type FileCheckpoint, partFile, type Split } from './manifest.ts';
import { spoiled } from './read-collection.ts';
import { checkpointAt, keepCheckpoint, type Run, wholeQuery } from './run.ts';

/** A record below which something lies. */
export interface Parent {
  readonly id: JsonValue;
  /** Its own counter says that nothing is there. */
  readonly isEmpty: boolean;
}

/** So many parents are done between two checkpoints. */
const BATCH = 10;

/** When this many parents in a row were refused from the start, so will the others be. */
const PATIENCE = 5;

/** The records of the exported parent's file, in their order, with what their counter says: `comments_count` (rule 2.6). */
export async function readParents({ context, directory }: Run, { parent, segment }: NestedCollection): Promise<readonly Parent[]> {
  const counter = `${segment.replaceAll('-', '_')}_count`;
  const found: Parent[] = [];
  for await (const record of readRecords(context.files, `${directory}/${dataFile(parent)}`)) {
    if (record['id'] !== undefined) found.push({ id: record['id'], isEmpty: record[counter] === 0 });
  }
  return found;
}

/** Where the collection below one record is. */
export function pathBelow({ path }: Pick<NestedCollection, 'path'>, { id }: Pick<Parent, 'id'>): string {
  return path.replace(/\{[^}]*\}/, scalarText(id));
}

/**
 * Reads what lies below each record of an exported collection into `<parent>.<nested>.ndjson`, in the parents' order. A record
 * that does not name its parent gets the field. Always whole: the service does not say that a record changes when something below it
 * does, so neither its `updated_at` nor, in an export of changes, its counter can be gone by.
 */
export async function readNested(run: Run, collection: NestedCollection, parents: readonly Parent[]): Promise<ExportedCollection> {
  const { context, directory } = run;
  const { files, clock } = context;
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
    for await (const answer of inOrder(open, run.parallel, (each) => ask(run, collection, each, query))) {
      progress.add(1);
      note(below, answer);
      rows += answer.records.length;
      text += answer.records.map((record) => `${stringifyJson(record)}\n`).join('');
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
  return { noun, path, query, file: dataFile(noun), ...print, as_of: asOf ?? utcSeconds(clock.now()), below };
}

type Checkpoint = FileCheckpoint & { readonly below: Below };

/** Where it goes on: after the parents that an earlier run was done with, as far as the file still has what it wrote. */
async function checkpointOf(run: Run, { noun, parent }: NestedCollection, file: string, query: Split['query']): Promise<Checkpoint> {
  const { files, clock } = run.context;
  const known = checkpointAt(run, file, query);
  const size = (await files.stat(`${run.directory}/${file}`))?.size ?? 0;
  if (known?.below !== undefined && size >= known.bytes) return { ...known, below: known.below };
  const below = { parent, asked: 0, empty: 0, gone: 0, refused: 0 };
  return { noun, file, query, rows: 0, bytes: 0, as_of: utcSeconds(clock.now()), below };
}

/** What one parent answered. */
interface Answer {
  readonly records: readonly JsonObject[];
  readonly outcome: 'asked' | 'empty' | 'gone' | 'refused';
  readonly error?: ForbiddenError | NotFoundError;
}

async function ask(run: Run, collection: NestedCollection, parent: Parent, query: Split['query']): Promise<Answer> {
  if (parent.isEmpty && run.last === undefined) return { records: [], outcome: 'empty' };
  const { key } = collection;
  const { signal } = run.stop;
  const records: JsonObject[] = [];
  try {
    for await (const page of pages(run.client, { method: 'GET', path: pathBelow(collection, parent), query, signal })) {
      for (const record of page.rows) records.push(record[key] === undefined ? { ...record, [key]: parent.id } : record);
    }
    return { records, outcome: 'asked' };
  } catch (error) {
    if (error instanceof NotFoundError) return { records: [], outcome: 'gone', error };
    if (error instanceof ForbiddenError) return { records: [], outcome: 'refused', error };
    throw error;
  }
}

/** @throws What the parents answered, when none of the first few answered anything else. */
function note(below: Below, { outcome, error }: Answer): void {
  if (outcome === 'empty') below.empty += 1;
  else below.asked += 1;
  if (error === undefined) return;
  if (outcome === 'gone') below.gone += 1;
  else {
    below.refused += 1;
    below.reason = error.message;
  }
  if (below.asked === PATIENCE && below.gone + below.refused === PATIENCE) throw error;
}
