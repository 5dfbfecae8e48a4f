import type { Resource } from '../../catalog/define.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { countRows } from '../../client/pages.ts';
import { RefusedError, undefinedFor } from '../../errors.ts';
import { keptNames, type Naming } from '../../records/kept-names.ts';
import { type ListFilter, listQuery, MOST_VALUES } from '../../records/list-filter.ts';
import type { Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { phaseNamed } from '../../values/statuses.ts';
import type { ListOptions } from './list-flags.ts';

const FIELD = 'workflow_status_id';

/**
 * The filter for open work items, which a list shows to a person who chose no status and no row. Undefined for another list, and where the
 * names of the statuses do not say which of them are done.
 */
export async function openOnly(
  context: Needs<Naming | Printing>,
  resource: Resource,
  { filter, search, trashed, page, cursor }: ListOptions,
  shortcuts: Readonly<Record<string, unknown>>,
): Promise<ListFilter | undefined> {
  const isChosen = [filter, search, trashed, page, cursor, shortcuts['status']].some((value) => value !== undefined);
  if (resource.noun !== 'work-items' || isChosen || !(await context.presentation()).isScreen) return undefined;
  const statuses = [...((await keptNames(context, ['workflow-statuses'])).get('workflow-statuses') ?? [])];
  const open = statuses.filter(([, name]) => phaseNamed(name) !== 'done').map(([id]) => id);
  if (open.length === 0 || open.length === statuses.length || open.length > MOST_VALUES) return undefined;
  return { field: FIELD, operator: 'in', value: open.join(','), kind: 'id', assumed: true, flag: '--status' };
}

/** The rows that a list of open work items showed. */
export interface ShownItems {
  readonly path: string;
  /** The filters without the one for open work items. */
  readonly filters: readonly ListFilter[];
  readonly rows: number;
  /** Whether there are more open ones. */
  readonly more: boolean;
}

/** Prints how many work items are closed. @returns False if there are none. */
export async function tellClosed(
  context: Needs<'notice' | 'signal'>,
  client: ApiClient,
  { path, filters, rows, more }: ShownItems,
): Promise<boolean> {
  const total = more ? undefined : await countRows(client, path, listQuery(filters, []), context.signal).catch(undefinedFor(RefusedError));
  if (total !== undefined && total <= rows) return false;
  await context.notice(
    total === undefined ? 'Closed work items are left out: --status all' : `${rows} of ${total}, ${total - rows} closed: --status all`,
  );
  return true;
}
