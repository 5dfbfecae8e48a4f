import { RefusedError } from '../../errors.ts';
import type { Applied, TableState } from '../../mirror/mirror.ts';
import { integerId } from '../../mirror/record-id.ts';
import { readRecord } from '../../records/record-at.ts';
import { changedSince } from '../changed-since.ts';
import { wholeQuery } from '../export/run.ts';
import { beginWalk, walkPages, withoutEtags } from './compare-pages.ts';
import { addApplied, comparePieces } from './compare-pieces.ts';
import { findGone } from './find-gone.ts';
import { isHidden } from './is-hidden.ts';
import { addChanged, lookAtPages, type PagesLooked } from './look-at-pages.ts';
import { putInPlace } from './put-in-place.ts';
import { refreshByPages } from './refresh-pages.ts';
import { PAGE_UNITS, pagesOf, type SyncRun } from './run.ts';
import { type Spool, spoolAt, spoolsInOrder } from './spool.ts';

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
  const spoolOf = (name: string) => spoolAt(context.files, `${directory}/${noun}.${name}.ndjson`);
  const [before, changed, after] = [spoolOf('before'), spoolOf('changed'), spoolOf('after')];
  const spool = spoolsInOrder([before, changed, after]);
  const countSince = (moment: string) => mirror.countSince(noun, moment);
  const since = await changedSince({ asOf: as_of, lastChange: await mirror.lastChange(noun), countSince });
  const walk = await beginWalk(run, state, before, 'oldest');
  const units = slices.unitsFor(state);
  let end: number | undefined;
  const isSpent = () => budget.left() < PAGE_UNITS;
  const isEnough = () => {
    if (isSpent() || (units > 0 && walk.upto < walk.due && !walk.hasWrapped)) return isSpent();
    end ??= budget.spent() + units;
    return budget.spent() >= end;
  };
  const slice = await budget.looking(() => comparePieces(run, state, shape, walk, isEnough));
  const looked = since === undefined ? undefined : await lookAtChanges(run, state, since, changed);
  if (since === undefined || looked === undefined) {
    if (slice === undefined) return undefined;
    const at = walk.at ?? as_of;
    const look = walk.isRound ? { as_of: at, known_by: 'pages' as const } : { as_of, known_by, seen_at: at };
    const applied = await putInPlace(run, shape, { spool, gone: walk.gone, change: { path, whole_at, ...look, pages: walk.pages } });
    return walk.isRound ? addApplied(slice, applied) : undefined;
  }
  const lately = (await mirror.idsSince(noun, since)).filter((id) => !looked.ids.has(id));
  const gone = new Set([...lately, ...[...walk.gone].filter((id) => !looked.ids.has(id))]);
  const found = walk.isRound ? COMPARED : await budget.looking(() => findGone(run, state, { since, looked, gone, made: spool.made }));
  // Reading the missing records one by one costs more than reading all pages.
  if (found.missing.size > pagesOf(state.rows + found.missing.size) * PAGE_UNITS) {
    await spool.clear();
    return refreshByPages(run, state);
  }
  await readMissing(run, state, found.missing, changed);
  for (const id of found.gone) gone.add(id);
  const pages = withoutEtags(walk.pages, [...changed.made.keys(), ...lately, ...found.gone]);
  if (found.knownBy === 'changes' && slice !== undefined) {
    // The counts differ, so svc uses the rest of the units for comparing pages.
    Object.assign(walk, { pages: [], gone: new Set(), spool: after });
    await budget.looking(() => walkPages(run, state, walk, isSpent));
    for (const id of walk.gone) gone.add(id);
    pages.push(...walk.pages);
  }
  const change = { path, as_of: looked.at, whole_at, known_by: walk.isRound ? ('pages' as const) : found.knownBy, pages };
  const applied = await putInPlace(run, shape, { spool, gone, change, keep: looked.keep });
  return slice === undefined ? applied : addApplied(slice, applied);
}

/** The result of a search after svc has compared every page: no other differences. */
const COMPARED = { gone: new Set<number>(), missing: new Set<number>(), knownBy: 'pages' } as const;

/** Reads the changed records. Returns undefined if the service does not filter by `updated_at`. */
async function lookAtChanges(run: SyncRun, state: TableState, since: string, spool: Spool): Promise<PagesLooked | undefined> {
  const query = [...wholeQuery({ view: 'detail' }), ['filter[updated_at][gte]', since] as const];
  try {
    return await lookAtPages(run, state, query, spool, ({ updated_at: at }) => typeof at === 'string' && at >= since);
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
