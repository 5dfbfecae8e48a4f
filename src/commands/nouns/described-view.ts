import type { Described } from '../../catalog/define.ts';
import type { Query } from '../../client/cost.ts';
import type { Needs } from '../../session/context.ts';
import type { ListOptions } from './list-flags.ts';
import { splitNames } from './query.ts';
import type { TableView } from './table-view.ts';

/** The query with the view that holds what is to be shown, where the description says that the usual one does not (rule 15.17). */
export function inView(
  { globals: { fields } }: Needs<'globals'>,
  described: Described,
  { view, columns }: Pick<ListOptions, 'view' | 'columns'>,
  rest: Query,
  table: TableView | undefined,
): Query {
  if (view !== undefined) return rest;
  const shown = columns === undefined ? [] : (table?.view.columns ?? []).map(({ path }) => path);
  const names = [...splitNames(fields), ...shown, ...(table?.references ?? []).map(({ field }) => field)];
  return needsDetail(
    described,
    names.map((name) => name.split('.', 1)[0] ?? name),
  )
    ? [...rest, ['view', 'detail']]
    : rest;
}

/** Whether fields are asked for that the view which a list has by itself does not hold, and the other one does. */
function needsDetail({ views }: Described, names: readonly string[]): boolean {
  const { summary, detail } = views ?? {};
  if (summary === undefined) return false;
  return names.some((name) => !summary.includes(name) && (detail?.includes(name) ?? false));
}
