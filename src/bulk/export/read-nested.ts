import { requestCost } from '../../client/cost.ts';
import { type ForbiddenError, NotFoundError } from '../../errors.ts';
import { type JsonValue, stringifyJson } from '../../values/json.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { childrenByRelation, compareViews, counterOf, isRelationCheaper } from '../children-by-relation.ts';
import { inOrder } from '../in-order.ts';
import { FIRST_REFUSALS, probing, readChildren } from '../read-children.ts';
import type { NestedCollection } from './collections.ts';
import { damagedFile, fingerprint, readExportedRecords } from './lines.ts';
import { dataFile, type ExportedCollection, type FileCheckpoint, type NestedProgress, partFile, type Split } from './manifest.ts';
import { checkpointAt, keepCheckpoint, type Run, wholeQuery } from './run.ts';

/** A record with child records. */
export interface ParentRecord {
  readonly id: JsonValue;
  /** Whether the record has no children by its own counter. */
  readonly isEmpty: boolean;
  /** Whether the record has children by its own counter. */
  readonly isFull: boolean;
}

/** Parents between two checkpoints. */
const BATCH = 10;

/**
 * Reads the parents from their exported file, in its order. Their counters show which have no children: `comments_count` (rule 2.6). With
 * `--since last`, a counter may be older than its children.
 */
export async function readParents({ context, directory, last }: Run, collection: NestedCollection): Promise<readonly ParentRecord[]> {
  const counter = counterOf(collection);
  const found: ParentRecord[] = [];
  for await (const record of readExportedRecords(context.files, `${directory}/${dataFile(collection.parent)}`)) {
    if (record['id'] === undefined) continue;
    const count = last === undefined ? record[counter] : undefined;
    found.push({ id: record['id'], isEmpty: count === 0, isFull: typeof count === 'number' && count > 0 });
  }
  return found;
}

/**
 * Reads the child records of each parent into `<parent>.<children>.ndjson`, in the parents' order. It adds the parent's id to a child without it. It reads
 * all children each time. The service does not document that a new child changes its parent's `updated_at`.
 */
export async function readNested(run: Run, collection: NestedCollection, parents: readonly ParentRecord[]): Promise<ExportedCollection> {
  const { context, directory } = run;
  const { files } = context;
  const { noun, path } = collection;
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
  const units = requestCost({ method: 'GET', query });
  run.work.expect(noun, { rows: undefined, units: open.filter(({ isEmpty }) => !isEmpty).length * units });
  run.work.setRows(name, rows);
  let text = '';
  let waiting = 0;
  const flush = async () => {
    if (text !== '') await files.append(part, text);
    bytes += Buffer.byteLength(text);
    text = '';
    waiting = 0;
    await keepCheckpoint(run, { noun, file: name, query, rows, bytes, as_of: asOf, below: { ...below } });
  };
  const probe = probing();
  const views = compareViews();
  const isCounted = open.some(({ isEmpty, isFull }) => isEmpty || isFull);
  const isRelated = !isCounted || isRelationCheaper(parents.length, open.filter(({ isEmpty }) => !isEmpty).length * units);
  const byRelation = isRelated
    ? await childrenByRelation(context, run.client, collection, { isCounted, signal: run.stop.signal })
    : undefined;
  const readOne = async ({ id, isEmpty, isFull }: ParentRecord) => {
    if (isEmpty) return undefined;
    const isProbing = run.view === 'detail' && (views.isSame() !== false || (!isFull && probe.isWorthIt()));
    const read = await readChildren(run.client, collection, id, { query, signal: run.stop.signal, isProbing, views, byRelation });
    probe.note(read.records.length);
    return read;
  };
  for await (const answer of inOrder(open, run.parallel, readOne)) {
    if (answer === undefined || (answer.isRelated && answer.records.length === 0)) below.empty += 1;
    else {
      countAnswer(below, answer.error);
      run.work.spend(noun, units);
    }
    const records = answer?.records ?? [];
    rows += records.length;
    run.work.setRows(name, rows);
    run.progress.add(records.length);
    text += records.map((record) => `${stringifyJson(record)}\n`).join('');
    waiting += 1;
    if (waiting === BATCH) await flush();
  }
  await flush();
  await files.rename(part, file);
  const print = await fingerprint(files, file);
  if (print.rows !== rows || print.bytes !== bytes) throw damagedFile(file);
  return { noun, path, query, file: dataFile(noun), ...print, as_of: asOf, below };
}

type Checkpoint = FileCheckpoint & { readonly below: NestedProgress };

/** Finds where to resume: after the parents of an earlier run, if the file still has their children. */
async function checkpointOf(run: Run, { noun, parent }: NestedCollection, file: string, query: Split['query']): Promise<Checkpoint> {
  const { files } = run.context;
  const known = checkpointAt(run, file, query);
  const size = (await files.stat(`${run.directory}/${file}`))?.size ?? 0;
  if (known?.below !== undefined && size >= known.bytes) return { ...known, below: known.below };
  // A parent created after this time has children that svc did not read.
  const asOf = run.state.collections.find((done) => done.noun === parent)?.as_of ?? utcSeconds(run.context.clock.now());
  const below = { parent, asked: 0, empty: 0, gone: 0, refused: 0 };
  return { noun, file, query, rows: 0, bytes: 0, as_of: asOf, below };
}

/** @throws the refusal of the first parents, if the service refused all of them. */
function countAnswer(below: NestedProgress, error: ForbiddenError | NotFoundError | undefined): void {
  below.asked += 1;
  if (error === undefined) return;
  if (error instanceof NotFoundError) below.gone += 1;
  else {
    below.refused += 1;
    below.reason = error.message;
  }
  if (below.asked === FIRST_REFUSALS && below.gone + below.refused === FIRST_REFUSALS) throw error;
}
