import { requestCost } from '../../client/cost.ts';
import { type ForbiddenError, NotFoundError } from '../../errors.ts';
import { type JsonValue, stringifyJson } from '../../values/json.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { childrenByRelation, compareViews, counterOf, isRelationCheaper } from '../children-by-relation.ts';
import { inOrder } from '../in-order.ts';
import { FIRST_REFUSALS, probing, readChildren } from '../read-children.ts';
import type { ChildCollection } from './collections.ts';
import { damagedFile, fingerprint, readExportedRecords } from './lines.ts';
import { type ChildProgress, dataFile, type ExportedCollection, type FileCheckpoint, partFile, type Split } from './manifest.ts';
import { checkpointAt, type Run, storeCheckpoint, wholeQuery } from './run.ts';

export interface ParentRecord {
  readonly id: JsonValue;
  /** True if the record’s own counter is 0, so that the record has no child records. */
  readonly isEmpty: boolean;
  /** True if the record’s own counter is above 0, so that the record has child records. */
  readonly isFull: boolean;
}

const BATCH = 10;

/**
 * Reads the parents from their exported file. A counter such as `comments_count` shows which parents have no children (rule 2.6). With
 * `--since last`, svc ignores the counter, because an old counter can be wrong.
 */
export async function readParents({ context, directory, last }: Run, collection: ChildCollection): Promise<readonly ParentRecord[]> {
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
 * Reads the child records of a resource into a file, or resumes an interrupted read. Every new export reads all children, because a new
 * child does not always change its parent’s `updated_at`.
 *
 * @throws a refusal if the service shows the children of none of the first parents.
 */
export async function exportChildRecords(
  run: Run,
  collection: ChildCollection,
  parents: readonly ParentRecord[],
): Promise<ExportedCollection> {
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
    await storeCheckpoint(run, { noun, file: name, query, rows, bytes, as_of: asOf, below: { ...below } });
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

type Checkpoint = FileCheckpoint & { readonly below: ChildProgress };

/**
 * Returns the checkpoint to resume from. Without a checkpoint, or if the file has lost rows since the checkpoint, svc starts with the first
 * parent.
 */
async function checkpointOf(run: Run, { noun, parent }: ChildCollection, file: string, query: Split['query']): Promise<Checkpoint> {
  const { files } = run.context;
  const known = checkpointAt(run, file, query);
  const size = (await files.stat(`${run.directory}/${file}`))?.size ?? 0;
  if (known?.below !== undefined && size >= known.bytes) return { ...known, below: known.below };
  // The time at which svc listed the parents. svc has not read the children of newer parents.
  const asOf = run.state.collections.find((done) => done.noun === parent)?.as_of ?? utcSeconds(run.context.clock.now());
  const below = { parent, asked: 0, empty: 0, gone: 0, refused: 0 };
  return { noun, file, query, rows: 0, bytes: 0, as_of: asOf, below };
}

/**
 * Counts the answer about one parent as shown, deleted or refused.
 *
 * @throws the error of the latest parent if the service showed the children of none of the first parents.
 */
function countAnswer(below: ChildProgress, error: ForbiddenError | NotFoundError | undefined): void {
  below.asked += 1;
  if (error === undefined) return;
  if (error instanceof NotFoundError) below.gone += 1;
  else {
    below.refused += 1;
    below.reason = error.message;
  }
  if (below.asked === FIRST_REFUSALS && below.gone + below.refused === FIRST_REFUSALS) throw error;
}
