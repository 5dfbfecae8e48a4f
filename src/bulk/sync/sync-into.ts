import { requestCost } from '../../client/cost.ts';
import { laned } from '../../client/lanes.ts';
import { ForbiddenError, NotFoundError, RefusedError, type SvcError } from '../../errors.ts';
import type { Applied, Mirror, TableState } from '../../mirror/mirror.ts';
import { MirrorError } from '../../mirror/mirror-error.ts';
import { shapeOf } from '../../mirror/table-shape.ts';
import { discover } from '../../records/discovery.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import type { Needs } from '../../session/context.ts';
import { together } from '../../values/together.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { type Choice, chooseCollections } from '../export/collections.ts';
import { withDirectoryLock } from '../export/directory-lock.ts';
import { PER_PAGE } from '../export/pieces.ts';
import { wholeQuery } from '../export/run.ts';
import { readFirst } from './first-read.ts';
import { refreshByChanges } from './refresh-changes.ts';
import { refreshBelow } from './refresh-nested.ts';
import { refreshByPages } from './refresh-pages.ts';
import { budgetOf, type Syncing, type SyncRun } from './run.ts';

/** How a sync is made. */
export interface SyncOptions {
  /** Units that looking for what is gone may spend. */
  readonly budget: number;
  /** Ask every record for what lies below it. */
  readonly nested: boolean;
  /** Nouns of tables that there are, to look at alone; what has no table yet stays out. Default: all that was asked for. */
  readonly only?: readonly string[];
}

/** What a sync did to one table. */
export interface SyncedTable extends TableState {
  /** Records that were read and put in place. */
  readonly put: number;
  readonly gone: number;
}

/** A table of so many pages is looked at page by page: a unit each where nothing changed. */
const SHORT_PAGES = 3;

/** Where a mirror is, for people, and the directory of this machine that belongs to it. */
interface Place {
  readonly name: string;
  /** For the lock, and what is read the first time. */
  readonly directory: string;
}

/** Brings a mirror up to date. @param openMirror for the person whose sight it holds. */
export async function syncInto(
  context: Needs<Syncing>,
  { name, directory }: Place,
  nouns: readonly string[],
  openMirror: (user: number | undefined) => Promise<Mirror>,
  options: SyncOptions,
): Promise<Synced> {
  const client = laned(await context.client(), await context.parallel());
  const budget = budgetOf(client, options.budget);
  const asking = { ...context, client: async () => client };
  const [entries, user] = await together(discover(asking), ownUserIdIfKnown(asking));
  const choice = chooseCollections(entries, nouns);
  const work = async () => {
    const mirror = await openMirror(user);
    try {
      const run: SyncRun = { context, client, mirror, budget, shapeOf: (noun, key) => shapeIn(context, noun, key) };
      const done = await syncAll(run, { choice, user, directory: `${directory}/first`, isAll: nouns.length === 0 }, options);
      return { ...done, units: budget.spent() };
    } finally {
      await mirror.close();
    }
  };
  return withDirectoryLock(directory, context.system.pid, work, {
    does: `brings ${name} up to date`,
    instead: 'name another place with --to',
  });
}

async function shapeIn({ catalog }: Needs<'catalog'>, noun: string, key: string | undefined) {
  const [top = noun, below] = noun.split('.');
  const resource = await catalog.find(top);
  return shapeOf(noun, below === undefined ? resource : resource?.nested?.find((each) => each.noun === below), key);
}

/** What a sync came to. */
export interface Synced {
  readonly tables: readonly SyncedTable[];
  /** What could not be brought up to date, and is as it was. */
  readonly leftOut: readonly LeftOut[];
  /** Units of the rate limit that it took. */
  readonly units: number;
}

interface LeftOut {
  readonly noun: string;
  readonly reason: string;
}

/** Records of a table that this run found changed, and gone. */
interface Touched {
  readonly changed: readonly number[];
  readonly gone: readonly number[];
}

/** What is to be synced. */
interface Work {
  readonly choice: Choice;
  readonly user: number | undefined;
  /** For what is read the first time. */
  readonly directory: string;
  /** Everything is asked for. */
  readonly isAll: boolean;
}

