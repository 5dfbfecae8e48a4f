import { DatabaseError } from '../../database/database-error.ts';
import type { Applied, TableState } from '../../database/local-database.ts';
import type { SvcError } from '../../errors.ts';
import { utcSeconds } from '../../values/temporal.ts';
import type { ChildCollection, ExportChoice } from '../export/collections.ts';
import { isDeclined } from '../export/no-collection.ts';
import { pagesOf } from '../export/run.ts';
import { estimateSync, showSyncCost } from './estimate-sync.ts';
import { readFirst, startedFirst } from './first-read.ts';
import { isHidden, isOutOfSight } from './is-hidden.ts';
import type { NotCollections } from './not-collections.ts';
import { refreshByChanges, refreshByPages } from './refresh-changes.ts';
import { refreshChildren } from './refresh-children.ts';
import { type Children, isShort, PAGE_UNITS, type SyncRun } from './run.ts';
import type { LeftOut, Synced, SyncedTable } from './synced.ts';

export interface Work {
  readonly choice: ExportChoice;
  readonly user: number | undefined;
  readonly others: NotCollections;
  readonly isAll: boolean;
  readonly children: Children;
  /** The names of the tables to update. Undefined means all chosen tables. */
  readonly only: readonly string[] | undefined;
}

/** Reads the tables that the local database lacks, and updates the other tables. Then updates the child records of changed records. */
export async function syncTables(run: SyncRun, work: Work): Promise<Pick<Synced, 'tables' | 'leftOut'>> {
  const { database, directory } = run;
  const { user, others, isAll, children, only } = work;
  const choice = children === 'none' ? { ...work.choice, nested: [] } : work.choice;
  const began = await startedFirst(run);
  const before = new Map([...(await database.states())].filter(([noun]) => !began.has(noun)));
  const isMeant = (noun: string) => only === undefined || (before.has(noun) && only.includes(noun));
  const wanted = choice.collections.filter(({ noun, path }) => !others.paths.has(path) && isMeant(noun));
  const isStored = (noun: string) => only !== undefined && before.has(noun);
  const has = (noun: string | undefined) => noun !== undefined && (isStored(noun) || wanted.some((each) => each.noun === noun));
  const below = choice.nested.filter(({ path, sameAs }) => !others.paths.has(path) && !has(sameAs));
  // The top-level table has the same records, so svc drops the child table.
  for (const { noun, sameAs } of only === undefined ? choice.nested : []) if (has(sameAs) && before.has(noun)) await database.drop(noun);
  const done = new Map<string, { put: number; gone: number }>();
  const leftOut: LeftOut[] = [];
  const attempt = async (noun: string, refresh: () => Promise<Applied | Reason>) => {
    try {
      const outcome = await refresh();
      if (typeof outcome === 'string') leftOut.push({ noun, reason: outcome });
      else done.set(noun, { put: (done.get(noun)?.put ?? 0) + outcome.put, gone: outcome.gone });
    } catch (error) {
      if (!isAboutOne(error)) throw error;
      leftOut.push({ noun, reason: isRefused(error) ? `${error.message} ${error.hint}` : error.message });
    }
  };
  const fresh = {
    ...choice,
    collections: wanted.filter(({ noun }) => !before.has(noun)),
    nested: below.filter(({ noun, parent }) => !before.has(noun) && !before.has(parent)),
  };
  let read = new Set<string>();
  if (fresh.collections.length > 0) {
    const first = await readFirst(run, fresh, user, `${directory}/first`);
    for (const [noun, rows] of first.rows) done.set(noun, { put: rows, gone: 0 });
    leftOut.push(...first.leftOut);
    await others.add(first.notCollections.map(({ path }) => path));
    // An earlier run can have read some of these records before a change, so svc updates these tables too.
    if (!first.isContinued) read = new Set(first.rows.keys());
  }
  const states = await database.states();
  const there = wanted.flatMap(({ noun }) => (read.has(noun) ? [] : (states.get(noun) ?? [])));
  const childTables = children === 'changed' ? below.flatMap(({ noun }) => states.get(noun) ?? []) : [];
  const tablesOfChildren = children === 'all' ? below.flatMap(({ noun }) => states.get(noun) ?? []) : childTables;
  const end = await showSyncCost(run, await estimateSync(run, [...there, ...tablesOfChildren]));
  try {
    for (const [index, state] of there.entries()) {
      const later = there.slice(index + 1).filter((each) => !isShort(each));
      run.budget.reserve([...later, ...childTables].reduce((units, each) => units + run.sliceOf(each), 0));
      await attempt(state.noun, () => refreshTop(run, state).catch((error) => emptyIfHidden(run, state, error)));
    }
    if (isAll && choice.collections.length > 0)
      for (const state of states.values()) if (!isListed(choice, state)) await attempt(state.noun, () => empty(run, state));
    run.budget.reserve(0);
    await refreshAllChildren(
      run,
      below.filter(({ noun, parent }) => done.has(parent) && !read.has(parent) && !leftOut.some((left) => left.noun === noun)),
      children === 'all',
      attempt,
    );
  } finally {
    end();
  }
  await run.verification?.end([...there, ...below].map(({ noun }) => noun));
  const tables = [...(await database.states()).values()].flatMap((state): SyncedTable[] => {
    const counts = done.get(state.noun);
    return counts === undefined ? [] : [{ ...state, ...counts }];
  });
  return { tables, leftOut };
}

