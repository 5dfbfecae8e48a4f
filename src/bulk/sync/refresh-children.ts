import { BEFORE_ALL, type ComparedPage, LAST_OF_ALL, latest, NEVER } from '../../database/compared-pages.ts';
import type { Applied, TableChange, TableState } from '../../database/local-database.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import { type ChildrenByRelation, childrenByRelation, compareViews, counterOf, isRelationCheaper } from '../children-by-relation.ts';
import type { ChildCollection } from '../export/collections.ts';
import { wholeQuery } from '../export/run.ts';
import { inOrder } from '../in-order.ts';
import { type ChildRecords, childrenPath, FIRST_REFUSALS, probing, readChildren } from '../read-children.ts';
import { addChanged } from './check-pages.ts';
import { addApplied, UNCHANGED_TABLE } from './compare-pages.ts';
import { isHidden } from './is-hidden.ts';
import { answerTime, PAGE_UNITS, type SyncRun } from './run.ts';
import { spoolAt } from './spool.ts';
import { writeChanges } from './write-changes.ts';

export interface RefreshedChildren extends Applied {
  /** The ids of parents whose children the service refused. The stored children of these parents stay. */
  readonly refused: readonly number[];
}

/** The number of parents that svc looks up in one query. */
const CHUNK = 100;

/** The number of parents whose children svc writes in one transaction. With `--verify`, svc writes after each {@link CHUNK} parents. */
const PIECE = 1_000;

/** The page fields that ranges of parent ids do not have, because such ranges do not link to each other. */
const UNLINKED = { first_id: null, url: '', next: null, etag: null };

interface Read {
  /** By parent: the time of the comparison, and the URL and ETag of the answer with the children. */
  readonly compared: ReadonlyMap<number, Pick<ComparedPage, 'checked_at' | 'url' | 'etag'>>;
  readonly there: ReadonlySet<number>;
  /** The parents whose stored children stay unchanged. */
  readonly stay: ReadonlySet<number>;
}

/**
 * Reads the children of changed parents, and removes the children of deleted parents. A changed child does not always change its parent.
 * svc therefore also compares a slice of the other parents, first the parents with the oldest comparison. With `isAsked`, and until the
 * first complete read, svc reads the children of all parents.
 *
 * The compared pages of a child table are ranges of parent ids. A parent whose counter is 0 costs no request, because updating the parents
 * already detects a changed counter. The table of parents can lack a parent. The verification time of the children is therefore never later
 * than the parents’ time.
 *
 * @param state undefined if svc has never read the child table.
 * @param above state of the parents’ table after its update.
 * @throws the refusal if the token can’t read the children of the first parents.
 */
