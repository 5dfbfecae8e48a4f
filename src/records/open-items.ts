import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { phaseOf } from './glance.ts';
import { glanceAt } from './glance-page.ts';
import { ownUserIdIfKnown } from './me.ts';

/**
 * The user's own open work items, as far as the service shows; up to a hundred. One request, and another for each undocumented
 * filter or relation that the service refuses (rule 18.27). Refused ones are left out for a day.
 */
export async function ownOpenItems(context: Needs<'account' | 'client'>): Promise<readonly JsonObject[]> {
  const own = await ownUserIdIfKnown(context);
  if (own === undefined) return [];
  const page = await glanceAt(
    context,
    {
      path: '/work-items',
      query: [['view', 'detail']],
      assumedFilters: [['filter[assignee_id]', String(own)]],
      assumedIncludes: ['workflow_status'],
    },
    true,
  );
  if ('why' in page) return [];
  // If the service did not choose the assignee, each item must show it.
  const isOwn = (row: JsonObject) =>
    row['assignee_id'] === own || (row['assignee_id'] === undefined && page.value.filteredBy('filter[assignee_id]'));
  return page.value.rows.filter((row) => isOwn(row) && phaseOf(row) !== 'done');
}
