import { rmdir } from 'node:fs/promises';
import { uncached } from '../../client/cached-send.ts';
import { laned } from '../../client/lanes.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import { KEPT } from '../../mirror/offline/answer.ts';
import { shapeOf } from '../../mirror/table-shape.ts';
import { discover } from '../../records/discovery.ts';
import { pathOf } from '../../records/discovery-entry.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import type { Needs } from '../../session/context.ts';
import { openKeptOwner } from '../../session/kept-owner.ts';
import type { JsonObject } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { chooseCollections, tellUnknownLeftOut } from '../export/collections.ts';
import { withDirectoryLock } from '../export/directory-lock.ts';
import { leftOut } from '../left-out.ts';
import { dropLeftOut } from './drop-left-out.ts';
import { notCollectionsOf } from './not-collections.ts';
import type { Place } from './place.ts';
import { budgetOf, type Syncing, type SyncRun } from './run.ts';
import { syncTables } from './sync-tables.ts';
import type { Synced } from './synced.ts';

/** How a sync is made. */
export interface SyncOptions {
  /** Units that looking for what is gone may spend. */
  readonly budget: number;
  /** Ask every record for what lies below it. */
  readonly nested: boolean;
  /** Nouns of tables that there are, to look at alone; what has no table yet stays out. Default: all that was asked for. */
  readonly only?: readonly string[];
}

/** Brings a mirror up to date. */
export async function syncInto(
  context: Needs<Syncing>,
  { name, directory, isOwn, open }: Place,
  nouns: readonly string[],
  options: SyncOptions,
): Promise<Synced> {
  const client = laned(uncached(await context.client()), await context.parallel());
  const budget = budgetOf(client, options.budget);
  const [entries, user] = await together(discover(context), ownUserIdIfKnown(context));
  const without = await leftOut(context);
  await tellUnknownLeftOut(context, entries, without);
  const choice = chooseCollections(entries, nouns, without);
  const work = async () => {
    const mirror = await open(user);
    try {
      // What an svc that was killed had gathered is gathered anew.
      for (const name of await context.files.list(directory))
        if (name.endsWith('.ndjson')) await context.files.remove(`${directory}/${name}`);
      const hasBelow = (noun: string) => choice.nested.some(({ parent }) => parent === noun);
      const run: SyncRun = { context, client, mirror, budget, directory, hasBelow, shapeOf: (noun, key) => shapeIn(context, noun, key) };
      await dropLeftOut(run, without);
      const others = await notCollectionsOf(mirror, entries, context.clock.now());
      const done = await syncTables(run, { choice, user, others, isAll: nouns.length === 0, nested: options.nested, only: options.only });
      if (isOwn) await keepForOffline(mirror, entries, utcSeconds(context.clock.now()), done);
      return { ...done, staleViews: await mirror.staleViews(), units: budget.spent() };
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
