import { rmdir } from 'node:fs/promises';
import type { Resource } from '../../catalog/define.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { uncached } from '../../client/cached-send.ts';
import { laned } from '../../client/lanes.ts';
import { LAST_SYNC, type LocalDatabase } from '../../database/local-database.ts';
import { STORED_NAMES } from '../../database/offline/answer.ts';
import { shapeOf } from '../../database/table-shape.ts';
import { TakenError } from '../../errors.ts';
import { discover, pathOf } from '../../records/discovery.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import { openDatabaseOwner } from '../../session/cached-records.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { together } from '../../values/together.ts';
import { chooseCollections, type ExportChoice, isLeftOut, leftOut, warnUnknownExcluded, withTopLevel } from '../export/collections.ts';
import { confirmCollections } from '../export/confirm-collections.ts';
import { withDirectoryLock } from '../export/directory-lock.ts';
import { notCollectionsOf } from './not-collections.ts';
import type { Place } from './place.ts';
import { budgetOf, type Children, type Syncing, type SyncRun } from './run.ts';
import { planSlices } from './slices.ts';
import { syncTables } from './sync-tables.ts';
import type { Synced } from './synced.ts';
import { openVerification } from './verification.ts';

export interface SyncOptions {
  /**
   * The value of `--max-units`: the most rate-limit units for comparing records and finding deleted records. If undefined, {@link
   * planSlices} decides.
   */
  readonly budget: number | undefined;
  /** True to compare every id and every ETag. */
  readonly verify?: boolean;
  /** The most rate-limit units for comparing slices of tables. */
  readonly sliceUnits?: number;
  readonly children: Children;
  /** The highest percentage of each rate limit that the sync may use. Default: everything except the share for interactive commands. */
  readonly rate?: number | undefined;
  /** The names of the tables that this sync updates. svc creates no new tables. Default: every requested table. */
  readonly only?: readonly string[];
  /** True if `only` also includes the top-level lists that contain child records of its tables. */
  readonly withChildLists?: boolean;
  /**
   * For a team database: the expected content of {@link LAST_SYNC} (`last`), and its content after a complete sync (`done`).
   */
  readonly turn?: { readonly last: string | undefined; readonly done: string };
}

/**
 * Updates a local database with the service’s records, and creates a missing database.
 *
 * @throws TakenError while another svc process syncs. UsageError for an unknown or excluded resource.
 */
