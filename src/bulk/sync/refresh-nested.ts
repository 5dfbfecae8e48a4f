import { pages } from '../../client/pages.ts';
import { ForbiddenError, NotFoundError } from '../../errors.ts';
import type { Applied, TableState } from '../../mirror/mirror.ts';
import { idOf } from '../../mirror/record-id.ts';
import type { JsonObject } from '../../values/json.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import type { NestedCollection } from '../export/collections.ts';
import { pathBelow } from '../export/read-nested.ts';
import { wholeQuery } from '../export/run.ts';
import { inOrder } from '../import/in-order.ts';
import { momentOf, type SyncRun } from './run.ts';

/** What one parent has below it; undefined where it would not say. */
interface Below {
  readonly parent: number;
  readonly records: readonly JsonObject[] | undefined;
  readonly at: string | undefined;
}

/**
 * Reads again what lies below some records, and takes out what lay below records that are gone. The service does not say that a record
 * changes when something below it does, so of the others it is known as of the last time that they were asked.
 */
export async function refreshBelow(
  run: SyncRun,
  state: TableState,
  collection: NestedCollection,
  { ask, gone, isAll }: { readonly ask: readonly number[]; readonly gone: readonly number[]; readonly isAll: boolean },
): Promise<Applied> {
  const { client, context, mirror, shapeOf } = run;
  const { noun, path } = state;
  const { key } = collection;
  const answers: Below[] = [];
  for await (const answer of inOrder(ask, client.max, (parent) => askBelow(run, collection, parent))) answers.push(answer);
  const told = answers.flatMap(({ parent, records }) => (records === undefined ? [] : [{ parent, records }]));
  const asked = new Set([...told.map(({ parent }) => parent), ...gone]);
  const there = new Set(told.flatMap(({ records }) => records.flatMap((record) => idOf(record) ?? [])));
  const taken: number[] = [];
  for (const parent of asked) taken.push(...(await mirror.idsWhere(noun, key, parent)).filter((id) => !there.has(id)));
  const first = answers[0]?.at;
  const change = {
    path,
    as_of: isAll ? (first ?? state.as_of) : state.as_of,
    whole_at: isAll && told.length === ask.length ? (first ?? state.whole_at) : state.whole_at,
    known_by: isAll ? ('read' as const) : state.known_by,
    seen_at: first ?? utcSeconds(context.clock.now()),
  };
  const put = told.flatMap(({ records }) => records);
  return mirror.update(await shapeOf(noun, key), put, taken, change);
}

async function askBelow({ client, context }: SyncRun, collection: NestedCollection, parent: number): Promise<Below> {
  const { key } = collection;
  const records: JsonObject[] = [];
  let at: string | undefined;
  const path = pathBelow(collection, { id: parent, isEmpty: false });
  try {
    for await (const page of pages(client, { method: 'GET', path, query: wholeQuery({ view: 'detail' }), signal: context.signal })) {
      at ??= momentOf(page.response.headers, context.clock.now());
      for (const record of page.rows) records.push(record[key] === undefined ? { ...record, [key]: parent } : record);
    }
    return { parent, records, at };
  } catch (error) {
    if (error instanceof NotFoundError) return { parent, records: [], at };
    if (error instanceof ForbiddenError) return { parent, records: undefined, at };
    throw error;
  }
}