export async function refreshChildren(
  run: SyncRun,
  state: TableState | undefined,
  collection: ChildCollection,
  { above, isAsked }: { readonly above: TableState; readonly isAsked: boolean },
): Promise<RefreshedChildren> {
  const { client, context, database, shapeOf, directory, budget, sliceOf, verification } = run;
  const { noun, path, key, parent } = collection;
  const shape = await shapeOf(noun, key);
  const spool = spoolAt(context.files, `${directory}/${noun}.ndjson`);
  const query = wholeQuery({ view: 'detail' });
  const probe = probing();
  const views = compareViews();
  const { upto: covered, oldest } = await database.compared(noun);
  const isFirst = state === undefined || (state.whole_at === NEVER && covered < LAST_OF_ALL);
  const isAll = isAsked || isFirst;
  const since = isFirst ? NEVER : isAll ? verification?.since(noun) : undefined;
  const done = since === undefined ? undefined : await database.comparedSince(noun, since);
  const begin = isAll ? (done?.upto ?? BEFORE_ALL) : covered === LAST_OF_ALL ? (oldest?.after ?? BEFORE_ALL) : covered;
  const isFresh = isAll && begin === BEFORE_ALL;
  // For a comparison of all children, svc trusts a counter only if svc has compared all pages of the parents.
  const trustsCounters = !isAll || isFirst || above.known_by === 'pages' || above.known_by === 'read';
  const byRelation = isFresh && trustsCounters ? await relationOf(run, collection) : undefined;
  const { as_of, whole_at, known_by }: Omit<TableChange, 'path'> = state ?? { as_of: NEVER, whole_at: NEVER, known_by: 'read' };
  const refused: number[] = [];
  let answered = 0;
  let first: string | undefined;
  let applied = UNCHANGED_TABLE;
  let gathered = nothingGathered();
  /** The lowest number of rate-limit units that the started requests cost. */
  let started = 0;

  /** Reads the children of some parents into the spool. Starts no further parent after `isEnough` returns true. */
  async function readSome(ids: readonly number[], isEnough: () => boolean): Promise<Read> {
    const found = { compared: new Map<number, Pick<ComparedPage, 'checked_at' | 'url' | 'etag'>>(), there: new Set<number>() };
    const stay = new Set<number>();
    const counts = trustsCounters ? await countsOf(run, collection, ids) : new Map<number, number>();
    const known = new Map<number, ComparedPage>();
    for (const id of ids) {
      const page = await database.comparedAfter(noun, id - 1);
      if (page !== undefined) known.set(id, page);
    }
    const answerOf = (id: number) => {
      const { url = '', etag } = known.get(id) ?? {};
      return etag && url.includes(`${childrenPath(collection, id)}?`) ? { url, etag } : undefined;
    };
    const isProbing = (id: number) => views.isSame() !== false || ((counts.get(id) ?? 0) === 0 && probe.isWorthIt());
    function* open() {
      for (const id of ids) {
        if (isEnough()) return;
        if (counts.get(id) !== 0) started += answerOf(id) !== undefined || isProbing(id) ? 1 : PAGE_UNITS;
        yield id;
      }
    }
    const askOne = async (id: number): Promise<ChildRecords & { readonly id: number }> => {
      if (counts.get(id) === 0) return { id, parent: id, records: [], headers: undefined };
      const options = { query, signal: context.signal, isProbing: isProbing(id), views, byRelation, known: answerOf(id) };
      const read = await readChildren(client, collection, id, options);
      if (!read.isUnchanged) probe.note(read.records.length);
      return { ...read, id };
    };
    for await (const { id, records, headers, answer, isUnchanged, error } of inOrder(open(), client.max, askOne)) {
      const at = headers === undefined ? above.as_of : answerTime(headers, context.clock.now());
      if (headers !== undefined) first ??= at;
      if (error !== undefined && !isHidden(error)) {
        refused.push(id);
        if (answered === 0 && refused.length === FIRST_REFUSALS) throw error;
        stay.add(id);
        found.compared.set(id, known.get(id) ?? { checked_at: NEVER, url: '', etag: null });
        continue;
      }
      answered += 1;
      if (isUnchanged) stay.add(id);
      else for (const child of await addChanged(run, noun, records, spool)) found.there.add(child);
      found.compared.set(id, { checked_at: at, url: answer?.url ?? '', etag: answer?.etag ?? null });
    }
    return { ...found, stay };
  }

  /**
   * Gathers the children of some parents, and the other stored children of these parents. Writes the gathered children after {@link PIECE}
   * parents, or after {@link CHUNK} parents with `--verify`.
   */
  async function gather({ there, stay }: Read, pages: readonly ComparedPage[], isStored = (_: ComparedPage) => true): Promise<void> {
    for (const id of there) gathered.there.add(id);
    for (const { after, upto } of unstayed(pages, stay))
      for (const id of await database.idsWhere(noun, key, after, upto)) gathered.stored.add(id);
    gathered.pages.push(...pages.filter(isStored));
    gathered.parents += pages.length;
    if (gathered.parents < (verification === undefined ? PIECE : CHUNK)) return;
    await put({ as_of, whole_at, known_by });
  }

  async function put(claim: Omit<TableChange, 'path'>): Promise<void> {
    const { pages, stored, there } = gathered;
    // A child with a new parent still exists.
    const gone = [...stored].filter((id) => !there.has(id));
    const change = { path, ...claim, seen_at: first ?? above.as_of, parents_verified_at: above.verified_at, pages };
    if (isAll) await verification?.note(noun, since ?? above.as_of);
    applied = addApplied(applied, await writeChanges(run, shape, { spool, gone, change }));
    gathered = nothingGathered();
  }

  /** Reads the child records of changed parents, and removes the children of deleted parents. */
  async function readTouched(): Promise<void> {
    for (let ids = await database.touched(parent, BEFORE_ALL, CHUNK); ids.length > 0; ) {
      const there = await database.held(parent, ids);
      const read = await readSome(there, () => false);
      const deleted = { checked_at: above.as_of };
      const pages = ids.map((id) => ({ ...UNLINKED, ...(read.compared.get(id) ?? deleted), after: id - 1, upto: id }));
      // The compared pages of a table must not have gaps.
      await gather(read, pages, ({ upto }) => upto <= covered);
      ids = await database.touched(parent, ids.at(-1) ?? LAST_OF_ALL, CHUNK);
    }
  }

  /** Reads the children of all parents from one id up to another. @returns false if the rate-limit units ran out first. */
  async function readRange(from: number, end: number, isEnough: () => boolean): Promise<boolean> {
    for (let after = from; after < end; ) {
      const ids = await database.idsBetween(parent, after, end, CHUNK);
      const read = await readSome(ids, isEnough);
      const pages: ComparedPage[] = [];
      for (const [id, compared] of read.compared) {
        pages.push({ ...UNLINKED, ...compared, after, upto: id });
        after = id;
      }
      const isStopped = read.compared.size < ids.length;
      // No other parent of this range has a later id.
      if (!isStopped && ids.length < CHUNK && after < end) {
        pages.push({ ...UNLINKED, after, upto: end, checked_at: above.as_of });
        after = end;
      }
      if (pages.length > 0) await gather(read, pages);
      if (isStopped) return false;
    }
    return true;
  }

  if (!isFresh) await readTouched();
  if (isAll || state === undefined) await readRange(begin, LAST_OF_ALL, () => false);
  else
    await budget.searching(async () => {
      const [spent, most] = [budget.spent(), Math.min(sliceOf(state), budget.left())];
      started = 0;
      const isEnough = () => Math.max(started, budget.spent() - spent) >= most;
      if (most > 0 && (await readRange(begin, LAST_OF_ALL, isEnough))) await readRange(BEFORE_ALL, begin, isEnough);
    });
  const at = earliest(done?.at ?? first ?? above.as_of, earliest(first ?? above.as_of, above.as_of));
  const isWhole = isAll && refused.length === 0;
  const isNew = isAll && (done === undefined || at >= as_of);
  await put({
    ...(isNew ? { as_of: at, known_by: 'read' as const } : { as_of, known_by }),
    whole_at: isWhole ? (latest(whole_at, earliest(at, above.whole_at)) ?? whole_at) : whole_at,
  });
  return { ...applied, refused };
}

