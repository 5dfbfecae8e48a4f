import { quoted } from '../sql-values.ts';
import type { Order } from './manner.ts';

/** An order as SQLite has it, of a table called `t`. */
export function orderSql({ field, descending, idDescending, nullsLast, compares }: Order): string {
  const column = `t.${quoted(field)}`;
  const direction = descending ? 'DESC' : 'ASC';
  if (field === 'id') return `${column} ${direction}`;
  const value = compares === 'decimal' ? `CAST(${column} AS REAL)` : compares === 'nocase' ? `${column} COLLATE NOCASE` : column;
  return `(${column} IS NULL) ${nullsLast ? 'ASC' : 'DESC'}, ${value} ${direction}, t.id ${idDescending ? 'DESC' : 'ASC'}`;
}

/** Every order by a field: what becomes of equals and of rows without a value is not documented, nor how texts compare. */
export function ordersBy(field: string, descending: boolean, type: string, kind: string | undefined): readonly Order[] {
  const both = [false, true] as const;
  if (field === 'id') return [{ field, descending, idDescending: descending, nullsLast: true, compares: 'plain' }];
  const ways: readonly Order['compares'][] =
    type !== 'TEXT' || isFixed(kind) ? ['plain'] : isDecimal(kind) ? ['decimal'] : ['plain', 'nocase'];
  return ways.flatMap((compares) =>
    both.flatMap((idDescending) => both.map((nullsLast): Order => ({ field, descending, idDescending, nullsLast, compares }))),
  );
}

/** Texts of one form, whose letters have one case. */
function isFixed(kind: string | undefined): boolean {
  return kind === undefined ? false : ['date', 'date-time', 'span-end', 'time'].includes(kind);
}

function isDecimal(kind: string | undefined): boolean {
  return kind === 'money' || kind === 'decimal';
}
