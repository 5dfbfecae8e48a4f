import type { SvcError } from '../../errors.ts';
import type { Applied, TableState } from '../../mirror/mirror.ts';
import { MirrorError } from '../../mirror/mirror-error.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import type { ExportChoice, NestedCollection } from '../export/collections.ts';
import { isDeclined } from '../is-declined.ts';
import { beganFirst, readFirst } from './first-read.ts';
import { isHidden, isOutOfSight } from './is-hidden.ts';
import type { NotCollections } from './not-collections.ts';
import { forgetTouched, noteTouched, touchedOf } from './put-in-place.ts';
import { refreshByChanges } from './refresh-changes.ts';
import { refreshBelow } from './refresh-nested.ts';
import { refreshByPages } from './refresh-pages.ts';
import { PAGE_UNITS, pagesOf, type SyncRun } from './run.ts';
import type { LeftOut, Synced, SyncedTable } from './synced.ts';

/** What is to be synced. */
export interface Work {
  readonly choice: ExportChoice;
  readonly user: number | undefined;
  readonly others: NotCollections;
  /** Everything is asked for. */
  readonly isAll: boolean;
  /** Ask every record for what lies below it. */
  readonly nested: boolean;
  /** Nouns of tables that there are, to look at alone; undefined for all of the choice. */
  readonly only: readonly string[] | undefined;
}

/** A table of so many pages is looked at page by page: a unit each where nothing changed. */
const SHORT_PAGES = 3;