async function syncAll(
  run: SyncRun,
  { choice, user, directory, isAll }: Work,
  { nested, only }: SyncOptions,
): Promise<Omit<Synced, 'units'>> {
  const { mirror } = run;
  const before = await mirror.states();
  const never = new Set(JSON.parse((await mirror.kept(NO_COLLECTIONS)) ?? '[]') as readonly string[]);
  const isMeant = (noun: string) => only === undefined || (before.has(noun) && only.includes(noun));
  const wanted = choice.collections.filter(({ noun, path }) => !never.has(path) && isMeant(noun));
  const isKept = (noun: string) => only !== undefined && before.has(noun);
  const has = (noun: string | undefined) => noun !== undefined && (isKept(noun) || wanted.some((each) => each.noun === noun));
  const below = choice.nested.filter(({ path, sameAs }) => !never.has(path) && !has(sameAs));
  const put = new Map<string, number>();
  const gone = new Map<string, number>();
  const leftOut: LeftOut[] = [];
  const touched = new Map<string, Touched>();
  const attempt = async (noun: string, look: () => Promise<Applied | undefined>) => {
    try {
      const outcome = await look();
      if (outcome === undefined) leftOut.push({ noun, reason: TOO_DEAR });
      else {
        put.set(noun, outcome.put.length);
        gone.set(noun, outcome.gone.length);
        touched.set(noun, { changed: outcome.put, gone: outcome.gone });
      }
    } catch (error) {
      if (!isAboutOne(error)) throw error;
      leftOut.push({ noun, reason: error.message });
    }
  };
  for (const { noun } of wanted) {
    const state = before.get(noun);
    if (state !== undefined) await attempt(noun, () => refreshTop(run, state).catch((error) => emptyIfHidden(run, state, error)));
  }
  if (isAll && choice.collections.length > 0)
    for (const state of before.values()) if (!isListed(choice, state)) await attempt(state.noun, () => empty(run, state));
  for (const collection of below) {
    const state = before.get(collection.noun);
    const parent = touched.get(collection.parent);
    if (state === undefined && before.has(collection.parent)) leftOut.push({ noun: collection.noun, reason: NOT_READ_YET });
    if (state === undefined || parent === undefined) continue;
    const ask = nested ? await mirror.ids(collection.parent) : parent.changed;
    await attempt(collection.noun, () => refreshBelow(run, state, collection, { ask, gone: parent.gone, isAll: nested }));
  }
  const fresh = {
    ...choice,
    collections: wanted.filter(({ noun }) => !before.has(noun)),
    nested: below.filter(({ noun, parent }) => !before.has(noun) && !before.has(parent)),
  };
  if (fresh.collections.length > 0) {
    const first = await readFirst(run, fresh, user, directory);
    for (const [noun, rows] of first.rows) put.set(noun, rows);
    leftOut.push(...first.leftOut);
    await mirror.keep(NO_COLLECTIONS, JSON.stringify([...never, ...first.notCollections.map(({ path }) => path)]));
  }
  const tables = [...(await mirror.states()).values()].flatMap((state) => {
    const count = put.get(state.noun);
    return count === undefined ? [] : [{ ...state, put: count, gone: gone.get(state.noun) ?? 0 }];
  });
  return { tables, leftOut };
}

/** Paths that discovery lists and that are no collections. */
const NO_COLLECTIONS = 'no collections';

const NOT_READ_YET = 'It was not read with the records above it. To read it now: svc sync --forget, then svc sync.';

const TOO_DEAR = 'The service does not tell what changed, and reading all of it costs more than the budget.';

/** A short table page by page, a long one by what changed; where the service does not tell that, all of it as far as the budget goes. */
async function refreshTop(run: SyncRun, state: TableState): Promise<Applied | undefined> {
  const pages = Math.ceil((state.rows + 1) / PER_PAGE);
  if (pages <= SHORT_PAGES) return refreshByPages(run, state);
  return (await refreshByChanges(run, state)) ?? (run.budget.left() >= pages * PAGE_UNITS ? refreshByPages(run, state) : undefined);
}

/**
 * A table that its user may no longer see, or whose feature was switched off, has no rows: the mirror holds what one may see. What a
 * narrower token alone keeps one from is left as it is.
 */
async function emptyIfHidden(run: SyncRun, state: TableState, error: unknown): Promise<Applied> {
  const isHidden = error instanceof NotFoundError || (error instanceof ForbiddenError && error.details.type === 'insufficient-permission');
  if (!isHidden) throw error;
  await run.context.notice(`${state.noun} has no rows here any more: ${error.message}`);
  return empty(run, state);
}

async function empty({ context, mirror, shapeOf }: SyncRun, { noun, path }: TableState): Promise<Applied> {
  const at = utcSeconds(context.clock.now());
  return mirror.replace(await shapeOf(noun), [], { path, as_of: at, whole_at: at, known_by: 'read' });
}

/** Whether discovery lists a table's collection, or the one that it lies below. */
function isListed({ collections }: Choice, { noun }: TableState): boolean {
  const [top] = noun.split('.');
  return collections.some((each) => each.noun === top);
}

/** Units of a page in the detail view. */
const PAGE_UNITS = requestCost({ method: 'GET', query: wholeQuery({ view: 'detail' }) });

/** What keeps one table from being read, and may well not keep the next. */
function isAboutOne(error: unknown): error is SvcError {
  return error instanceof ForbiddenError || error instanceof NotFoundError || error instanceof RefusedError || error instanceof MirrorError;
}
