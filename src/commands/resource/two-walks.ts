import type { Resource } from '../../catalog/define.ts';
import { withArticle } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import type { FilteredRows } from '../../records/filtered-rows.ts';
import type { ListFilter, ListWalks } from '../../records/list-filter.ts';
import { mergedRows, rowOrder } from '../../records/merged-rows.ts';
import type { Needs } from '../../session/context.ts';
import { localMinute } from '../../values/dates.ts';
import type { ListOptions } from './read-flags.ts';

/** Merges two lists into one: rows with a value in the filtered field, and rows without a value. */
export async function bothWalks(
  context: Needs<'dates' | 'notice'>,
  resource: Resource,
  { filters, bound }: NonNullable<ListWalks['second']>,
  { sort, limit }: ListOptions,
  open: (filters: readonly ListFilter[]) => Promise<FilteredRows>,
  first: readonly ListFilter[],
): Promise<FilteredRows> {
  return mergedRows({
    valued: await open(first),
    empty: await open(filters),
    order: rowOrder(resource, sort),
    limit,
    bound,
    onUnordered: (field) =>
      context.notice(`svc cannot sort these rows, because they have no ${field}. Rows without ${withArticle(bound.field)} come last.`),
    async onTouching(count) {
      const timestamp = localMinute(bound.value, await context.dates());
      await context.notice(
        `${count} of these rows end exactly at ${timestamp}, the start of ${bound.flag}. The service does not document whether such rows include that day.`,
      );
    },
  });
}

/** Checks the flags of a merged list. @throws UsageError for --page, --cursor, and a sort that svc cannot merge. */
export function checkTwoWalks(resource: Resource, bound: ListFilter, { page, cursor, sort }: ListOptions): void {
  if (page !== undefined || cursor !== undefined) {
    const flag = page === undefined ? '--cursor' : '--page';
    throw new UsageError(`${bound.flag} merges two lists of the service, so svc cannot use ${flag}.`, {
      hint: `Limit the list with --limit, or filter by the start instead: ${bound.flag.replace('--', '--starts-')}`,
    });
  }
  rowOrder(resource, sort);
}
