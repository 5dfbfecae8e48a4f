import type { ApiClient } from '../../client/api-client.ts';
import { requestCost } from '../../client/cost.ts';
import type { SeenBucket } from '../../client/pace.ts';
import { countPage, type Page } from '../../client/pages.ts';
import { bulkLimits } from '../../client/rate-book.ts';
import { SvcError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { describeSeconds, secondsFor } from '../../session/progress.ts';
import { counted } from '../../values/text.ts';
import { inOrder } from '../in-order.ts';
import type { ChildCollection, Collection } from './collections.ts';
import { dataFile } from './manifest.ts';
import { pagesOf, type Run, wholeQuery } from './run.ts';

/** The longest estimate, in seconds, for which svc prints no duration. */
const SHORT = 60;

const MOST_NAMED = 12;

export interface CostPart {
  readonly noun: string;
  readonly rows: number | undefined;
  readonly units: number;
  /** True if `units` is an upper bound. */
  readonly isBound: boolean;
}

/**
 * Prints the estimated cost of an export, except with `--quiet`. A count costs one rate-limit unit, or four if the service counts only on
 * request.
 *
 * @param always true to print the cost even if the export takes less than a minute.
 */
export async function printEstimate(
  run: Run,
  collections: readonly Collection[],
  nested: readonly ChildCollection[],
  always: boolean,
): Promise<void> {
  const { context, client, state, work } = run;
  if (context.globals.quiet) return;
  const page = requestCost({ method: 'GET', query: wholeQuery(run) });
  const isDone = (noun: string) => state.collections.some((done) => done.noun === noun);
  const readBefore = (noun: string) => state.under_way.reduce((sum, each) => sum + (each.noun === noun ? each.rows : 0), 0);
  const open = collections.filter(({ noun }) => !isDone(noun));
  const totals = new Map(state.collections.map(({ noun, rows }) => [noun, rows]));
  for await (const [noun, first] of inOrder(open, run.parallel, async ({ noun, path }) => [noun, await countAt(client, path)] as const)) {
    if (first?.total === undefined) continue;
    totals.set(noun, first.total);
    run.counts.set(noun, { total: first.total, at: Date.parse(first.response.headers['date'] ?? '') });
  }
  const tops = open.flatMap(({ noun }): CostPart[] => {
    const rows = totals.get(noun);
    const left = rows === undefined ? undefined : Math.max(0, rows - readBefore(noun));
    work.expect(noun, { rows, units: left === undefined ? undefined : pagesOf(left) * page });
    return left === undefined ? [] : [{ noun, rows, units: pagesOf(left) * page, isBound: false }];
  });
  for (const { noun, rows } of state.collections) {
    work.expect(noun, { rows, units: 0 });
    work.setRows(dataFile(noun), rows);
  }
  const children = nested.flatMap(({ noun, parent, sameAs }): CostPart[] => {
    if (isDone(noun) || totals.has(sameAs ?? '')) return [];
    const parents = totals.get(parent);
    const units = parents === undefined ? undefined : parents * page;
    work.expect(noun, { rows: undefined, units });
    return units === undefined || units === 0 ? [] : [{ noun, rows: undefined, units, isBound: true }];
  });
  const limits = bulkLimits(client.limits(), context.share());
  const seconds = secondsFor(sum([...tops, ...children]), limits);
  if (!always && seconds <= SHORT) return;
  const below = sum(children);
  const less = [...(run.view === 'detail' ? ['--view summary'] : []), ...(below > 0 ? ['--no-children'] : [])];
  const unknown = open.length - tops.length;
  await context.notice(
    [
      `About ${sum(tops)} rate-limit units for ${tops.reduce((total, { rows = 0 }) => total + rows, 0)} rows in the ${run.view} view`,
      ...(below > 0 ? [`, and up to ${below} for their child records`] : []),
      ...(unknown > 0 ? [`; svc could not count ${counted(unknown, 'resource')}`] : []),
      '.',
      ...(always && less.length > 0 ? [` Less: ${less.join(', ')}`] : []),
    ].join(''),
  );
  const stop = 'Ctrl-C stops svc. The same command resumes the run.';
  await printDuration(context, limits, { least: sum(tops), parts: [...tops, ...children], stop });
  const uncounted = open.filter(({ noun }) => !totals.has(noun)).map(({ noun }) => noun);
  if (context.statusLine.isThere && seconds > SHORT && uncounted.length > 0) await context.notice(`  Unknown: ${uncounted.join(', ')}`);
}

/**
 * Prints at a terminal the duration of work that takes more than a minute.
 *
 * @param least rate-limit units without the parts that are upper bounds.
 */
export async function printDuration(
  context: Needs<'notice' | 'statusLine'>,
  limits: readonly SeenBucket[],
  { least, parts: unsorted, stop }: { readonly least: number; readonly parts: readonly CostPart[]; readonly stop: string },
): Promise<void> {
  const seconds = secondsFor(sum(unsorted), limits);
  if (!context.statusLine.isThere || seconds <= SHORT) return;
  const rate = Math.min(...limits.flatMap(({ kind, limit }) => (kind === 'read' && limit !== undefined ? [limit] : [])));
  const most =
    least < sum(unsorted) ? `${describeSeconds(secondsFor(least, limits))} to ${describeSeconds(seconds)}` : describeSeconds(seconds);
  await context.notice(
    `The run takes ${most} at ${Number.isFinite(rate) ? `${rate} rate-limit units a minute` : 'the current rate'}. ${stop}`,
  );
  const parts = unsorted.toSorted((one, other) => other.units - one.units);
  const cost = (units: number) => `${units} rate-limit units, ${describeSeconds((seconds * units) / sum(unsorted))}`;
  for (const { noun, rows, units, isBound } of parts.slice(0, MOST_NAMED))
    await context.notice(`  ${noun}: ${rows === undefined ? '' : `${rows} rows, `}${isBound ? 'up to ' : ''}${cost(units)}`);
  const rest = parts.slice(MOST_NAMED);
  if (rest.length > 0) await context.notice(`  ${rest.length} more: ${cost(sum(rest))}`);
}

function sum(parts: readonly CostPart[]): number {
  return parts.reduce((total, { units }) => total + units, 0);
}

/** Reads a page with the number of rows. Returns undefined if this resource fails, because the export then reports the same failure. */
async function countAt(client: ApiClient, path: string): Promise<Page | undefined> {
  try {
    const first = await countPage(client, path, [], undefined, false);
    if (first.total !== undefined) return first;
    return first.next === undefined ? { ...first, total: first.rows.length } : await countPage(client, path, [], undefined);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { status = 0 } = error.details;
    // A lost connection or an exhausted rate limit would stop the export too.
    const isOfOneResource = status === 200 || (status >= 400 && status < 500 && status !== 401 && status !== 429);
    if (!isOfOneResource) throw error;
    return undefined;
  }
}
