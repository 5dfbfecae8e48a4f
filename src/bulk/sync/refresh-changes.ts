import { countPage, type Page, pages, readPage } from '../../client/pages.ts';
import { NotFoundError, RefusedError } from '../../errors.ts';
import type { Applied, KnownBy, TableState } from '../../mirror/mirror.ts';
import { idOf } from '../../mirror/record-id.ts';
import { readRecord } from '../../records/read-record.ts';
import type { JsonObject } from '../../values/json.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { earlier } from '../export/earlier.ts';
import { wholeQuery } from '../export/run.ts';
import { type Differences, findByPlace, findByWalk } from './find-differences.ts';
import { momentOf, type SyncRun } from './run.ts';

/**
 * Brings a long table up to date: the records that changed, by `updated_at`, and what is gone or may be seen again, as far as the number of
 * rows gives it away and the budget reaches.
 *
 * What changed lately must be in the answer, so what is not is gone. Of the rest, made before, there are as many as before unless
 * something is gone: they are counted, and looked for only where the number is another.
 *
 * @returns undefined where the service does not filter by `updated_at`: then it is read whole or not at all.
 */
export async function refreshByChanges(run: SyncRun, state: TableState): Promise<Applied | undefined> {
  const { client, mirror, context, shapeOf } = run;
  const { noun, path } = state;
  const { signal } = context;
  const since = earlier(state.as_of);
  const filter = ['filter[updated_at][gte]', since] as const;
  let first: Page;
  try {
    first = readPage(client, path, await client.send({ method: 'GET', path, query: [filter, ['per_page', '1']], signal }));
  } catch (error) {
    if (error instanceof RefusedError && error.details.status === 400) return undefined;
    throw error;
  }
  const asOf = momentOf(first.response.headers, context.clock.now());
  const [probe] = first.rows;
  // One that is older than what was asked for: the filter was taken, and passed over.
  const stamp = probe?.['updated_at'];
  if (probe !== undefined && (typeof stamp !== 'string' || stamp < since)) return undefined;
  const lately = new Set(await mirror.idsSince(noun, since));
  async function* changed(): AsyncGenerator<JsonObject> {
    if (probe === undefined) return;
    for await (const { rows } of pages(client, { method: 'GET', path, query: [...wholeQuery({ view: 'detail' }), filter], signal })) {
      for (const row of rows) {
        lately.delete(idOf(row) ?? -1);
        yield row;
      }
    }
  }
  const shape = await shapeOf(noun);
  const changes = await mirror.update(shape, changed(), lately, { path, as_of: asOf, whole_at: state.whole_at, known_by: 'changes' });
  const found = await findGone(run, state, since);
  if (found === undefined) return changes;
  const missing = await readMissing(run, path, found.missing);
  const wholeAt = found.at === undefined ? asOf : utcSeconds(Date.parse(found.at));
  const change = { path, as_of: asOf, whole_at: wholeAt, known_by: found.knownBy };
  const mended = await mirror.update(shape, missing, found.gone, change);
  return { put: [...changes.put, ...mended.put], gone: [...changes.gone, ...mended.gone] };
}

/** What is gone, and how it is known that nothing else is; undefined where that is not known. */
async function findGone(
  run: SyncRun,
  { noun, path }: TableState,
  since: string,
): Promise<(Differences & { readonly knownBy: KnownBy }) | undefined> {
  const counted = await countMadeBefore(run, path, since);
  if (counted !== undefined && counted.total === (await run.mirror.countMade(noun, since)))
    return { gone: [], missing: [], at: counted.at, knownBy: 'counts' };
  const byPlace = counted?.isPaged === false ? undefined : await findByPlace(run, noun, path);
  if (byPlace !== undefined) return { ...byPlace, knownBy: 'counts' };
  const byWalk = await findByWalk(run, noun, path);
  return byWalk && { ...byWalk, knownBy: 'read' };
}

interface Counted {
  readonly total: number;
  readonly at: string | undefined;
  /** It takes page numbers. */
  readonly isPaged: boolean;
}

/** How many rows were made before a moment; undefined where the service will not say. That it filters by this is an assumption (rule 18.27). */
async function countMadeBefore({ client, context }: SyncRun, path: string, moment: string): Promise<Counted | undefined> {
  const { signal } = context;
  const filter = [['filter[created_at][lt]', moment]] as const;
  try {
    const first = readPage(client, path, await client.send({ method: 'GET', path, query: [...filter, ['per_page', '1']], signal }));
    const isPaged = first.total !== undefined;
    const { total, response } = isPaged ? first : await countPage(client, path, filter, signal);
    return total === undefined ? undefined : { total, at: response.headers['date'], isPaged };
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

/** Records that the mirror lacks though they did not change: rights that came back, or a clock that went wrong. */
async function readMissing({ client, context }: SyncRun, path: string, ids: readonly number[]): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const id of ids) {
    try {
      found.push(readRecord(await client.send({ method: 'GET', path: `${path}/${id}`, signal: context.signal })));
    } catch (error) {
      // Gone between the two looks.
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  return found;
}
