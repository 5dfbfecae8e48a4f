import { formatDuration } from '../values/duration.ts';
import type { JsonObject } from '../values/json.ts';
import { formatAmount, readAmount } from '../values/money.ts';
import { type CellKind, currencyOf } from './cell.ts';
import { fieldValue } from './fields.ts';
import { GAP, type GridCell, widthOf } from './grid.ts';
import { textWidth } from './text-width.ts';

/** Matches fields such as prices and rates, for which a sum makes no sense. */
const NO_SUM = /(^|[._])(unit_price|price|rate)$/;

/**
 * Creates the totals of a table. If a row lacks a field, the sum of the field is unknown. Null counts as zero. Amounts in different
 * currencies have no sum.
 */
export function createTotals(columns: readonly { readonly path: string; readonly kind: CellKind | undefined }[]) {
  const sums = columns.map(({ path, kind }) =>
    (kind === 'duration' || kind === 'money') && !NO_SUM.test(path) ? { path, kind, total: 0n, seen: 0, known: true } : undefined,
  );
  let rows = 0;
  let currency: string | undefined;
  let isMixed = false;

  return {
    see(record: JsonObject): void {
      rows += 1;
      const named = currencyOf(record);
      if (rows > 1 && named !== currency) isMixed = true;
      currency = named;
      for (const sum of sums) {
        const value = sum && fieldValue(record, sum.path);
        if (sum === undefined || value === null) continue;
        const amount = sum.kind === 'duration' ? minutesOf(value) : readAmount(value);
        if (amount === undefined) sum.known = false;
        else sum.total += amount;
        sum.seen += 1;
      }
    },
    cells(widths: readonly number[]): readonly GridCell[] | undefined {
      const texts = sums.map((sum) => {
        if (sum === undefined || !sum.known || sum.seen === 0 || (sum.kind === 'money' && isMixed)) return '';
        return sum.kind === 'duration' ? formatDuration(Number(sum.total)) : [formatAmount(sum.total), currency].filter(Boolean).join(' ');
      });
      const first = texts.findIndex((text) => text !== '');
      if (first < 0) return undefined;
      // All columns before the first sum become one cell for the label.
      const before = widthOf(widths.slice(0, first), GAP);
      const head = [`1–${rows} of ${rows}`, 'Total'].find((text) => textWidth(text) <= before) ?? '';
      return [
        ...(first === 0 ? [] : [{ text: head, span: first, align: 'left' as const }]),
        ...texts.slice(first).map((text) => ({ text })),
      ];
    },
  };
}

function minutesOf(value: unknown): bigint | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}