/** Updates the tables of child records after their parents’ tables. */
async function refreshAllChildren(
  run: SyncRun,
  collections: readonly ChildCollection[],
  isAll: boolean,
  attempt: (noun: string, refresh: () => Promise<Applied>) => Promise<void>,
): Promise<void> {
  const { database } = run;
  const states = await database.states();
  for (const parent of new Set(collections.map((each) => each.parent))) {
    const above = states.get(parent);
    if (above === undefined) continue;
    const open = new Set<number>();
    let left = 0;
    for (const collection of collections.filter((each) => each.parent === parent)) {
      const state = states.get(collection.noun);
      left += 1;
      await attempt(collection.noun, async () => {
        const outcome = await refreshChildren(run, state, collection, { above, isAsked: isAll });
        for (const id of outcome.refused) open.add(id);
        left -= 1;
        return outcome;
      });
    }
    // If svc could not update one child table, the next run reads all child tables of these parents again.
    if (left > 0) continue;
    await database.forgetTouched(parent);
    await database.touch(parent, [...open]);
  }
}

const TOO_DEAR = 'The service does not show the changes, and reading all rows costs more than --max-units allows. The next sync continues.';
const OUT_OF_ORDER = 'The service does not list these records in the order of id, so svc cannot compare pages.';

/** The reason why svc could not update a table. */
type Reason = typeof TOO_DEAR | typeof OUT_OF_ORDER;

/**
 * Updates a short table page by page, and a long table by its changes. svc also uses the changes for a short table that the service does
 * not list in the order of id. If the service does not show the changes, svc compares all pages, if enough rate-limit units are left. With
 * `--verify`, svc compares all pages of each table.
 */
async function refreshTop(run: SyncRun, state: TableState): Promise<Applied | Reason> {
  const byPages = async () => (await refreshByPages(run, state)) ?? OUT_OF_ORDER;
  if (run.verification !== undefined) return byPages();
  const compared = isShort(state) ? await refreshByPages(run, state) : undefined;
  const applied = compared ?? (await refreshByChanges(run, state));
  if (applied !== undefined) return applied;
  return run.budget.left() >= pagesOf(state.rows + 1) * PAGE_UNITS ? run.budget.searching(byPages) : TOO_DEAR;
}

/**
 * Empties a table whose records the user can no longer see, or whose feature is switched off. If only the token lacks a scope, the table
 * does not change.
 */
async function emptyIfHidden(run: SyncRun, state: TableState, error: unknown): Promise<Applied> {
  if (!isHidden(error) || !(await isOutOfSight(run, state.path))) throw error;
  await run.context.notice(`${state.noun} has no visible rows any more: ${error.message}`);
  return empty(run, state);
}

async function empty(run: SyncRun, { noun, path }: TableState): Promise<Applied> {
  const { context, database, shapeOf, hasChildRecords } = run;
  const at = utcSeconds(context.clock.now());
  if (hasChildRecords(noun)) await database.touchAll(noun);
  return database.replace(await shapeOf(noun), [], { path, as_of: at, whole_at: at, known_by: 'read' });
}

/** Returns true if discovery lists the resource of a table, or its parent resource. */
function isListed({ collections }: ExportChoice, { noun }: TableState): boolean {
  const [top] = noun.split('.');
  return collections.some((each) => each.noun === top);
}

/** Returns true if a failure concerns only one table, so that svc continues with the next table. */
function isAboutOne(error: unknown): error is SvcError {
  if (error instanceof DatabaseError) return error.fault === 'no-ids' || isRefused(error);
  return isDeclined(error);
}

/** Returns true if the database refused the write. The error then has a hint. */
function isRefused(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.fault === 'refused';
}
