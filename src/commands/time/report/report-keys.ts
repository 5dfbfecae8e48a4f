import { UsageError } from '../../../errors.ts';
import { DIMENSIONS, type Dimension, type EntryPlace, isPeriod, UNKNOWN } from '../../../time/places.ts';
import type { JsonObject } from '../../../values/json.ts';
import { ownEntry } from '../../../values/own-entry.ts';
import { nearest } from '../../../values/suggest.ts';

/** Other words for what hours can be added up by. */
const SYNONYMS: Readonly<Record<string, Dimension>> = { person: 'user', people: 'user' };

/** Reads what to add up by: names with commas between them. @throws UsageError for a name that is none, or one that is there twice. */
export function parseDimensions(typed: string): readonly Dimension[] {
  const names = typed.split(',').map((name) => name.trim().toLowerCase().replaceAll('_', '-'));
  const dimensions = names.map((name) => {
    const dimension =
      DIMENSIONS.find((known) => known === name || `${known}s` === name) ??
      ownEntry(SYNONYMS, name) ??
      ownEntry(SYNONYMS, name.slice(0, -1));
    if (dimension !== undefined) return dimension;
    const near = nearest(name, DIMENSIONS);
    throw new UsageError(`"${name}" is nothing to add up by.`, {
      hint: `${near === undefined ? '' : `Did you mean ${near}? `}Allowed: ${DIMENSIONS.join(', ')}, or several with commas.`,
    });
  });
  if (new Set(dimensions).size < dimensions.length)
    throw new UsageError('The same thing is named twice.', { hint: 'For example: --by project,user' });
  return dimensions;
}

/** A dimension as a person reads it: `work item`. */
export function dimensionName(dimension: Dimension): string {
  return dimension.replace('-', ' ');
}

/** The relations of an entry that hold the names of some dimensions' groups. */
export function relationsFor(by: readonly Dimension[]): readonly string[] {
  return by.flatMap((dimension) => RELATIONS[dimension] ?? []);
}

const RELATIONS: Readonly<Partial<Record<Dimension, string>>> = {
  project: 'project',
  budget: 'budget',
  'work-item': 'work_item',
  user: 'user',
};

/** A place in the fields of a record: ids beside names, null for what has none; what is not known has no id and `unknown` for a name. */
export function placeFields(dimension: Dimension, { key, label, members }: EntryPlace): JsonObject {
  if (isPeriod(dimension)) return { [dimension]: key || null };
  if (dimension === 'label')
    return { label_ids: members?.map(({ id }) => id) ?? null, labels: members?.map(({ name }) => name ?? null) ?? null };
  const name = dimension.replace('-', '_');
  if (key === UNKNOWN) return { [`${name}_id`]: null, [name]: UNKNOWN };
  return { [`${name}_id`]: key === '' ? null : Number(key), [name]: key === '' ? null : label };
}
