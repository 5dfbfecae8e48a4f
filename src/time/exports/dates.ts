import { UsageError } from '../../errors.ts';
import { quote } from '../../values/text.ts';

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/**
 * Returns a function that converts a date of an import file to `YYYY-MM-DD`, or throws UsageError. @param order Default: the order that
 * fits all dates. @throws UsageError if both orders of day and month fit, and give different days.
 */
export function dateReader(dates: readonly string[], order?: DateOrder): (text: string) => string {
  const orders = order === undefined ? (['ymd', 'dmy', 'mdy'] as const) : ([order] as const);
  const [first = orders[0], other] = orders.filter((each) => dates.every((text) => readDate(text, each) !== undefined));
  // A date such as 03/03/2025 means the same in both orders.
  const differs = other && dates.find((text) => readDate(text, first) !== readDate(text, other));
  if (other !== undefined && differs !== undefined) {
    const [one, another] = [readDate(differs, first), readDate(differs, other)];
    throw new UsageError(`${quote(differs)} could be ${one} or ${another}, and so could every date in the file.`, {
      hint: 'Choose an order: --date-order dmy (day first) or --date-order mdy (month first).',
    });
  }
  return (text) => {
    const date = readDate(text, first);
    if (date !== undefined) return date;
    throw new UsageError(`${quote(text)} is not a date that svc can read here.`, { hint: 'Write 2025-03-31, or use --date-order.' });
  };
}

/** Reads a date in the given order. Ignores a time after the date, because entries have no time. */
function readDate(text: string, order: DateOrder): string | undefined {
  const [, a = '', mark, b = '', c = ''] = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T ]\d{1,2}:\d\d\S*)?$/.exec(text.trim()) ?? [];
  if (mark === undefined) return undefined;
  const yearFirst = a.length === 4;
  if (yearFirst !== (order === 'ymd') || (!yearFirst && c.length !== 4)) return undefined;
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b];
  // A date with dots, such as 31.03.2025, never begins with the month.
  if (mark === '.' && order === 'mdy') return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const parsed = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(parsed) || new Date(parsed).toISOString().slice(0, 10) !== date ? undefined : date;
}
