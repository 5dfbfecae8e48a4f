import { rmdir } from 'node:fs/promises';
import { uncached } from '../../client/cached-send.ts';
import { laned } from '../../client/lanes.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import { KEPT } from '../../mirror/offline/answer.ts';
import { shapeOf } from '../../mirror/table-shape.ts';
import { discover, pathOf } from '../../records/discovery.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import type { Needs } from '../../session/context.ts';
import { openKeptOwner } from '../../session/kept-records.ts';
import type { JsonObject } from '../../values/json.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { together } from '../../values/together.ts';
import { chooseCollections, type ExportChoice, leftOut, tellUnknownLeftOut, withTopLevel } from '../export/collections.ts';
import { confirmCollections } from '../export/confirm-collections.ts';
import { withDirectoryLock } from '../export/directory-lock.ts';
import { dropLeftOut } from './drop-left-out.ts';
import { notCollectionsOf } from './not-collections.ts';
import type { Place } from './place.ts';
import { budgetOf, type Children, type Syncing, type SyncRun } from './run.ts';
import { planSlices } from './slices.ts';
import { syncTables } from './sync-tables.ts';
import type { Synced } from './synced.ts';

/** How a sync is made. */
export interface SyncOptions {
  /** `--max-units`; undefined: as {@link planSlices} plans. */
  readonly budget: number | undefined;
  /** Compare every id and every ETag. */
  readonly verify?: boolean;
  /** Rate-limit units for comparing slices, at most. */
  readonly sliceUnits?: number;
  readonly children: Children;
  /** The most percent of each rate limit that it may use. Default: everything but the part for people. */
  readonly rate?: number | undefined;
  /** Names of tables to check alone; a resource without a table stays out. Default: every requested table. */
  readonly only?: readonly string[];
  /** Whether `only` includes the top-level lists with the child records of its tables. */
  readonly withChildLists?: boolean;
}

/** Updates a local database. */
export async function syncInto(
  context: Needs<Syncing>,
  { name, directory, isOwn, open }: Place,
  nouns: readonly string[],
  options: SyncOptions,
): Promise<Synced> {
  context.putPeopleFirst(options.rate);
  const client = laned(uncached(await context.client()), await context.parallel());
  const budget = budgetOf(client);
  const [entries, user] = await together(discover(context), ownUserIdIfKnown(context));
  const excluded = await leftOut(context);
  await tellUnknownLeftOut(context, entries, excluded);
  const without = withTopLevel(entries, excluded);
  const chosen = chooseCollections(entries, nouns, without);
  const childLists = childListsOf(chosen);
  const only = options.withChildLists ? options.only?.flatMap((noun) => [noun, ...(childLists.get(noun) ?? [])]) : options.only;
  const work = async () => {
    const mirror = await open(user);
    try {
      // The records that a killed svc had gathered are gathered again.
      for (const name of await context.files.list(directory))
        if (name.endsWith('.ndjson')) await context.files.remove(`${directory}/${name}`);
      const others = await notCollectionsOf(mirror, entries, context.clock.now());
      const states = await mirror.states();
      const choice = await confirmCollections(context, client, chosen, {
        names: nouns,
        isKnown: ({ noun, path }) => only !== undefined || states.has(noun) || others.paths.has(path),
        hasChildren: options.children !== 'none' && only === undefined,
      });
      await others.add(choice.notCollections.slice(chosen.notCollections.length).map(({ path }) => path));
      const tops = new Set(choice.collections.map(({ noun }) => noun));
      const hasBelow = (noun: string) =>
        choice.nested.some(({ parent, sameAs }) => parent === noun && !tops.has(sameAs ?? '')) ||
        [...states.keys()].some((each) => each.startsWith(`${noun}.`));
      const { budget: given, verify: isAll = false, sliceUnits: atMost } = options;
      const { slices, units } = planSlices(states, { now: context.clock.now(), given, isAll, atMost });
      budget.allow(units);
      const run: SyncRun = {
        context,
        client,
        mirror,
        budget,
        slices,
        directory,
        hasBelow,
        shapeOf: (noun, key) => shapeIn(context, noun, key),
      };
      await dropLeftOut(run, without);
      const done = await syncTables(run, {
        choice,
        user,
        others,
        isAll: nouns.length === 0,
        children: isAll ? 'all' : options.children,
        only,
      });
      if (isOwn) await keepForOffline(mirror, entries, utcSeconds(context.clock.now()), done);
      return { ...done, childLists, heldBack: await mirror.heldBack(), units: budget.spent() };
    } finally {
      await mirror.close();
    }
  };
  const words = { does: `brings ${name} up to date`, instead: 'name another place with --to' };
  // By who is signed in before anything is asked, as the copy's place is.
  const owner = await context.account();
  try {
    const synced = await withDirectoryLock(directory, context.system.pid, work, words);
    if (isOwn) await (await openKeptOwner(context)).write({ user_id: owner?.user_id });
    return synced;
  } finally {
    // Unless another svc, or what is not read to its end, is in there.
    await rmdir(directory).catch(() => undefined);
  }
}

/** The top-level lists with child records, by the resource of the parents. */
function childListsOf({ nested }: Pick<ExportChoice, 'nested'>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    nested.map(({ parent }) => [parent, nested.flatMap((each) => (each.parent === parent && each.sameAs ? [each.sameAs] : []))]),
  );
}

/** Keeps beside the tables what `--offline` answers without one: the list of resources, and why a table could not be read. */
async function keepForOffline(
  mirror: Mirror,
  entries: readonly JsonObject[],
  at: string,
  { leftOut }: Pick<Synced, 'leftOut'>,
): Promise<void> {
  const paths = entries.flatMap((entry) => [pathOf(entry['path']), pathOf(entry['item_path'])]);
  const nouns = [...new Set(paths.flatMap((path) => path?.split('/')[1] ?? []))];
  await mirror.keep(KEPT.discovery, JSON.stringify({ at, body: { data: entries, links: { next: null } }, nouns }));
  if (leftOut.length === 0) return;
  const before = JSON.parse((await mirror.kept(KEPT.refused)) ?? '{}') as Readonly<Record<string, string>>;
  const now = Object.fromEntries(leftOut.map(({ noun, reason }) => [noun, reason]));
  await mirror.keep(KEPT.refused, JSON.stringify({ ...before, ...now }));
}

async function shapeIn({ catalog }: Needs<'catalog'>, noun: string, key: string | undefined) {
  const [top = noun, below] = noun.split('.');
  const resource = await catalog.find(top);
  return shapeOf(noun, below === undefined ? resource : resource?.nested?.find((each) => each.noun === below), key);
}
