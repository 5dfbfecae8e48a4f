import type { ApiClient } from '../../client/api.ts';
import { isBusy } from '../../journal/journal-error.ts';
import { findMirror } from '../../mirror/find-mirror.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import { MirrorError } from '../../mirror/mirror-error.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';
import type { Place } from '../sync/place.ts';
import type { Syncing } from '../sync/run.ts';
import { syncInto } from '../sync/sync-into.ts';
import type { Synced } from '../sync/synced.ts';
import { describeChange } from './describe-change.ts';
import { checkStart, consumerPlace, findStart, readSince } from './find-start.ts';

/** What it takes of a context to follow what changes. */
export type Feeding = Syncing | 'dates' | 'tellOnce';

export interface FeedOptions {
  /** Of the mirror, a file. */
  readonly place: Place;
  /** What is told of, and what lies below it; all tables that there are where none is named. */
  readonly nouns: readonly string[];
  /** Units that looking for what is gone may spend, at each look. */
  readonly budget: number;
  /** See {@link readSince}. */
  readonly since: string;
  readonly consumer: string | undefined;
  /** Whether it is noted how far the consumer is. */
  readonly isNoted: boolean;
}

/** What changed in a mirror, as it is found. */
export interface Feed {
  /**
   * Brings the mirror up to date. What has no table is read with the first look, and left out afterwards.
   *
   * @param only nouns of tables; default all of those that it is about.
   * @param client what asks; default the context's, as also where a table is to be read for the first time.
   */
  look(only?: readonly string[], client?: ApiClient): Promise<Looked>;
  /**
   * What was logged since the last time, at most `size` at a time, oldest first. A piece counts as done, and is noted so, once the next is
   * asked for; one that is not comes again.
   */
  news(size: number): AsyncGenerator<readonly JsonObject[], void, undefined>;
}

/** What came of a look. */
export interface Looked extends Synced {
  /** Nouns at the top that it is about, and those of them where something changed, there or below. */
  readonly nouns: readonly string[];
  readonly changed: ReadonlySet<string>;
}

/** In milliseconds, until a mirror that another svc writes into is tried again. */
const PATIENCE = 1_000;

/** Finds where to begin, before the first look of a mirror that is there. */
export async function openFeed(context: Needs<Feeding>, options: FeedOptions): Promise<Feed> {
  const { place, nouns, consumer } = options;
  const since = await readSince(context, options.since);
  const user = await ownUserIdIfKnown(context);
  let name: string | undefined;
  let position: number | undefined;
  let hasLooked = false;

  /** Another svc may be writing, for as long as it reads. */
  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) && !(error instanceof MirrorError && isBusy(error.cause))) throw error;
        context.tellOnce('Another svc writes into the copy; svc waits for it.');
        await context.clock.sleep(PATIENCE, context.signal);
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
  const isAbout = (top: string) => nouns.length === 0 || nouns.some((each) => top === each || top === `${each}s`);
  const tables = () => withMirror(async (mirror) => [...(await mirror.states()).keys()]);

  const isThere = await findMirror(place.name);
  let there = isThere ? await tables() : [];
  if (there.length > 0) await begin();
  else checkStart(since);

  return {
    async look(only, client) {
      const before = new Set(there);
      const lacks = (each: string) => !before.has(each) && !before.has(`${each}s`);
      // What one may not read is not asked for again and again.
      const isNew = !hasLooked && (there.length === 0 || nouns.some(lacks));
      const tops = there.filter((noun) => !noun.includes('.') && isAbout(noun));
      const asking = isNew || client === undefined ? context : { ...context, client: async () => client };
      const synced = await syncInto(asking, place, isNew ? nouns : [], {
        ...{ budget: options.budget, nested: false },
        ...(!isNew && { only: only ?? tops }),
      });
      hasLooked = true;
      there = await tables();
      const first = synced.tables.filter(({ noun }) => !before.has(noun)).map(({ noun }) => noun);
      if (first.length > 0) await context.notice(`Read for the first time, so that changes are told from now on: ${listed(first)}`);
      if (position === undefined) await begin();
      const other = synced.tables.filter(({ noun, put, gone }) => before.has(noun) && put + gone > 0);
      return {
        ...synced,
        nouns: there.filter((noun) => !noun.includes('.') && isAbout(noun)),
        changed: new Set(other.map(({ noun }) => topOf(noun))),
      };
    },
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
