import type { Described, Resource } from '../../catalog/define.ts';
import { wordsOf } from '../../catalog/rules.ts';
import type { Query } from '../../client/cost.ts';
import { UsageError } from '../../errors.ts';
import { fieldsInJq } from '../../output/jq.ts';
import type { Needs } from '../../session/context.ts';
import { parseFilterExpression } from '../../values/assignment.ts';
import { ownEntry } from '../../values/json.ts';
import { didYouMean } from '../../values/suggest.ts';
import { type ListOptions, splitNames } from './read-flags.ts';
import type { TableView } from './table-view.ts';

export function checkList(
  resource: Resource,
  { sorts, trashed, includes, views }: Described,
  options: Pick<ListOptions, 'sort' | 'trashed' | 'view' | 'filter'>,
  include: readonly string[],
): void {
  const words = wordsOf(resource);
  if (options.sort !== undefined && sorts !== undefined) {
    for (const field of options.sort.split(',')) {
      const isTaken = sorts.includes(field) || (!sorts.some((name) => name.startsWith('-')) && sorts.includes(field.replace(/^-/, '')));
      if (!isTaken) throw notTaken(`--sort: the service does not sort ${words} by "${field}".`, field.replace(/^-/, ''), sorts);
    }
  }
  if (options.trashed !== undefined && trashed.length > 0 && !trashed.includes(options.trashed))
    throw notTaken(`--trashed: ${words} do not accept "${options.trashed}".`, options.trashed, trashed);
  const known = Object.keys(views ?? {});
  if (options.view !== undefined && known.length > 0 && !known.includes(options.view))
    throw notTaken(`--view: ${words} have no view "${options.view}".`, options.view, known);
  if (includes) checkIncludes(resource, include);
  for (const expression of options.filter ?? []) {
    const { field, operator } = parseFilterExpression(expression);
    const filter = ownEntry(resource.filters, field);
    if (operator === undefined && filter?.noEquality) {
      throw new UsageError(`--filter ${field}: the service does not filter ${words} by a single value.`, {
        hint: `Allowed after ${field}: ${filter.operators.map((name) => `.${name}`).join(', ')}.`,
      });
    }
  }
}

export function checkIncludes(resource: Resource, include: readonly string[]): void {
  const relations = Object.keys(resource.relations ?? {});
  for (const name of include) {
    // The API spec can list only `project` for a relation such as `project.customer`.
    if (!relations.includes(name) && !relations.includes(name.split('.', 1)[0] ?? name))
      throw notTaken(`--include: ${wordsOf(resource)} have no relation "${name}".`, name, relations);
  }
}

function notTaken(message: string, typed: string, allowed: readonly string[]): UsageError {
  const all = allowed.length === 0 ? 'No value is allowed.' : `Allowed: ${allowed.join(', ')}.`;
  return new UsageError(message, { hint: didYouMean(typed, allowed, all) });
}

/**
 * Adds the detail view to a query that needs a field of only that view (rule 15.17). A query needs the fields of the output and of `--jq`.
 */
export function inView(
  { globals: { fields, jq = '' } }: Needs<'globals'>,
  described: Described,
  { view, columns }: Pick<ListOptions, 'view' | 'columns'>,
  rest: Query,
  table: TableView | undefined,
): Query {
  if (view !== undefined) return rest;
  const shown = columns === undefined ? [] : (table?.view.columns ?? []).map(({ path }) => path);
  const names = [...splitNames(fields), ...fieldsInJq(jq), ...shown, ...(table?.references ?? []).map(({ field }) => field)];
  const { summary, detail } = described.views ?? {};
  const isInDetailOnly = (name: string) => summary?.includes(name) === false && detail?.includes(name) === true;
  return names.some((name) => isInDetailOnly(name.split('.', 1)[0] ?? name)) ? [...rest, ['view', 'detail']] : rest;
}
