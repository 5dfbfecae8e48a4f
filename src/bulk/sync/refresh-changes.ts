import { undefinedForRefusal } from '../../client/assumed.ts';
import { BEFORE_ALL, LAST_OF_ALL } from '../../database/compared-pages.ts';
import type { Applied, TableState } from '../../database/local-database.ts';
import { integerId } from '../../database/record-id.ts';
import { readRecord } from '../../records/record-at.ts';
import type { JsonObject } from '../../values/json.ts';
import { changedSince } from '../changed-since.ts';
import { pagesOf, wholeQuery } from '../export/run.ts';
import { addChanged, type CheckedPages, checkPages } from './check-pages.ts';
import { addApplied, beginWalk, comparePieces, UNCHANGED_TABLE, walkPages, withoutEtags } from './compare-pages.ts';
import { findDeleted } from './find-deleted.ts';
import { isHidden } from './is-hidden.ts';
import { PAGE_UNITS, type SyncRun } from './run.ts';
import { type Spool, spoolAt, spoolsInOrder } from './spool.ts';
import { writeChanges } from './write-changes.ts';

/**
 * Updates a table by comparing every page. With `--verify`, svc leaves out the pages that an interrupted `--verify` has compared.
 *
 * @returns undefined if the service does not list the table in the order of id.
 */
export async function refreshByPages(run: SyncRun, state: TableState): Promise<Applied | undefined> {
  const { context, shapeOf, directory, database, verification } = run;
  const { noun, path, as_of, whole_at, known_by } = state;
  const since = verification?.since(noun);
  const done = since === undefined ? undefined : await database.comparedSince(noun, since);
  if (done?.upto === LAST_OF_ALL) return UNCHANGED_TABLE;
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
  // Another sync between the two runs of `--verify` possibly checked the table later.
  const claim = done === undefined || at >= as_of ? { as_of: at, known_by: 'pages' as const } : { as_of, known_by };
  const change = { path, ...claim, whole_at, seen_at: pages.at(-1)?.checked_at ?? seenAt, pages };
  return addApplied(before, await writeChanges(run, shape, { spool, gone, change }));
}

/**
 * Updates a long table. svc compares a slice of its pages, then reads the records whose `updated_at` changed. If the number of rows
 * differs, svc searches for deleted rows and rows that became visible again. The search ends when the rate-limit units for searching run
 * out.
 *
 * svc removes a recently changed row that the service no longer lists. For other rows, svc compares the counts. Only a comparison of all
 * pages proves that every row is equal.
 *
 * @returns undefined if the service does not filter by `updated_at`, or if some records lack `updated_at`. svc has then compared only a
 * slice.
 */
