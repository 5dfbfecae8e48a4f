import { type OptionValues, parsed, text, toggle } from '../../../cli/spec.ts';
import { UsageError } from '../../../errors.ts';
import { DIMENSIONS, type Dimension, type EntryPlace, isPeriod, UNKNOWN } from '../../../time/places.ts';
import { HOURS_STYLES } from '../../../values/duration.ts';
import { type JsonObject, ownEntry } from '../../../values/json.ts';
import { parseRate } from '../../../values/money.ts';
import { nearest } from '../../../values/suggest.ts';

const SYNONYMS: Readonly<Record<string, Dimension>> = { person: 'user', people: 'user' };

export function parseDimensions(typed: string): readonly Dimension[] {
  const names = typed.split(',').map((name) => name.trim().toLowerCase().replaceAll('_', '-'));
  const dimensions = names.map((name) => {
    const dimension =
      DIMENSIONS.find((known) => known === name || `${known}s` === name) ??
      ownEntry(SYNONYMS, name) ??
      ownEntry(SYNONYMS, name.slice(0, -1));
    if (dimension !== undefined) return dimension;
    const near = nearest(name, DIMENSIONS);
    throw new UsageError(`svc does not group hours by "${name}".`, {
      hint: `${near === undefined ? '' : `Did you mean ${near}? `}Allowed: ${DIMENSIONS.join(', ')}, or several with commas.`,
    });
  });
  if (new Set(dimensions).size < dimensions.length)
    throw new UsageError('--by has the same name twice.', { hint: 'For example: --by project,user' });
  return dimensions;
}

/** Returns a dimension as words in a sentence: `work item`. */
export function dimensionName(dimension: Dimension): string {
  return dimension.replace('-', ' ');
}

export function relationsFor(by: readonly Dimension[]): readonly string[] {
  return by.flatMap((dimension) => RELATIONS[dimension] ?? []);
}

const RELATIONS: Readonly<Partial<Record<Dimension, string>>> = {
  project: 'project',
  budget: 'budget',
  'work-item': 'work_item',
  user: 'user',
};

/**
 * Returns the id and name, the labels, the period or the text of a group. Missing values are null. The name of an unknown record is
 * `unknown`.
 */
export function placeFields(dimension: Dimension, { key, label, members }: EntryPlace): JsonObject {
  if (isPeriod(dimension)) return { [dimension]: key || null };
  if (dimension === 'description') return { description: key || null };
  if (dimension === 'label')
    return { label_ids: members?.map(({ id }) => id) ?? null, labels: members?.map(({ name }) => name ?? null) ?? null };
  const name = dimension.replace('-', '_');
  if (key === UNKNOWN) return { [`${name}_id`]: null, [name]: UNKNOWN };
  return { [`${name}_id`]: key === '' ? null : Number(key), [name]: key === '' ? null : label };
}

const GROUP = 'For a customer';

export const sheetOptions = {
  for: text('--for <id|name>', 'List each entry for this customer; with --html, write a page to send', {
    type: 'id-or-name',
    completes: { records: 'customers' },
    group: GROUP,
  }),
  rate: parsed('--rate <amount>', 'Add amounts at this price of an hour, before tax', parseRate, { type: 'money', group: GROUP }),
  hours: text('--hours <style>', 'Write hours as 1:30 or 1.50 (default: hh:mm)', { choices: HOURS_STYLES, group: GROUP }),
  all: toggle('--all', 'Also list non-billable entries, without an amount', { group: GROUP }),
};

export type SheetFlags = OptionValues<typeof sheetOptions>;

/** Checks that --rate, --hours and --all are used with `--for`. @throws UsageError for one of these three flags without `--for`. */
export function checkSheetFlags(flags: SheetFlags): void {
  const alone = flags.for === undefined ? (['rate', 'hours', 'all'] as const).find((name) => flags[name] !== undefined) : undefined;
  if (alone === undefined) return;
  throw new UsageError(`--${alone} needs --for.`, { hint: 'Name the customer: --for "Bakkerij Jansen & Zonen"' });
}
