import { requestCost } from '../client/cost.ts';
import type { Needs } from '../session/context.ts';
import type { DayMinutes } from '../time/burn.ts';
import type { DaySpan } from '../time/day-span.ts';
import { readEntry } from '../time/entry.ts';
import { filteredRows } from './filtered-rows.ts';
import { type ListFilter, MOST_VALUES } from './list-filter.ts';
import { WORKLOGS } from './worklogs.ts';

/** The records of the hours to read: some budgets, or some work items. */
export interface LoggedQuestion {
  readonly field: 'budget_id' | 'work_item_id';
  readonly ids: readonly number[];
  /** Only these days; absent: all. */
  readonly days?: DaySpan;
}

/** The minutes on some records: by id, then by day. */
export interface Logged {
  readonly byId: ReadonlyMap<number, DayMinutes>;
  /** Worklogs that do not show their record, though the service had to choose among several: no sum is known then. */
  readonly unplaced: number;
}

/**
 * The minutes that were logged on some records, by day, in one walk. Filters by budget, work item and day are not documented (rule
 * 18.27). If one is refused, svc reads all worklogs and filters them here, and a notice says so. The work item is in every view
 * (rule 18.23); a choice among budgets takes the detail view.
 *
 * @throws RefusedError where a filter is refused and worklogs do not show that field; ForbiddenError without `hours::read`.
 */
export async function minutesByDay(context: Needs<'client' | 'notice'>, { field, ids, days }: LoggedQuestion): Promise<Logged> {
  const byId = new Map(ids.map((id) => [id, new Map<string, number>()]));
  const [only] = ids;
  if (only === undefined) return { byId, unplaced: 0 };
  const isOne = ids.length === 1;
  const chosen: ListFilter[] = [
    ...(days === undefined ? [] : [filter('date', 'gte', days.first), filter('date', 'lte', days.last)]),
    ...(ids.length > MOST_VALUES ? [] : [filter(field, isOne ? undefined : 'in', ids.join(','))]),
  ];
  const refused = new Set<string>();
  const { batches } = filteredRows({
    client: await context.client(),
    path: WORKLOGS,
    cost: (query) => requestCost({ method: 'GET', query, toMany: new Set() }),
    filters: chosen,
    rest: [...(isOne || field === 'work_item_id' ? [] : [['view', 'detail'] as const]), ['per_page', '100']],
    limit: undefined,
    async onRefused({ field: by }) {
      if (!refused.has(by))
        await context.notice(`The service does not filter worklogs by ${by}, so svc reads more of them, and filters itself.`);
      refused.add(by);
    },
  });
  let unplaced = 0;
  for await (const batch of batches())
    for (const record of batch) {
      const { date, minutes } = readEntry(record);
      const shown = record[field];
      // If the service itself chose the worklogs of one record, each need not show it.
      const id = shown === undefined && isOne && !refused.has(field) ? only : shown;
      if (id === undefined) unplaced += 1;
      const own = typeof id === 'number' ? byId.get(id) : undefined;
      own?.set(date, (own.get(date) ?? 0) + minutes);
    }
  return { byId, unplaced };
}

function filter(field: string, operator: string | undefined, value: string): ListFilter {
  return { field, operator, value, kind: field === 'date' ? 'date' : 'id', assumed: true, flag: '--filter' };
}