export async function refreshByChanges(run: SyncRun, state: TableState): Promise<Applied | undefined> {
  const { database, context, shapeOf, directory, budget, sliceOf } = run;
  const { noun, path, as_of, whole_at, known_by } = state;
  const shape = await shapeOf(noun);
  const spoolOf = (name: string, earlier?: Spool) => spoolAt(context.files, `${directory}/${noun}.${name}.ndjson`, earlier);
  const before = spoolOf('before');
  const changed = spoolOf('changed', before);
  const after = spoolOf('after', changed);
  const spool = spoolsInOrder([before, changed, after]);
  const countSince = (timestamp: string) => database.countSince(noun, timestamp);
  const since = await changedSince({ asOf: as_of, lastChange: await database.lastChange(noun), countSince });
  const { upto, oldest } = await database.compared(noun);
  const walk = await beginWalk(run, state, before, upto === LAST_OF_ALL ? (oldest?.after ?? BEFORE_ALL) : upto);
  const units = sliceOf(state);
  let end: number | undefined;
  const isSpent = () => budget.left() < PAGE_UNITS;
  const isEnough = () => {
    if (isSpent() || (units > 0 && walk.upto < walk.due && !walk.hasWrapped)) return isSpent();
    end ??= budget.spent() + units;
    return budget.spent() >= end;
  };
  const slice = await budget.searching(() => comparePieces(run, state, shape, walk, isEnough));
  let applied = slice ?? UNCHANGED_TABLE;
  const putPiece = async (ids: ReadonlySet<number>) => {
    const pages = withoutEtags(walk.pages, [...changed.made.keys()]);
    const proof = { path, as_of, whole_at, known_by, seen_at: walk.at ?? as_of, pages };
    const gone = [...walk.gone].filter((id) => !ids.has(id));
    applied = addApplied(applied, await writeChanges(run, shape, { spool, gone, change: proof }));
    Object.assign(walk, { pages: [], gone: new Set() });
  };
  const checkedPages = since === undefined ? undefined : await checkChanges(run, state, since, changed, putPiece);
  if (since === undefined || checkedPages === undefined) {
    if (slice === undefined) return undefined;
    const at = walk.at ?? as_of;
    const proof = walk.isRound ? { as_of: at, known_by: 'pages' as const } : { as_of, known_by, seen_at: at };
    const rest = await writeChanges(run, shape, { spool, gone: walk.gone, change: { path, whole_at, ...proof, pages: walk.pages } });
    return walk.isRound ? addApplied(applied, rest) : undefined;
  }
  const { ids, isCounted } = checkedPages;
  const lately = ids === undefined ? [] : (await database.idsSince(noun, since)).filter((id) => !ids.has(id));
  const gone = new Set([...lately, ...[...walk.gone].filter((id) => !ids?.has(id))]);
  const search = { since, ids: ids ?? new Set<number>(), isCounted, gone, made: spool.made };
  // After very many changes, the next sync searches for deleted rows.
  const later = { ...COMPARED, knownBy: 'changes' } as const;
  const found = walk.isRound ? COMPARED : ids === undefined ? later : await budget.searching(() => findDeleted(run, state, search));
  // Reading the missing records one by one costs more than reading all pages.
  if (found.missing.size > pagesOf(state.rows + found.missing.size) * PAGE_UNITS) {
    await spool.clear();
    return refreshByPages(run, state);
  }
  await readMissing(run, state, found.missing, changed);
  for (const id of found.gone) gone.add(id);
  const pages = withoutEtags(walk.pages, [...changed.made.keys(), ...lately, ...found.gone]);
  if (found.knownBy === 'changes' && slice !== undefined) {
    // The counts differ or are unknown, so svc spends the remaining rate-limit units on comparing pages.
    Object.assign(walk, { pages: [], gone: new Set(), spool: after });
    await budget.searching(() => walkPages(run, state, walk, isSpent));
    for (const id of walk.gone) gone.add(id);
    pages.push(...walk.pages);
  }
  const change = { path, as_of: checkedPages.at, whole_at, known_by: walk.isRound ? ('pages' as const) : found.knownBy, pages };
  return addApplied(applied, await writeChanges(run, shape, { spool, gone, change, keep: checkedPages.keep }));
}

/** The result of a search after svc has compared every page: no other differences. */
const COMPARED = { gone: new Set<number>(), missing: new Set<number>(), knownBy: 'pages' } as const;

/** Reads the changed records. Returns undefined if the service does not filter by `updated_at`. */
async function checkChanges(
  run: SyncRun,
  state: TableState,
  since: string,
  spool: Spool,
  onPiece: (ids: ReadonlySet<number>) => Promise<void>,
): Promise<CheckedPages | undefined> {
  const query = [...wholeQuery({ view: 'detail' }), ['filter[updated_at][gte]', since] as const];
  const isMatch = ({ updated_at: at }: JsonObject) => typeof at === 'string' && at >= since;
  return checkPages(run, state, query, spool, isMatch, onPiece).catch(undefinedForRefusal);
}

/** Reads unchanged records that the local database lacks. For example, the user can see these records again, or a clock was wrong. */
async function readMissing(run: SyncRun, { noun, path }: TableState, ids: Iterable<number>, spool: Spool): Promise<void> {
  const { client, context } = run;
  for (const id of ids) {
    try {
      const record = readRecord(await client.send({ method: 'GET', path: `${path}/${id}`, signal: context.signal }));
      if (integerId(record) === id) await addChanged(run, noun, [record], spool);
    } catch (error) {
      // The record has been deleted, or the service lists the record but does not show the record.
      if (!isHidden(error)) throw error;
    }
  }
}
