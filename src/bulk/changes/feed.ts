import type { ApiClient } from '../../client/api.ts';
import { DatabaseError } from '../../database/database-error.ts';
import { findDatabase } from '../../database/find-database.ts';
import type { LocalDatabase } from '../../database/local-database.ts';
import { TakenError } from '../../errors.ts';
import { isBusy } from '../../journal/journal-error.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';
import { isNamed, topOf } from '../export/collections.ts';
import type { Place } from '../sync/place.ts';
import type { Syncing } from '../sync/run.ts';
import { syncInto } from '../sync/sync-into.ts';
import type { Synced } from '../sync/synced.ts';
import { checkStart, consumerPlace, findStart, findStored, readSince } from './find-start.ts';
import { readLog } from './read-log.ts';

export type Feeding = Syncing | 'dates' | 'maxWaitMs' | 'notifyOnce';

export interface FeedOptions {
  readonly place: Place;
  /** Names of the resources whose changes svc prints, with their child records. An empty list means all resources. */
  readonly nouns: readonly string[];
  /** The value of `--max-units`: the most rate-limit units of one check for comparing records and finding deleted records. */
  readonly budget: number | undefined;
  /** The highest percentage of each rate limit that checks may use. The first read of a table may use more. */
  readonly rate: number | undefined;
  readonly since: string;
  readonly consumer: string | undefined;
  readonly isPositionStored: boolean;
  /** Stores the id of the last change outside the database: first the start, then the end of each batch. */
  readonly keepPosition: ((change: string) => Promise<void>) | undefined;
}

export type Feed = Awaited<ReturnType<typeof openFeed>>;

export interface DatabaseCheck extends Synced {
  /** The top-level resources of the feed (`nouns`), and the resources with a changed record or child record (`changed`). */
  readonly nouns: readonly string[];
  readonly changed: ReadonlySet<string>;
}

/** The most rate-limit units that a repeated check spends on comparing unchanged records. */
const FEW = 10;

/** Milliseconds until svc tries again to open a local database that another svc process writes to. */
const RETRY_MS = 1_000;

/**
 * Opens a feed of changes. Finds the start position before the first check if the local database exists.
 *
 * @throws UsageError for a `since` that svc cannot read or find in the log. DatabaseError for a time before the log.
 */
