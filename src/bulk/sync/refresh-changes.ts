import { RefusedError } from '../../errors.ts';
import { BEFORE_ALL, LAST_OF_ALL } from '../../mirror/compared-pages.ts';
import type { Applied, Look, TableState } from '../../mirror/mirror.ts';
import { integerId } from '../../mirror/record-id.ts';
import { readRecord } from '../../records/record-at.ts';
import { changedSince } from '../changed-since.ts';
import { wholeQuery } from '../export/run.ts';
import { addApplied, beginWalk, comparePieces, NOTHING } from './compare-pages.ts';
import { findGone } from './find-gone.ts';
import { isHidden } from './is-hidden.ts';
import { addChanged, lookAtPages, type PagesLooked } from './look-at-pages.ts';
import { putInPlace } from './put-in-place.ts';
import { PAGE_UNITS, pagesOf, type SyncRun } from './run.ts';
import { type Spool, spoolAt } from './spool.ts';

/**
 * Updates a table by comparing every page. With `--verify`, svc leaves out the pages that an interrupted `--verify` has compared.
 *
 * @returns undefined if the service does not list the table in the order of id.
 */
export async function refreshByPages(run: SyncRun, state: TableState): Promise<Applied | undefined> {
  const { context, shapeOf, directory, mirror, verification } = run;
  const { noun, path, as_of, whole_at, known_by } = state;
  const since = verification?.since(noun);
  const done = since === undefined ? undefined : await mirror.comparedSince(noun, since);
  if (done?.upto === LAST_OF_ALL) return NOTHING;
  const shape = await shapeOf(noun);
  const spool = spoolAt(context.files, `${directory}/${noun}.ndjson`);
  const walk = await beginWalk(run, state, spool, done?.upto ?? BEFORE_ALL);
  const note = async (at: string) => verification?.note(noun, since ?? at);
  const before = await comparePieces(run, state, shape, walk, () => walk.hasWrapped, note);
  if (before === undefined) {
    await spool.clear();
    return undefined;
  }
  const { at: seenAt = as_of, gone, pages } = walk;
  await note(seenAt);
  const at = done?.at ?? seenAt;
  // A sync between the two runs of `--verify` may have checked the table later.
  const claim = done === undefined || at >= as_of ? { as_of: at, known_by: 'pages' as const } : { as_of, known_by };
  const change = { path, ...claim, whole_at, seen_at: pages.at(-1)?.checked_at ?? seenAt, pages };
  return addApplied(before, await putInPlace(run, shape, { spool, gone, change }));
}

/**
 * Updates a long table. svc compares a slice of its pages, then reads the records whose `updated_at` changed. If the number of rows
 * differs, svc searches for deleted rows and rows that became visible again. The units limit the search.
 *
 * svc removes a recently changed row that the service no longer lists. For other rows, svc compares the counts. Only a comparison of all
 * pages proves that every row is equal.
 *
 * @returns undefined if the service does not filter by `updated_at`, or if some records lack it. svc then has only compared a slice.
 */