export async function syncInto(
  context: Needs<Syncing>,
  { name, directory, isOwn, open }: Place,
  nouns: readonly string[],
  options: SyncOptions,
): Promise<Synced> {
  context.putPeopleFirst(options.rate);
  let opened: LocalDatabase | undefined;
  const service = uncached(await context.client());
  const checked: ApiClient = {
    ...service,
    async send(request) {
      opened?.check();
      return service.send(request);
    },
  };
  const client = laned(checked, await context.parallel());
  const budget = budgetOf(client);
  const [entries, user] = await together(discover(context), ownUserIdIfKnown(context));
  const excluded = await leftOut(context);
  await warnUnknownExcluded(context, entries, excluded);
  const without = withTopLevel(entries, excluded);
  const chosen = chooseCollections(entries, nouns, without);
  const childLists = childListsOf(chosen);
  const only = options.withChildLists ? options.only?.flatMap((noun) => [noun, ...(childLists.get(noun) ?? [])]) : options.only;
  const work = async () => {
    const database = await open(user);
    opened = database;
    try {
      if (options.turn !== undefined && (await database.stored(LAST_SYNC)) !== options.turn.last)
        throw new TakenError(`Another svc has just updated ${name}.`, { hint: 'Run the same command again' });
      // A killed svc process left these files, so svc reads their records again.
      for (const name of await context.files.list(directory))
        if (name.endsWith('.ndjson')) await context.files.remove(`${directory}/${name}`);
      const others = await notCollectionsOf(database, entries, context.clock.now());
      const states = await database.states();
      const choice = await confirmCollections(context, client, chosen, {
        names: nouns,
        isKnown: ({ noun, path }) => only !== undefined || states.has(noun) || others.paths.has(path),
        hasChildren: options.children !== 'none' && only === undefined,
      });
      await others.add(choice.notCollections.slice(chosen.notCollections.length).map(({ path }) => path));
      const tops = new Set(choice.collections.map(({ noun }) => noun));
      const hasChildRecords = (noun: string) =>
        choice.nested.some(({ parent, sameAs }) => parent === noun && !tops.has(sameAs ?? '')) ||
        [...states.keys()].some((each) => each.startsWith(`${noun}.`));
      const { budget: given, verify: isAll = false, sliceUnits } = options;
      const { sliceOf, units } = planSlices(states, context.clock.now(), given, sliceUnits);
      budget.allow(units);
      const run: SyncRun = {
        context,
        client,
        database,
        budget,
        sliceOf,
        verification: isAll ? await openVerification(database, () => context.clock.now()) : undefined,
        directory,
        hasChildRecords,
        shapeOf: async (noun, key) => shapeOf(noun, await resourceOfTable(context, noun), key),
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
      await storeForOffline(database, entries, utcSeconds(context.clock.now()), done);
      if (options.turn !== undefined && done.leftOut.length === 0) await database.keep(LAST_SYNC, options.turn.done);
      return { ...done, childLists, heldBack: await database.heldBack(), units: budget.spent() };
    } finally {
      await database.close();
    }
  };
  const words = { does: `updates ${name}`, instead: 'name another database with --to' };
  // The path of the local database depends on the user. The sync can last long, so svc reads the account first.
  const owner = await context.account();
  try {
    const synced = await withDirectoryLock(directory, context.system.pid, work, words);
    if (isOwn) await (await openDatabaseOwner(context)).write({ user_id: owner?.user_id });
    return synced;
  } finally {
    // The directory stays if another svc process uses the directory, or after an unfinished first read.
    await rmdir(directory).catch(() => undefined);
  }
}

/**
 * Removes the tables of resources that `sync-exclude` names. An empty table would suggest that the service has no records.
 *
 * @param without names in the setting.
 */
async function dropLeftOut({ context, database }: Pick<SyncRun, 'context' | 'database'>, without: readonly string[]): Promise<void> {
  for (const noun of (await database.states()).keys()) {
    if (!isLeftOut(noun, without)) continue;
    await database.drop(noun);
    await context.notice(`svc removed ${noun} from the local database, because the setting sync-exclude names this resource.`);
  }
}

/** Returns the top-level lists that contain child records, by parent resource. */
function childListsOf({ nested }: Pick<ExportChoice, 'nested'>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    nested.map(({ parent }) => [parent, nested.flatMap((each) => (each.parent === parent && each.sameAs ? [each.sameAs] : []))]),
  );
}

/** Stores the list of resources for `--offline`, and the reason for each table that svc could not read. */
async function storeForOffline(
  database: LocalDatabase,
  entries: readonly JsonObject[],
  at: string,
  { leftOut }: Pick<Synced, 'leftOut'>,
): Promise<void> {
  const paths = entries.flatMap((entry) => [pathOf(entry['path']), pathOf(entry['item_path'])]);
  const nouns = [...new Set(paths.flatMap((path) => path?.split('/')[1] ?? []))];
  await database.keep(STORED_NAMES.discovery, JSON.stringify({ at, body: { data: entries, links: { next: null } }, nouns }));
  if (leftOut.length === 0) return;
  const before = JSON.parse((await database.stored(STORED_NAMES.refused)) ?? '{}') as Readonly<Record<string, string>>;
  const now = Object.fromEntries(leftOut.map(({ noun, reason }) => [noun, reason]));
  await database.keep(STORED_NAMES.refused, JSON.stringify({ ...before, ...now }));
}

/** Finds the resource of a table, such as `work-items` or `work-items.comments`. Undefined if the catalog lacks the resource. */
export async function resourceOfTable({ catalog }: Needs<'catalog'>, noun: string): Promise<Resource | undefined> {
  const [top = noun, below] = noun.split('.');
  const resource = await catalog.find(top);
  return below === undefined ? resource : resource?.nested?.find((each) => each.noun === below);
}