/** The children that svc has read and not yet written. `stored`: the ids of the stored children of the same parents. */
function nothingGathered() {
  return { pages: [] as ComparedPage[], stored: new Set<number>(), there: new Set<number>(), parents: 0 };
}

/** Returns the ranges of parent ids without the parents whose stored children stay unchanged. */
function unstayed(pages: readonly ComparedPage[], stay: ReadonlySet<number>): readonly { after: number; upto: number }[] {
  const ranges: { after: number; upto: number }[] = [];
  for (const { after, upto } of pages) {
    const end = stay.has(upto) ? upto - 1 : upto;
    const last = ranges.at(-1);
    if (last?.upto === after) last.upto = end;
    else if (after < end) ranges.push({ after, upto: end });
  }
  return ranges;
}

function earliest(one: string, other: string): string {
  return one < other ? one : other;
}

/** Returns the number of children by parent id, from the parents’ counters. Empty if the parents have no counter. */
async function countsOf({ database }: SyncRun, collection: ChildCollection, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const counter = counterOf(collection);
  const found = new Map<number, number>();
  for await (const { id, record } of database.records(collection.parent, ids)) {
    const fields = parseJson(record);
    const count = isJsonObject(fields) ? fields[counter] : undefined;
    if (typeof count === 'number') found.set(id, count);
  }
  return found;
}

/**
 * Prepares to read children as a relation of their parents. If the parents have a counter, the relation shows all children. Without a
 * counter, the relation only shows which parents have no children. svc estimates the cost from the first parents.
 *
 * @returns undefined if the children’s own lists cost less, or if the documentation has no such relation.
 */
async function relationOf(run: SyncRun, collection: ChildCollection): Promise<ChildrenByRelation | undefined> {
  const { client, context, database } = run;
  const counts = await countsOf(run, collection, await database.idsBetween(collection.parent, BEFORE_ALL, LAST_OF_ALL, CHUNK));
  const isCounted = counts.size > 0;
  if (isCounted) {
    let full = 0;
    for (const [id, count] of counts) if (count > 0 && !(await database.comparedAfter(collection.noun, id - 1))?.etag) full += 1;
    if (!isRelationCheaper(counts.size, full * PAGE_UNITS)) return undefined;
  }
  return childrenByRelation(context, client, collection, { isCounted, signal: context.signal });
}