export async function openFeed(context: Needs<Feeding>, options: FeedOptions) {
  const { place, nouns, consumer } = options;
  const since = await readSince(context, options.since);
  const user = await ownUserIdIfKnown(context);
  let name: string | undefined;
  let position: number | undefined;
  let hasChecked = false;

  async function retrying<T>(work: () => Promise<T>, waitingFor: (error: unknown) => string | undefined): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const notice = waitingFor(error);
        if (notice === undefined) throw error;
        context.notifyOnce(notice);
        await context.clock.sleep(RETRY_MS, context.signal);
      }
    }
  }

  const patiently = <T>(work: () => Promise<T>) =>
    retrying(work, (error) =>
      isBusy(error) || (error instanceof DatabaseError && isBusy(error.cause))
        ? 'Another svc process writes to the local database. svc waits for the other process.'
        : undefined,
    );

  async function withDatabase<T>(work: (database: LocalDatabase) => Promise<T>): Promise<T> {
    const database = await patiently(() => place.open(user));
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  const begin = () =>
    withDatabase(async (database) => {
      position = await patiently(() =>
        since.kind === 'last' ? findStored(context, database, consumer) : findStart(context, database, since),
      );
      name = (await database.log()).mirror;
      await options.keepPosition?.(`${name}-${position}`);
    });
  const isWanted = (top: string) => nouns.length === 0 || nouns.some((each) => isNamed(top, each));
  let childLists: Synced['childLists'] = new Map();
  const parentsOf = (top: string) => [...childLists].flatMap(([parent, lists]) => (lists.includes(top) ? [parent] : []));
  const isAbout = (top: string) => isWanted(top) || parentsOf(top).some(isWanted);
  const tables = () => withDatabase(async (database) => [...(await database.states()).keys()]);

  let there: readonly string[] = [];
  const beginIfThere = async () => {
    there = (await findDatabase(place.name)) ? await tables() : [];
    if (there.length > 0 && position === undefined) await begin();
  };
  await beginIfThere();
  if (there.length === 0) checkStart(since);

  const checkOnce = async (only?: readonly string[], client?: ApiClient): Promise<DatabaseCheck> => {
    const before = new Set(there);
    const lacks = (each: string) => !before.has(each) && !before.has(`${each}s`);
    // After the first check, svc no longer requests a resource that the user has no permission to read.
    const isNew = !hasChecked && (there.length === 0 || nouns.some(lacks));
    const tops = there.filter((noun) => !noun.includes('.') && isWanted(noun));
    const asking = isNew || client === undefined ? context : { ...context, client: async () => client };
    const synced = await syncInto(asking, place, isNew ? nouns : [], {
      ...{ budget: options.budget, children: 'changed' as const },
      // Repeated checks follow each other quickly, so each of these checks compares few pages.
      ...(client !== undefined && { sliceUnits: FEW }),
      ...(!isNew && { only: only ?? tops, withChildLists: nouns.length > 0, rate: options.rate }),
    });
    hasChecked = true;
    childLists = synced.childLists;
    there = await tables();
    const first = synced.tables.filter(({ noun }) => !before.has(noun)).map(({ noun }) => noun);
    const named = first.length > 5 ? `${first.length} tables` : first.join(', ');
    if (first.length > 0) await context.notice(`First read, so svc prints changes from now on: ${named}`);
    if (position === undefined) await begin();
    const other = synced.tables.filter(({ noun, put, gone }) => before.has(noun) && put + gone > 0);
    return {
      ...synced,
      nouns: there.filter((noun) => !noun.includes('.') && isWanted(noun)),
      changed: new Set(other.flatMap(({ noun }) => [topOf(noun), ...parentsOf(topOf(noun))])),
    };
  };

  return {
    /**
     * Updates the local database. If another svc process updates the database, the call waits. Only the first call reads resources that
     * have no table yet.
     *
     * @param only names of tables. Default: all tables of this feed.
     * @param client sends the requests. The first read of a table always uses the client of the context. Default: the client of the
     * context.
     * @throws TakenError if another svc updates the local database for longer than `--max-wait`.
     */
    async check(only?: readonly string[], client?: ApiClient): Promise<DatabaseCheck> {
      const end = context.clock.monotonic() + (await context.maxWaitMs());
      let isRetry = false;
      const checkRepeatedly = async () => {
        if (isRetry) await beginIfThere();
        isRetry = true;
        return checkOnce(only, client);
      };
      return retrying(checkRepeatedly, (error) =>
        error instanceof TakenError && context.clock.monotonic() < end ? `${error.message} svc waits for the other svc.` : undefined,
      );
    },
    /**
     * Yields the new changes in batches, oldest first. svc stores the position of a batch when the caller requests the next batch.
     *
     * @param size most changes in a batch.
     * @throws DatabaseError if somebody removed the database and created the database again.
     */
    async *news(size: number): AsyncGenerator<readonly JsonObject[], void, undefined> {
      const database = await patiently(() => place.open(user));
      try {
        const { mirror: held } = await database.log();
        if (held !== name) throw new DatabaseError('made-anew', place.name);
        const done = async (at: number) => {
          if (at === position) return;
          if (options.isPositionStored) await patiently(() => database.keep(consumerPlace(consumer), String(at)));
          await options.keepPosition?.(`${held}-${at}`);
          position = at;
        };
        yield* readLog(database, { name: held, after: position ?? 0, size, isAbout: (noun) => isAbout(topOf(noun)) }, done);
      } finally {
        await database.close();
      }
    },
  };
}
