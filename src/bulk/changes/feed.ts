import type { ApiClient } from '../../client/api.ts';
import { isBusy } from '../../journal/journal-error.ts';
import { findMirror } from '../../mirror/find-mirror.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import { MirrorError } from '../../mirror/mirror-error.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';
import { TakenError } from '../export/directory-lock.ts';
import type { Place } from '../sync/place.ts';
import type { Syncing } from '../sync/run.ts';
import { syncInto } from '../sync/sync-into.ts';
import type { Synced } from '../sync/synced.ts';
import { describeChange } from './describe-change.ts';
import { checkStart, consumerPlace, findStart, readSince } from './find-start.ts';

/** The parts of a context that following changes needs. */
export type Feeding = Syncing | 'dates' | 'maxWaitMs' | 'tellOnce';

export interface FeedOptions {
  /** The place of the local database, a file. */
  readonly place: Place;
  /** Resources whose changes svc prints, with their child records. Empty: all tables. */
  readonly nouns: readonly string[];
  /** `--max-units`, for each look. */
  readonly budget: number | undefined;
  /** The most percent of each rate limit that looks may use; the first read of a table may use more. Default: all but the part for people. */
  readonly rate: number | undefined;
  /** See {@link readSince}. */
  readonly since: string;
  readonly consumer: string | undefined;
  /** Whether svc stores the position of the consumer. */
  readonly isNoted: boolean;
}

/** The changes of a local database, in the order in which svc finds them. */
export interface Feed {
  /**
   * Updates the local database, and waits for another svc that does so. The first call also reads resources without a table; later calls leave them out.
   *
   * @param only Names of tables. Default: all tables of this feed.
   * @param client Sends the requests. Default, and for the first read of a table: the client of the context.
   */
  look(only?: readonly string[], client?: ApiClient): Promise<Looked>;
  /**
   * Yields the changes since the last position, oldest first, at most `size` at a time. svc stores the position after a piece when the
   * caller asks for the next one. A piece without that comes again.
   */
  news(size: number): AsyncGenerator<readonly JsonObject[], void, undefined>;
}

/** The result of a check. */
export interface Looked extends Synced {
  /** Top-level resources of the feed; `changed` has those with a changed record or child record. */
  readonly nouns: readonly string[];
  readonly changed: ReadonlySet<string>;
}

/** Rate-limit units that each of several checks spends on comparing records that did not change. */
const FEW = 10;

/** Milliseconds until svc tries again to open a local database that another svc writes into. */
const FIRST_REFUSALS = 1_000;

/** Opens a feed. For a local database that exists, it finds the start before the first check. */
export async function openFeed(context: Needs<Feeding>, options: FeedOptions): Promise<Feed> {
  const { place, nouns, consumer } = options;
  const since = await readSince(context, options.since);
  const user = await ownUserIdIfKnown(context);
  let name: string | undefined;
  let position: number | undefined;
  let hasLooked = false;

  /** Waits while another svc writes. */
  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) && !(error instanceof MirrorError && isBusy(error.cause))) throw error;
        context.tellOnce('Another svc writes into the copy; svc waits for it.');
        await context.clock.sleep(FIRST_REFUSALS, context.signal);
      }
    }
  }

  async function withMirror<T>(work: (mirror: Mirror) => Promise<T>): Promise<T> {
    const mirror = await patiently(() => place.open(user));
    try {
      return await work(mirror);
    } finally {
      await mirror.close();
    }
  }

  const begin = () =>
    withMirror(async (mirror) => {
      position = await patiently(() => findStart(context, mirror, since, consumer));
      name = (await mirror.log()).mirror;
    });
  const isNamed = (top: string) => nouns.length === 0 || nouns.some((each) => top === each || top === `${each}s`);
  let childLists: Synced['childLists'] = new Map();
  const parentsOf = (top: string) => [...childLists].flatMap(([parent, lists]) => (lists.includes(top) ? [parent] : []));
  const isAbout = (top: string) => isNamed(top) || parentsOf(top).some(isNamed);
  const tables = () => withMirror(async (mirror) => [...(await mirror.states()).keys()]);

  let there: readonly string[] = [];
  const beginIfThere = async () => {
    there = (await findMirror(place.name)) ? await tables() : [];
    if (there.length > 0 && position === undefined) await begin();
  };
  await beginIfThere();
  if (there.length === 0) checkStart(since);

  /** Waits while another svc updates the local database, perhaps for the first time. @throws TakenError after `--max-wait`. */
  async function untilFree<T>(work: () => Promise<T>): Promise<T> {
    const end = context.clock.monotonic() + (await context.maxWaitMs());
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof TakenError) || context.clock.monotonic() >= end) throw error;
        context.tellOnce(`${error.message} svc waits for it.`);
        await context.clock.sleep(FIRST_REFUSALS, context.signal);
        await beginIfThere();
      }
    }
  }

  const lookOnce = async (only?: readonly string[], client?: ApiClient): Promise<Looked> => {
    const before = new Set(there);
    const lacks = (each: string) => !before.has(each) && !before.has(`${each}s`);
    // svc does not request again and again a resource that the user has no permission to read.
    const isNew = !hasLooked && (there.length === 0 || nouns.some(lacks));
    const tops = there.filter((noun) => !noun.includes('.') && isNamed(noun));
    const asking = isNew || client === undefined ? context : { ...context, client: async () => client };
    const synced = await syncInto(asking, place, isNew ? nouns : [], {
      ...{ budget: options.budget, children: 'changed' as const },
      // Checks that follow one another compare about a page of each table.
      ...(client !== undefined && { sliceUnits: FEW }),
      ...(!isNew && { only: only ?? tops, withChildLists: nouns.length > 0, rate: options.rate }),
    });
    hasLooked = true;
    childLists = synced.childLists;
    there = await tables();
    const first = synced.tables.filter(({ noun }) => !before.has(noun)).map(({ noun }) => noun);
    if (first.length > 0) await context.notice(`Read for the first time, so that changes are told from now on: ${listed(first)}`);
    if (position === undefined) await begin();
    const other = synced.tables.filter(({ noun, put, gone }) => before.has(noun) && put + gone > 0);
    return {
      ...synced,
      nouns: there.filter((noun) => !noun.includes('.') && isNamed(noun)),
      changed: new Set(other.flatMap(({ noun }) => [topOf(noun), ...parentsOf(topOf(noun))])),
    };
  };

  return {
    look: (only, client) => untilFree(() => lookOnce(only, client)),
    async *news(size) {
      const mirror = await patiently(() => place.open(user));
      try {
        const { mirror: held } = await mirror.log();
        if (held !== name) throw new MirrorError('made-anew', place.name);
        const done = async (at: number) => {
          if (options.isNoted && at !== position) await patiently(() => mirror.keep(consumerPlace(consumer), String(at)));
          position = at;
        };
        let piece: JsonObject[] = [];
        let last = position ?? 0;
        for await (const change of mirror.changes(last)) {
          last = change.position;
          if (isAbout(topOf(change.noun))) piece.push(describeChange(change, held));
          if (piece.length < size) continue;
          yield piece;
          await done(last);
          piece = [];
        }
        if (piece.length > 0) yield piece;
        await done(last);
      } finally {
        await mirror.close();
      }
    },
  };
}

/** Names, or how many there are. */
function listed(names: readonly string[]): string {
  return names.length > 5 ? `${names.length} tables` : names.join(', ');
}

/** `work-items` of `work-items.comments`. */
function topOf(noun: string): string {
  return noun.split('.')[0] ?? noun;
}
