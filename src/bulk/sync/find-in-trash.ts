import { assumedFilters } from '../../client/assumed.ts';
import type { Query } from '../../client/cost.ts';
import { pages } from '../../client/pages.ts';
import { ForbiddenError, RefusedError } from '../../errors.ts';
import type { MadeRows } from '../../mirror/made-rows.ts';
import { integerId } from '../../mirror/record-id.ts';
import { wholeQuery } from '../export/run.ts';
import type { IdDifferences, Looking, Subject } from './differences.ts';
import { PAGE_UNITS } from './run.ts';

/** A table, and its rows that were made before a time. */
type Trashed = Pick<Subject, 'path' | 'known'> & { readonly before: string };

/** Units that a wanted row costs elsewhere. With this bound, svc does not read a trash of years for a few rows. */
const ELSEWHERE = 3;

/**
 * Finds deleted records in the trash of the service. The documentation names neither the values of `trashed` nor a filter or an order by
 * `deleted_at` (rules 8.36, 18.27). svc therefore tries each query. Only a record with a deletion date counts as
 * deleted. The count then shows whether svc found all of them.
 *
 * @param since The earliest deletion to find. @param wanted The number of rows to find.
 */
export async function findInTrash(
  look: Looking,
  { path, known, before }: Trashed,
  { since, wanted }: { readonly since: string; readonly wanted: number },
  found: IdDifferences,
): Promise<void> {
  const ways: readonly Query[] = [[['filter[deleted_at][gte]', since]], [['sort', '-deleted_at']], []];
  for (const way of ways) if (await isRead(look, path, way, { since, wanted, known, before }, found)) return;
}

interface Wanted {
  readonly since: string;
  readonly wanted: number;
  readonly known: MadeRows;
  readonly before: string;
}

/** Whether svc needs to try no other query: the service took this one, or there are no units left. */
async function isRead(
  { client, budget, context }: Looking,
  path: string,
  way: Query,
  { since, wanted, known, before }: Wanted,
  { gone }: IdDifferences,
): Promise<boolean> {
  const isSorted = way.some(([name]) => name === 'sort');
  const query = [['trashed', 'only'] as const, ...wholeQuery({ view: 'detail' }).filter(([name]) => !isSorted || name !== 'sort'), ...way];
  const assumed = [...assumedFilters(query), ...(isSorted ? ['sort=-deleted_at'] : [])];
  let left = wanted;
  // Two units a page more than ids alone cost: only the detail view surely says when a record was deleted.
  let units = wanted * ELSEWHERE;
  if (budget.left() < PAGE_UNITS) return true;
  try {
    for await (const { rows } of pages(client, { method: 'GET', path, query, assumed, signal: context.signal }, { patient: true })) {
      const deleted = rows.map((row) => row['deleted_at']);
      // The row in place of the end still counts, if it only is too old.
      const other = deleted.findIndex((at) => typeof at !== 'string' || at === '');
      const old = isSorted ? deleted.findIndex((at) => typeof at === 'string' && at !== '' && at < since) : -1;
      const end = Math.min(other < 0 ? rows.length : other, old < 0 ? rows.length : old + 1);
      const there = await known.held(
        { from: undefined, before },
        rows.slice(0, end).flatMap((row) => integerId(row) ?? []),
      );
      for (const id of there) gone.add(id);
      await known.remove(there);
      left -= there.length;
      if (other >= 0 || old >= 0) return true;
      units -= PAGE_UNITS;
      if (left <= 0 || units < PAGE_UNITS || budget.left() < PAGE_UNITS) return true;
    }
    return true;
  } catch (error) {
    // Somebody may see rows, and not what was deleted.
    if (error instanceof RefusedError || error instanceof ForbiddenError) return false;
    throw error;
  }
}
