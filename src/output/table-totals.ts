import { formatDuration } from '../values/duration.ts';
import type { JsonObject } from '../values/json.ts';
import type { CellKind } from './cell.ts';
import { fieldValue } from './fields.ts';
import { GAP, type GridCell, widthOf } from './grid.ts';
import { textWidth } from './text-width.ts';

/** The sums of a table's durations and amounts, as its rows come. */
export interface TableTotals {
  see(record: JsonObject): void;
  /** The cells below the last row, each sum below its column; undefined where nothing adds up. */
  cells(widths: readonly number[]): readonly GridCell[] | undefined;
}

/** Prices and rates are money of which a sum says nothing. */
const NO_SUM = /(^|[._])(unit_price|price|rate)$/;

/**
 * Adds up the durations and the amounts of money. A row that does not show one leaves that sum unknown, and nobody adds amounts of rows that
 * name different currencies; a row whose value is null has none.
 */
export function createTotals(columns: readonly { readonly path: string; readonly kind: CellKind | undefined }[]): TableTotals {
  const sums = columns.map(({ path, kind }) =>
    (kind === 'duration' || kind === 'money') && !NO_SUM.test(path) ? { path, kind, total: 0n, seen: 0, known: true } : undefined,
  );
  let rows = 0;
  let currency: string | undefined;
  let isMixed = false;

  return {
    see(record) {
      rows += 1;
      const named = currencyOf(record);
      if (rows > 1 && named !== currency) isMixed = true;
      currency = named;
      for (const sum of sums) {
        const value = sum && fieldValue(record, sum.path);
        if (sum === undefined || value === null) continue;
        const amount = sum.kind === 'duration' ? minutesOf(value) : centsOf(value);
        if (amount === undefined) sum.known = false;
        else sum.total += amount;
        sum.seen += 1;
      }
    },
    cells(widths) {
      const texts = sums.map((sum) => {
        if (sum === undefined || !sum.known || sum.seen === 0 || (sum.kind === 'money' && isMixed)) return '';
        return sum.kind === 'duration' ? durationText(sum.total) : moneyText(sum.total);
      });
      const first = texts.findIndex((text) => text !== '');
      if (first < 0) return undefined;
      // The columns before the first sum are one cell: room for what the line is about.
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

/** Of a decimal string with at most two decimals; digits are never turned into a floating-point number. */
function centsOf(value: unknown): bigint | undefined {
  const [, sign, whole, decimals = ''] = (typeof value === 'string' && /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(value)) || [];
  return whole === undefined ? undefined : BigInt(`${sign}${whole}${decimals.padEnd(2, '0')}`);
}

function durationText(minutes: bigint): string {
  return formatDuration(Number(minutes));
}

function moneyText(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** What a record says its amounts are in; no field for it is documented (rule 2.28). */
function currencyOf(record: JsonObject): string | undefined {
  const value = fieldValue(record, 'currency') ?? fieldValue(record, 'currency_code');
  return typeof value === 'string' ? value : value === undefined || value === null ? undefined : JSON.stringify(value);
}
