import type { Applied, TableState } from '../../mirror/mirror.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import type { NestedCollection } from '../export/collections.ts';
import { wholeQuery } from '../export/run.ts';
import { inOrder } from '../import/in-order.ts';
import { PATIENCE, readBelow } from '../read-below.ts';
import { isHidden } from './is-hidden.ts';
import { addChanged } from './look-at-pages.ts';
import { putInPlace } from './put-in-place.ts';
import { answerMoment, type SyncRun } from './run.ts';
import { spoolAt } from './spool.ts';

/** What came of asking records for what lies below them. */
export interface RefreshedBelow extends Applied {
  /** Those that would not say: what was below them stays as it is. */
  readonly refused: readonly number[];
}

/**
 * Reads again what lies below some records, and takes out what lay below records that are gone. The service does not say that a record
 * changes when something below it does, so of the others it is known as of the last time that they were asked.
 *
 * @param state undefined: nobody was asked before.
 */
export async function refreshBelow(
  run: SyncRun,
  state: TableState | undefined,
  collection: NestedCollection,
  { ask, gone, isAll }: { readonly ask: readonly number[]; readonly gone: readonly number[]; readonly isAll: boolean },
): Promise<RefreshedBelow> {
  const { client, context, mirror, shapeOf, directory } = run;
  const { noun, path, key } = collection;
  const spool = spoolAt(context.files, `${directory}/${noun}.ndjson`);
  const there = new Set<number>();
  const told: number[] = [];
  const refused: number[] = [];
  let first: string | undefined;
  const how = { query: wholeQuery({ view: 'detail' }), signal: context.signal };
  const askOne = async (parent: number) => ({ ...(await readBelow(client, collection, parent, how)), parent });
  for await (const { parent, records, headers, error } of inOrder(ask, client.max, askOne)) {
    if (headers !== undefined) first ??= answerMoment(headers, context.clock.now());
    if (error !== undefined && !isHidden(error)) {
      refused.push(parent);
      if (told.length === 0 && refused.length === PATIENCE) throw error;
      continue;
    }
    told.push(parent);
    for (const id of await addChanged(run, noun, records, spool)) there.add(id);
  }
  const below = async (parents: Iterable<number>) => {
    const held: number[] = [];
    for (const parent of parents) held.push(...(await mirror.idsWhere(noun, key, parent)));
    return held;
  };
  const stay = new Set(isAll ? await below(refused) : []);
  const open = isAll ? await mirror.ids(noun) : await below(new Set([...told, ...gone]));
  const taken = open.filter((id) => !there.has(id) && !stay.has(id));
  const now = first ?? utcSeconds(context.clock.now());
  const before = state ?? { as_of: now, whole_at: now, known_by: 'read' as const };
  const change = {
    path,
    as_of: isAll ? now : before.as_of,
    whole_at: isAll && refused.length === 0 ? now : before.whole_at,
    known_by: isAll ? ('read' as const) : before.known_by,
    seen_at: now,
  };
  return { ...(await putInPlace(run, await shapeOf(noun, key), { spool, gone: taken, change })), refused };
}
