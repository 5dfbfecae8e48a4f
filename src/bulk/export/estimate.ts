import type { ApiClient } from '../../client/api-client.ts';
import { requestCost } from '../../client/cost.ts';
import { countPage, type Page } from '../../client/pages.ts';
import { SvcError } from '../../errors.ts';
import { inOrder } from '../import/in-order.ts';
import type { Collection, NestedCollection } from './collections.ts';
import { PER_PAGE } from './pieces.ts';
import { type Run, wholeQuery } from './run.ts';

/**
 * Says what an export will cost before it begins. Every collection is counted for it: one unit where the service counts its
 * rows anyway, three more where it has to be asked to. With `--quiet` nobody would hear it, so nothing is asked.
 */
export async function tellCost(run: Run, collections: readonly Collection[], nested: readonly NestedCollection[]): Promise<void> {
  const { context, client } = run;
  if (context.globals.quiet) return;
  const counts = new Map<string, number>();
  const ask = async ({ noun, path }: Collection) => [noun, await countAt(client, path)] as const;
  for await (const [noun, page] of inOrder(collections, run.parallel, ask)) {
    if (page?.total === undefined) continue;
    counts.set(noun, page.total);
    run.counts.set(noun, { total: page.total, at: Date.parse(page.response.headers['date'] ?? '') });
  }
  const page = requestCost({ method: 'GET', query: wholeQuery(run) });
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  const pagesOf = (count: number) => Math.max(1, Math.ceil(count / PER_PAGE));
  const units = sum([...counts.values()].map(pagesOf)) * page;
  const unknown = collections.length - counts.size;
  const below = sum(nested.filter(({ sameAs }) => !counts.has(sameAs ?? '')).map(({ parent }) => counts.get(parent) ?? 0)) * page;
  const less = [...(run.view === 'detail' ? ['--view summary'] : []), ...(below > 0 ? ['--no-children'] : [])];
  await context.notice(
    [
      `About ${units} units for ${sum(counts.values())} rows in the ${run.view} view`,
      ...(below > 0 ? [`, and up to ${below} for what lies below them`] : []),
      ...(unknown > 0 ? [`; ${unknown} could not be counted`] : []),
      '.',
      ...(less.length > 0 ? [` Less: ${less.join(', ')}`] : []),
    ].join(''),
  );
}

/** A page that tells how many rows a collection has; undefined where it will not say. A failure is the export's to meet again. */
async function countAt(client: ApiClient, path: string): Promise<Page | undefined> {
  try {
    const first = await countPage(client, path, [], undefined, false);
    if (first.total !== undefined) return first;
    return first.next === undefined ? { ...first, total: first.rows.length } : await countPage(client, path, [], undefined);
  } catch (error) {
    if (error instanceof SvcError && isHarmless(error)) return undefined;
    throw error;
  }
}

/** What concerns this collection alone; a lost network or a spent budget ends the export here as well as later. */
function isHarmless({ details: { status } }: SvcError): boolean {
  return status !== undefined && (status === 200 || (status >= 400 && status < 500 && status !== 401 && status !== 429));
}
