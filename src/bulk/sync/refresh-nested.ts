import { BEFORE_ALL, type ComparedPage, LAST_OF_ALL } from '../../mirror/compared-pages.ts';
import type { Applied, TableState } from '../../mirror/mirror.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import { type ChildrenByRelation, childrenByRelation, compareViews, counterOf, isRelationCheaper } from '../children-by-relation.ts';
import type { NestedCollection } from '../export/collections.ts';
import { wholeQuery } from '../export/run.ts';
import { inOrder } from '../in-order.ts';
import { type ChildRecords, childrenPath, FIRST_REFUSALS, probing, readChildren } from '../read-children.ts';
import { isHidden } from './is-hidden.ts';
import { addChanged } from './look-at-pages.ts';
import { putInPlace } from './put-in-place.ts';
import { answerMoment, PAGE_UNITS, type SyncRun } from './run.ts';
import { spoolAt } from './spool.ts';

/** The result of reading child records. */
export interface RefreshedBelow extends Applied {
  /** The ids of parents whose children the service refused. The stored rows of these parents stay. */
  readonly refused: readonly number[];
}

/** The parent records whose children svc reads. */
export interface Parents {
  /** The state of the parents’ table, after svc has updated it. */
  readonly state: TableState;
  /** The ids of existing parents that changed. */
  readonly touched: readonly number[];
  /** The ids of parents that were deleted, or that the user can no longer see. */
  readonly gone: readonly number[];
  /**
   * True if svc reads the children of every parent. False if svc reads only the children of changed parents and of a slice of the others.
   */
  readonly isAll: boolean;
}

/** The number of parents that svc looks up in one query. */
const CHUNK = 100;

/**
 * Reads the children of changed parents, and removes the children of deleted parents. A change of a child might not change its parent. svc
 * therefore also compares a slice of the other parents, starting with those compared the longest time ago.
 *
 * The compared pages of a child table are ranges of parent ids. A parent whose counter is 0 costs no request, because updating the parents
 * already detects a changed counter. The table of parents may lack a parent. The verification time of the children is therefore never later
 * than that of the parents.
 *
 * @param state undefined if svc has never read the child table.
 */
