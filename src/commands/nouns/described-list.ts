import type { Described, Resource } from '../../catalog/define.ts';
import { wordsOf } from '../../catalog/rules.ts';
import { UsageError } from '../../errors.ts';
import { parseFilterExpression } from '../../values/filter.ts';
import { ownEntry } from '../../values/own-entry.ts';
import { nearest } from '../../values/suggest.ts';
import type { ListOptions } from './list-flags.ts';

// What a list is asked for, held against what the organisation's description says that it takes.

/** @throws UsageError for what it does not take, with the list of what it does. */
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
      if (!isTaken) throw notTaken(`--sort: ${words} cannot be sorted by "${field}".`, field.replace(/^-/, ''), sorts);
    }
  }
  if (options.trashed !== undefined && trashed.length > 0 && !trashed.includes(options.trashed))
    throw notTaken(`--trashed: ${words} have no "${options.trashed}".`, options.trashed, trashed);
  const known = Object.keys(views ?? {});
  if (options.view !== undefined && known.length > 0 && !known.includes(options.view))
    throw notTaken(`--view: ${words} have no view "${options.view}".`, options.view, known);
  if (includes) checkIncludes(resource, include);
  for (const expression of options.filter ?? []) {
    const { field, operator } = parseFilterExpression(expression);
    const filter = ownEntry(resource.filters, field);
    if (operator === undefined && filter?.noEquality) {
      throw new UsageError(`--filter ${field}: ${words} cannot be filtered by one value of it.`, {
        hint: `Allowed after ${field}: ${filter.operators.map((name) => `.${name}`).join(', ')}.`,
      });
    }
  }
}

/** @throws UsageError for a relation that the records do not have. */
export function checkIncludes(resource: Resource, include: readonly string[]): void {
  const relations = Object.keys(resource.relations ?? {});
  for (const name of include) {
    // A path may go on behind a relation, where the description has its first step alone.
    if (!relations.includes(name) && !relations.includes(name.split('.', 1)[0] ?? name))
      throw notTaken(`--include: ${wordsOf(resource)} have no relation "${name}".`, name, relations);
  }
}

function notTaken(message: string, typed: string, allowed: readonly string[]): UsageError {
  const near = nearest(typed, allowed);
  const all = allowed.length === 0 ? 'It takes none.' : `Allowed: ${allowed.join(', ')}.`;
  return new UsageError(message, { hint: `${near === undefined ? '' : `Did you mean ${near}? `}${all}` });
}