/** Reads the tables that the mirror does not have, refreshes the others, and then what lies below the records that changed. */
export async function syncTables(run: SyncRun, work: Work): Promise<Pick<Synced, 'tables' | 'leftOut'>> {
  const { mirror, directory } = run;
  const { choice, user, others, isAll, nested, only } = work;
  const began = await beganFirst(run);
  const before = new Map([...(await mirror.states())].filter(([noun]) => !began.has(noun)));
  const isMeant = (noun: string) => only === undefined || (before.has(noun) && only.includes(noun));
  const wanted = choice.collections.filter(({ noun, path }) => !others.paths.has(path) && isMeant(noun));
  const isKept = (noun: string) => only !== undefined && before.has(noun);
  const has = (noun: string | undefined) => noun !== undefined && (isKept(noun) || wanted.some((each) => each.noun === noun));
  const below = choice.nested.filter(({ path, sameAs }) => !others.paths.has(path) && !has(sameAs));
  const done = new Map<string, { put: number; gone: number }>();
  const leftOut: LeftOut[] = [];
  const attempt = async (noun: string, look: () => Promise<Applied | undefined>) => {
    try {
      const outcome = await look();
      if (outcome === undefined) leftOut.push({ noun, reason: TOO_DEAR });
      else done.set(noun, { put: (done.get(noun)?.put ?? 0) + outcome.put.length, gone: outcome.gone.length });
    } catch (error) {
      if (!isAboutOne(error)) throw error;
      leftOut.push({ noun, reason: isRefused(error) ? `${error.message} ${error.hint ?? ''}` : error.message });
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
    // What an earlier run had read of it may have changed since.
    if (!first.goesOn) read = new Set(first.rows.keys());
  }
  const states = await mirror.states();
  for (const { noun } of wanted) {
    const state = states.get(noun);
    if (state !== undefined && !read.has(noun))
      await attempt(noun, () => refreshTop(run, state).catch((error) => emptyIfHidden(run, state, error)));
  }
  if (isAll && choice.collections.length > 0)
    for (const state of states.values()) if (!isListed(choice, state)) await attempt(state.noun, () => empty(run, state));
  await refreshAllBelow(
    run,
    below.filter(({ noun, parent }) => done.has(parent) && !read.has(parent) && !isLeftOut(leftOut, noun)),
    nested,
    attempt,
  );
  const tables = [...(await mirror.states()).values()].flatMap((state): SyncedTable[] => {
    const counts = done.get(state.noun);
    return counts === undefined ? [] : [{ ...state, ...counts }];
  });
  return { tables, leftOut };
}

/** Brings up to date what lies below the records of tables that are. What was not read with them is read now. */
async function refreshAllBelow(
  run: SyncRun,
  collections: readonly NestedCollection[],
  nested: boolean,
  attempt: (noun: string, look: () => Promise<Applied>) => Promise<void>,
): Promise<void> {
  const { mirror } = run;
  const states = await mirror.states();
  for (const parent of new Set(collections.map((each) => each.parent))) {
    const there = new Set(await mirror.ids(parent));
    const touched = await touchedOf(run, parent);
    const open = new Set<number>();
    let left = 0;
    for (const collection of collections.filter((each) => each.parent === parent)) {
      const state = states.get(collection.noun);
      const isAll = nested || state === undefined;
      const ask = nested ? [...there] : state === undefined ? await withSomething(run, collection) : touched.filter((id) => there.has(id));
      left += 1;
      await attempt(collection.noun, async () => {
        const outcome = await refreshBelow(run, state, collection, { ask, gone: touched.filter((id) => !there.has(id)), isAll });
        for (const id of outcome.refused) open.add(id);
        left -= 1;
        return outcome;
      });
    }
    // Where one could not be asked for, all are asked for again.
    if (left === 0) await forgetTouched(run, parent);
    if (left === 0) await noteTouched(run, parent, [...open]);
  }
}

/** The records whose own counter does not say that nothing lies below them: `comments_count` (rule 2.6). */
async function withSomething({ mirror }: SyncRun, { parent, segment }: NestedCollection): Promise<readonly number[]> {
  const counter = `${segment.replaceAll('-', '_')}_count`;
  const found: number[] = [];
  for await (const { id, record } of mirror.records(parent)) {
    const fields = parseJson(record);
    if (!isJsonObject(fields) || fields[counter] !== 0) found.push(id);
  }
  return found;
}

const TOO_DEAR = 'The service does not tell what changed, and reading all of it costs more than the budget.';

/** A short table page by page, a long one by what changed; where the service does not tell that, all of it as far as the budget goes. */
async function refreshTop(run: SyncRun, state: TableState): Promise<Applied | undefined> {
  const pages = pagesOf(state.rows + 1);
  if (pages <= SHORT_PAGES) return refreshByPages(run, state);
  return (
    (await refreshByChanges(run, state)) ??
    (run.budget.left() >= pages * PAGE_UNITS ? run.budget.looking(() => refreshByPages(run, state)) : undefined)
  );
}

/**
 * A table that its user may no longer see, or whose feature was switched off, has no rows: the mirror holds what one may see. What a
 * narrower token alone keeps one from is left as it is.
 */
async function emptyIfHidden(run: SyncRun, state: TableState, error: unknown): Promise<Applied> {
  if (!isHidden(error) || !(await isOutOfSight(run, state.path))) throw error;
  await run.context.notice(`${state.noun} has no rows here any more: ${error.message}`);
  return empty(run, state);
}

async function empty(run: SyncRun, { noun, path }: TableState): Promise<Applied> {
  const { context, mirror, shapeOf } = run;
  const at = utcSeconds(context.clock.now());
  await noteTouched(run, noun, await mirror.ids(noun));
  return mirror.replace(await shapeOf(noun), [], { path, as_of: at, whole_at: at, known_by: 'read' });
}

/** Whether discovery lists a table's collection, or the one that it lies below. */
function isListed({ collections }: ExportChoice, { noun }: TableState): boolean {
  const [top] = noun.split('.');
  return collections.some((each) => each.noun === top);
}

function isLeftOut(leftOut: readonly LeftOut[], noun: string): boolean {
  return leftOut.some((left) => left.noun === noun);
}

/** What keeps one table from being read, and may well not keep the next. */
function isAboutOne(error: unknown): error is SvcError {
  if (error instanceof MirrorError) return error.fault === 'no-ids' || isRefused(error);
  return isDeclined(error);
}

/** By the database that holds the mirror: what to do about it is told beside it. */
function isRefused(error: unknown): error is MirrorError {
  return error instanceof MirrorError && error.fault === 'refused';
}