export async function refreshBelow(
  run: SyncRun,
  state: TableState | undefined,
  collection: NestedCollection,
  { state: above, touched, gone, isAll }: Parents,
): Promise<RefreshedBelow> {
  const { client, context, mirror, shapeOf, directory, budget, slices } = run;
  const { noun, path, key, parent } = collection;
  const spool = spoolAt(context.files, `${directory}/${noun}.ndjson`);
  const query = wholeQuery({ view: 'detail' });
  const probe = probing();
  const there = new Set<number>();
  const told: number[] = [];
  const unchanged: number[] = [];
  const refused: number[] = [];
  let first: string | undefined;
  let isStopped = false;
  /** The lowest number of units that the started requests cost. */
  let begun = 0;
  // svc trusts a counter only if it has compared the parents completely.
  const trustsCounters = !isAll || state === undefined || above.known_by === 'pages' || above.known_by === 'read';
  const all = await mirror.ids(parent);
  const byRelation = isAll && trustsCounters ? await relationOf(run, collection, all) : undefined;
  const views = compareViews();

  /** Reads the children of some parents, in order. @returns the time and the answer for each parent; undefined for a refusal. */
  async function* ask(ids: readonly number[], isEnough: () => boolean): AsyncGenerator<readonly [number, Compared | undefined]> {
    const counts = await countsOf(run, collection, ids);
    const known = new Map<number, ComparedPage>();
    for (const id of ids) {
      const page = await mirror.comparedAfter(noun, id - 1);
      if (page?.etag && page.url.includes(`${childrenPath(collection, id)}?`)) known.set(id, page);
    }
    const isEmpty = (id: number) => trustsCounters && counts.get(id) === 0;
    const isProbing = (id: number) => views.isSame() !== false || ((counts.get(id) ?? 0) === 0 && probe.isWorthIt());
    function* open() {
      for (const id of ids) {
        if (isEnough()) {
          isStopped = true;
          return;
        }
        if (!isEmpty(id)) begun += known.has(id) || isProbing(id) ? 1 : PAGE_UNITS;
        yield id;
      }
    }
    const askOne = async (id: number): Promise<ChildRecords & { readonly parent: number }> => {
      if (isEmpty(id)) return { parent: id, records: [], headers: undefined };
      const { url = '', etag } = known.get(id) ?? {};
      const answer = etag ? { url, etag } : undefined;
      const read = await readChildren(client, collection, id, {
        query,
        signal: context.signal,
        isProbing: isProbing(id),
        views,
        byRelation,
        known: answer,
      });
      if (!read.isUnchanged) probe.note(read.records.length);
      return { ...read, parent: id };
    };
    for await (const { parent: id, records, headers, answer, isUnchanged, error } of inOrder(open(), client.max, askOne)) {
      const at = headers === undefined ? above.as_of : answerMoment(headers, context.clock.now());
      if (headers !== undefined) first ??= at;
      if (error !== undefined && !isHidden(error)) {
        refused.push(id);
        if (told.length === 0 && refused.length === FIRST_REFUSALS) throw error;
        yield [id, undefined];
        continue;
      }
      if (isUnchanged) unchanged.push(id);
      else {
        told.push(id);
        for (const child of await addChanged(run, noun, records, spool)) there.add(child);
      }
      yield [id, { checked_at: at, url: answer?.url ?? '', etag: answer?.etag ?? null }];
    }
  }

  const single: ComparedPage[] = [];
  for await (const [id, compared] of ask(isAll ? [] : touched, () => false))
    if (compared !== undefined) single.push({ ...UNLINKED, ...compared, after: id - 1, upto: id });
  for (const id of gone) single.push({ ...UNLINKED, after: id - 1, upto: id, checked_at: above.as_of });

  const range = state === undefined ? { upto: BEFORE_ALL, oldest: undefined } : await mirror.compared(noun);
  const begin = isAll ? BEFORE_ALL : range.upto === LAST_OF_ALL ? (range.oldest?.after ?? BEFORE_ALL) : range.upto;
  const asked = new Set(told);
  const pages: ComparedPage[] = [];
  const compare = async () => {
    const [spent, most] = [budget.spent(), state === undefined ? 0 : Math.min(slices.unitsFor(state), budget.left())];
    begun = 0;
    const isEnough = () => !isAll && Math.max(begun, budget.spent() - spent) >= most;
    const later = all.filter((id) => id > begin);
    for (const ids of begin === BEFORE_ALL ? [all] : [later, all.slice(0, all.length - later.length)]) {
      let after = ids === later && ids !== all ? begin : BEFORE_ALL;
      const last = all.at(-1);
      for (let from = 0; from < ids.length && !isStopped; from += CHUNK) {
        const chunk = ids.slice(from, from + CHUNK);
        for await (const [id, compared] of ask(chunk, isEnough)) {
          // The ranges of parent ids must not have gaps.
          isStopped ||= compared === undefined;
          if (compared === undefined || (isStopped && refused.length > 0)) continue;
          const upto = id === last ? LAST_OF_ALL : id;
          pages.push({ ...UNLINKED, ...compared, after, upto });
          after = upto;
        }
      }
      if (ids.length === 0 && all.length === 0) pages.push({ ...UNLINKED, after, upto: LAST_OF_ALL, checked_at: above.as_of });
      if (isStopped) break;
    }
  };
  if (isAll) await compare();
  else if (asked.size < all.length || all.length === 0) await budget.looking(compare);

  const below = async (parents: Iterable<number>) => {
    const held: number[] = [];
    for (const id of parents) held.push(...(await mirror.idsWhere(noun, key, id)));
    return held;
  };
  const stay = new Set(isAll ? await below([...refused, ...unchanged]) : []);
  const open = isAll && !isStopped ? await mirror.ids(noun) : await below(new Set([...told, ...gone]));
  const taken = open.filter((id) => !there.has(id) && !stay.has(id));
  const now = earliest(first ?? above.as_of, above.as_of);
  const isWhole = isAll && refused.length === 0;
  const before = state ?? { as_of: now, whole_at: earliest(now, above.whole_at), known_by: 'read' as const, verified_at: null };
  const reached = Math.max(range.upto, ...pages.map(({ upto }) => upto));
  const change = {
    path,
    as_of: isAll ? now : before.as_of,
    whole_at: isWhole ? latestOf(before.whole_at, earliest(now, above.whole_at)) : before.whole_at,
    known_by: isAll ? ('read' as const) : before.known_by,
    seen_at: first ?? above.as_of,
    pages: [...pages, ...single.filter(({ upto }) => upto <= reached)],
    parents_verified_at: refused.length === 0 ? above.verified_at : before.verified_at,
  };
  return { ...(await putInPlace(run, await shapeOf(noun, key), { spool, gone: taken, change })), refused };
}

/** The time at which svc compared the children of a parent, and the answer that contains the children. */
type Compared = Pick<ComparedPage, 'checked_at' | 'url' | 'etag'>;

/** The page fields that ranges of parent ids do not have, because such ranges do not link to each other. */
const UNLINKED = { first_id: null, url: '', next: null, etag: null };

function earliest(one: string, other: string): string {
  return one < other ? one : other;
}

function latestOf(one: string, other: string): string {
  return one > other ? one : other;
}

/** Returns the number of children by parent id, from the parents’ counters. Empty if the parents have no counter. */
async function countsOf({ mirror }: SyncRun, collection: NestedCollection, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const counter = counterOf(collection);
  const found = new Map<number, number>();
  for await (const { id, record } of mirror.records(collection.parent, ids)) {
    const fields = parseJson(record);
    const count = isJsonObject(fields) ? fields[counter] : undefined;
    if (typeof count === 'number') found.set(id, count);
  }
  return found;
}

/**
 * Prepares to read children as a relation of their parents. If the parents have a counter, the relation shows all children. Otherwise it
 * only shows which parents have none. svc estimates the cost from the first parents.
 *
 * @returns undefined if the children’s own lists cost less.
 */
async function relationOf(run: SyncRun, collection: NestedCollection, all: readonly number[]): Promise<ChildrenByRelation | undefined> {
  const { client, context, mirror } = run;
  const counts = await countsOf(run, collection, all.slice(0, CHUNK));
  const isCounted = counts.size > 0;
  if (isCounted) {
    let full = 0;
    for (const [id, count] of counts) if (count > 0 && !(await mirror.comparedAfter(collection.noun, id - 1))?.etag) full += 1;
    if (!isRelationCheaper(counts.size, full * PAGE_UNITS)) return undefined;
  }
  return childrenByRelation(context, client, collection, { isCounted, signal: context.signal });
}
