import type { Resource } from '../../catalog/define.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { countRows } from '../../client/pages.ts';
import { RefusedError, undefinedFor } from '../../errors.ts';
import { cachedNames, type Naming } from '../../records/cached-names.ts';
import { type ListFilter, listQuery, MOST_VALUES } from '../../records/list-filter.ts';
import type { Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { phaseNamed } from '../../values/statuses.ts';
import type { ListOptions } from './read-flags.ts';

const FIELD = 'workflow_status_id';

/**
 * Returns the filter for open work items. A list on a screen gets the filter if the user typed no status, filter, search, `--trashed`, page
 * or cursor. Undefined for other lists, and if the stored names of the statuses give no such filter.
 */
export async function openOnly(
  context: Needs<Naming | Printing>,
  resource: Resource,
  { filter, search, trashed, page, cursor }: ListOptions,
  shortcuts: Readonly<Record<string, unknown>>,
): Promise<ListFilter | undefined> {
  const isChosen = [filter, search, trashed, page, cursor, shortcuts['status']].some((value) => value !== undefined);
  if (resource.noun !== 'work-items' || isChosen || !(await context.presentation()).isScreen) return undefined;
  const statuses = [...((await cachedNames(context, ['workflow-statuses'])).get('workflow-statuses') ?? [])];
  const open = statuses.filter(([, name]) => phaseNamed(name) !== 'done').map(([id]) => id);
  if (open.length === 0 || open.length === statuses.length || open.length > MOST_VALUES) return undefined;
  return { field: FIELD, operator: 'in', value: open.join(','), kind: 'id', assumed: true, flag: '--status' };
}

export interface ShownItems {
  readonly path: string;
  /** The filters of the user, without the filter for open work items. */
  readonly filters: readonly ListFilter[];
  /** The number of open work items. Undefined if unknown. */
  readonly open: number | undefined;
}

/**
 * Prints the number of closed work items, or a notice without a number if the number is unknown.
 *
 * @returns False if no work item is closed.
 */
export async function printClosedCount(
  context: Needs<'notice' | 'signal'>,
  client: ApiClient,
  { path, filters, open }: ShownItems,
): Promise<boolean> {
  const count = () => countRows(client, path, listQuery(filters, []), context.signal).catch(undefinedFor(RefusedError));
  const total = open === undefined ? undefined : await count();
  if (open !== undefined && total !== undefined && total <= open) return false;
  await context.notice(
    open === undefined || total === undefined
      ? 'Closed work items are left out: --status all'
      : `${open} of ${total}, ${total - open} closed: --status all`,
  );
  return true;
}
