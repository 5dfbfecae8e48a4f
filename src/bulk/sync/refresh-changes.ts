import { countPage, pages, readPage } from '../../client/pages.ts';
import { NotFoundError, RefusedError } from '../../errors.ts';
import type { Applied, KnownBy, TableState } from '../../mirror/mirror.ts';
import { readRecord } from '../../records/read-record.ts';
import type { JsonObject } from '../../values/json.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { type Differences, findByPlace, findByWalk } from './find-differences.ts';
import { momentOf, PER_PAGE, type SyncRun } from './run.ts';

/**
 * So much earlier than the last look changes are asked for: the clock that stamps records may not be the one that answers (rule
 * 18.35), and what is still being written then shows later. What comes twice is put over itself.
 */
const OVERLAP_MS = 5 * 60_000;

/** A record made so close to a count may or may not be in it, in milliseconds. */
const CLOCKS_DIFFER_MS = 5_000;

/** A long table in the view that asks least: what changed since, and whether anything is gone. */
const WHOLE = [
  ['sort', 'id'],
  ['per_page', String(PER_PAGE)],
  ['view', 'detail'],
] as const;

/**
 * Brings a long table up to date: the records that changed, by `updated_at`, and what is gone or may be seen again, as far as the number of
 * rows gives it away and the budget reaches.
 *
 * @returns undefined where the service does not filter by `updated_at`: then it is read whole or not at all.
 */
export async function refreshByChanges(run: SyncRun, state: TableState): Promise<Applied | undefined> {
  const { client, mirror, context, shapeOf } = run;
  const { noun, path } = state;
  const { signal } = context;
  const since = ['filter[updated_at][gte]', utcSeconds(Date.parse(state.as_of) - OVERLAP_MS)] as const;
  const counted = await count(run, path);
  let probe: JsonObject | undefined;
  let asOf: string;
  try {
    const response = await client.send({ method: 'GET', path, query: [since, ['per_page', '1']], signal });
    [probe] = readPage(client, path, response).rows;
    asOf = momentOf(response.headers, context.clock.now());
  } catch (error) {
    if (error instanceof RefusedError && error.details.status === 400) return undefined;
    throw error;
  }
  // One that is older than what was asked for: the filter was taken, and passed over.
  const stamp = probe?.['updated_at'];
  if (typeof stamp === 'string' && stamp < since[1]) return undefined;
  const shape = await shapeOf(noun);
  async function* changed(): AsyncGenerator<JsonObject> {
    if (probe === undefined) return;
    for await (const { rows } of pages(client, { method: 'GET', path, query: [...WHOLE, since], signal })) yield* rows;
  }
  const changes = await mirror.update(shape, changed(), [], { path, as_of: asOf, whole_at: state.whole_at, known_by: 'changes' });
  const { differences, knownBy } = await findGone(run, state, counted);
  const found = differences === undefined ? [] : await readMissing(run, path, differences.missing);
  const gone = differences?.gone ?? [];
  const wholeAt = knownBy === 'changes' ? state.whole_at : (momentOfFirst(differences, counted) ?? state.whole_at);
  const mended = await mirror.update(shape, found, gone, { path, as_of: asOf, whole_at: wholeAt, known_by: knownBy });
  return { put: [...changes.put, ...mended.put], gone: mended.gone };
}

interface Counted {
  readonly total: number;
  readonly at: string;
  /** It takes page numbers. */
  readonly isPaged: boolean;
}

/** How many rows there are; undefined where the service will not say. */
async function count({ client, context }: SyncRun, path: string): Promise<Counted | undefined> {
  const { signal } = context;
  const now = context.clock.now();
  try {
    const first = readPage(client, path, await client.send({ method: 'GET', path, query: [['per_page', '1']], signal }));
    if (first.total !== undefined) return { total: first.total, at: momentOf(first.response.headers, now), isPaged: true };
    const { total, response } = await countPage(client, path, [], signal);
    return total === undefined ? undefined : { total, at: momentOf(response.headers, now), isPaged: false };
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

/** What is gone, and how it is known that nothing else is. */
async function findGone(
  run: SyncRun,
  { noun, path }: TableState,
  counted: Counted | undefined,
): Promise<{ readonly differences: Differences | undefined; readonly knownBy: KnownBy }> {
  if (counted === undefined) {
    const differences = await findByWalk(run, noun, path);
    return { differences, knownBy: differences === undefined ? 'changes' : 'read' };
  }
  if (await isAsCounted(run, noun, counted)) return { differences: undefined, knownBy: 'counts' };
  const byPlace = counted.isPaged ? await findByPlace(run, noun, path, counted.total) : undefined;
  const differences = byPlace ?? (await findByWalk(run, noun, path));
  return { differences, knownBy: differences === undefined ? 'changes' : byPlace === undefined ? 'read' : 'counts' };
}

/** Whether the mirror has as many rows as there were then; what came since is none of them. */
async function isAsCounted({ mirror }: SyncRun, noun: string, { total, at }: Counted): Promise<boolean> {
  const near = (ms: number) => utcSeconds(Date.parse(at) + ms);
  const { before, between } = await mirror.countMade(noun, near(-CLOCKS_DIFFER_MS), near(CLOCKS_DIFFER_MS));
  return between === 0 && before === total;
}

function momentOfFirst(differences: Differences | undefined, counted: Counted | undefined): string | undefined {
  const date = differences?.from?.response.headers['date'];
  return date === undefined ? counted?.at : utcSeconds(Date.parse(date));
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