export async function refreshByChanges(run: SyncRun, state: TableState): Promise<Applied | undefined> {
  const { mirror, context, shapeOf, directory, budget, slices } = run;
  const { noun, path, as_of, whole_at, known_by } = state;
  const shape = await shapeOf(noun);
  const spool = spoolAt(context.files, `${directory}/${noun}.ndjson`);
  let applied = NOTHING;
  const put = async (gone: Iterable<number>, change: Look, keep?: () => Promise<void>) => {
    applied = addApplied(applied, await putInPlace(run, shape, { spool, gone, change, ...(keep && { keep }) }));
  };
  const countSince = (moment: string) => mirror.countSince(noun, moment);
  const since = await changedSince({ asOf: as_of, lastChange: await mirror.lastChange(noun), countSince });
  const { upto, oldest } = await mirror.compared(noun);
  const walk = await beginWalk(run, state, spool, upto === LAST_OF_ALL ? (oldest?.after ?? BEFORE_ALL) : upto);
  const units = slices.unitsFor(state);
  let end: number | undefined;
  const isSpent = () => budget.left() < PAGE_UNITS;
  const isEnough = () => {
    if (isSpent() || (units > 0 && walk.upto < walk.due && !walk.hasWrapped)) return isSpent();
    end ??= budget.spent() + units;
    return budget.spent() >= end;
  };
  const slice = await budget.looking(() => comparePieces(run, state, shape, walk, isEnough));
  const { at: begun = as_of, gone: gonePages, pages } = walk;
  const before = { path, as_of, whole_at, known_by };
  if (slice === undefined) await spool.clear();
  else {
    applied = slice;
    // The changes that svc reads next are newer than these pages.
    if (pages.length > 0) await put(gonePages, { ...before, seen_at: pages.at(-1)?.checked_at ?? begun, pages });
  }
  const looked =
    since === undefined ? undefined : await lookAtChanges(run, state, since, spool, () => put([], { ...before, seen_at: begun }));
  if (since === undefined || looked === undefined) {
    if (!walk.isRound) return undefined;
    await put([], { path, whole_at, as_of: begun, known_by: 'pages' });
    return applied;
  }
  const { ids, isCounted } = looked;
  const gone = new Set(ids === undefined ? [] : (await mirror.idsSince(noun, since)).filter((id) => !ids.has(id)));
  const changes = { since, looked: { ids: ids ?? new Set<number>(), isCounted }, gone, made: spool.made };
  // After many changes, the next sync searches for deleted rows.
  const found = walk.isRound ? COMPARED : ids === undefined ? UNKNOWN : await budget.looking(() => findGone(run, state, changes));
  // Reading the missing records one by one costs more than reading all pages.
  if (found.missing.size > pagesOf(state.rows + found.missing.size) * PAGE_UNITS) {
    await spool.clear();
    return refreshByPages(run, state);
  }
  await readMissing(run, state, found.missing, spool);
  for (const id of found.gone) gone.add(id);
  const change = { path, as_of: looked.at, whole_at, known_by: found.knownBy };
  await put(gone, change, looked.keep);
  if (found.knownBy !== 'changes' || slice === undefined) return applied;
  // The counts differ, so svc uses the rest of the units for comparing pages.
  Object.assign(walk, { pages: [], gone: new Set() });
  const rest = await budget.looking(() => comparePieces(run, { ...state, ...change }, shape, walk, isSpent));
  if (rest === undefined) return applied;
  applied = addApplied(applied, rest);
  if (walk.pages.length > 0) await put(walk.gone, { ...change, ...(walk.isRound && { known_by: 'pages' }), pages: walk.pages });
  return applied;
}

/** The result of a search after svc has compared every page: no other differences. */
const COMPARED = { gone: new Set<number>(), missing: new Set<number>(), knownBy: 'pages' } as const;
const UNKNOWN = { ...COMPARED, knownBy: 'changes' } as const;

/** Reads the changed records. Returns undefined if the service does not filter by `updated_at`. */
async function lookAtChanges(
  run: SyncRun,
  state: TableState,
  since: string,
  spool: Spool,
  onPiece: () => Promise<unknown>,
): Promise<PagesLooked | undefined> {
  const query = [...wholeQuery({ view: 'detail' }), ['filter[updated_at][gte]', since] as const];
  try {
    return await lookAtPages(run, state, query, spool, ({ updated_at: at }) => typeof at === 'string' && at >= since, onPiece);
  } catch (error) {
    if (error instanceof RefusedError && error.details.status === 400) return undefined;
    throw error;
  }
}

/** Reads unchanged records that the local database lacks. For example, the user can see these records again, or a clock was wrong. */
async function readMissing(run: SyncRun, { noun, path }: TableState, ids: Iterable<number>, spool: Spool): Promise<void> {
  const { client, context } = run;
  for (const id of ids) {
    try {
      const record = readRecord(await client.send({ method: 'GET', path: `${path}/${id}`, signal: context.signal }));
      if (integerId(record) === id) await addChanged(run, noun, [record], spool);
    } catch (error) {
      // The record was deleted in the meantime, or the service lists it but does not show it.
      if (!isHidden(error)) throw error;
    }
  }
}
