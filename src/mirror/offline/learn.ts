import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../values/json.ts';
import { idOf } from '../record-id.ts';
import { quoted } from '../sql-values.ts';
import { classOf, type Order, type Outcome, type SeenRelation, type SummaryView } from './manner.ts';
import type { Copy } from './open-copy.ts';
import { orderSql, ordersBy } from './order-sql.ts';

// What a page that the service sent tells of how it answers. Nothing that was not seen is taken for known.

/**
 * What the summary view does to records.
 *
 * @param pairs records as a summary has them, and whole.
 * @returns undefined where a summary has what the record has not, or in another order.
 */
export function learnSummary(pairs: readonly (readonly [summary: JsonObject, record: JsonObject])[]): SummaryView | undefined {
  const seen: Record<string, Partial<Record<string, Outcome>>> = {};
  for (const [summary, record] of pairs) {
    const names = Object.keys(record);
    const shown = Object.keys(summary);
    if (stringifyJson(shown) !== stringifyJson(names.filter((name) => Object.hasOwn(summary, name)))) return undefined;
    for (const name of names) {
      const outcome = outcomeOf(record[name] as JsonValue, summary[name]);
      const of = seen[name] ?? {};
      seen[name] = of;
      const known = classOf(record[name]);
      if (outcome === undefined || (of[known] !== undefined && of[known] !== outcome)) return undefined;
      of[known] = outcome;
    }
  }
  return seen;
}

function outcomeOf(whole: JsonValue, shown: JsonValue | undefined): Outcome | undefined {
  if (shown === undefined) return 'absent';
  if (stringifyJson(shown) === stringifyJson(whole)) return 'same';
  return shown === null ? 'null' : undefined;
}

/** Where rows were listed from. */
export interface Listed {
  readonly table: string;
  /** The field that names the parent, and which one it was. */
  readonly below?: { readonly key: string; readonly parent: number } | undefined;
  /** In the order that they came in. */
  readonly ids: readonly number[];
  /** There are no others. */
  readonly isAll: boolean;
}

/** Whether a copy has the same rows as an answer, as far as that shows. */
export function isSame(copy: Copy, { table, below, ids, isAll }: Listed): boolean {
  const where = below === undefined ? '' : ` WHERE ${quoted(below.key)} = ?`;
  const values = below === undefined ? [] : [below.parent];
  const [row] = copy.all<{ readonly n: number }>(`SELECT count(*) AS n FROM ${quoted(table)}${where}`, ...values);
  return isAll ? Number(row?.n) === ids.length : Number(row?.n) > ids.length;
}

/**
 * The orders that an answer fits: by any column, whatever becomes of equals and of rows without a value.
 *
 * @param kinds of the columns, as the catalog has them.
 */
export function learnOrders(copy: Copy, listed: Listed, kinds: Readonly<Record<string, string | undefined>>): readonly Order[] {
  const { table, below, ids } = listed;
  const columns = columnsOf(copy, table);
  const rows = copy.all<Record<string, unknown>>(
    `SELECT * FROM ${quoted(table)} WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  const byId = new Map(rows.map((row) => [Number(row['id']), row]));
  const inOrder = ids.flatMap((id): Record<string, unknown>[] => {
    const row = byId.get(id);
    return row === undefined ? [] : [row];
  });
  const fits = columns
    .flatMap(({ name, type }) => [false, true].flatMap((descending) => ordersBy(name, descending, type, kinds[name])))
    .filter((order) => isOrdered(inOrder, order));
  const where = below === undefined ? '' : `WHERE t.${quoted(below.key)} = ${below.parent}`;
  return fits.filter((order) => {
    const sql = `SELECT t.id AS id FROM ${quoted(table)} t ${where} ORDER BY ${orderSql(order)} LIMIT ${ids.length}`;
    return copy.all<{ readonly id: number }>(sql).every(({ id }, at) => id === ids[at]);
  });
}

/** Columns that rows can be ordered by. */
export function columnsOf(copy: Copy, table: string): readonly { readonly name: string; readonly type: string }[] {
  const columns = copy.all<{ readonly name: string; readonly type: string }>('SELECT name, type FROM pragma_table_info(?)', table);
  return columns.filter(({ type }) => type !== 'JSON TEXT').map(({ name, type }) => ({ name, type }));
}

/** Whether rows are in an order. */
export function isOrdered(rows: readonly Record<string, unknown>[], order: Order): boolean {
  return rows.every((row, at) => at === 0 || compareRows(rows[at - 1] ?? {}, row, order) < 0);
}

function compareRows(one: Record<string, unknown>, other: Record<string, unknown>, order: Order): number {
  const { field, descending, idDescending, nullsLast, compares } = order;
  const [a, b] = [one[field] ?? null, other[field] ?? null];
  if ((a === null) !== (b === null)) return (a === null) === nullsLast ? 1 : -1;
  const value = (each: unknown) =>
    compares === 'decimal' ? Number(each) : compares === 'nocase' ? String(each).replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : each;
  const [x, y] = [value(a) as string, value(b) as string];
  if (a !== null && x !== y) return x < y === descending ? 1 : -1;
  return Number(one['id']) < Number(other['id']) === idDescending ? 1 : -1;
}

/**
 * What relations look like that were asked for, where each is the summary of a record.
 *
 * @param rows whole, with the relations.
 * @param shown a record of a noun in its summary view; undefined where that is not known.
 * @returns those that nothing speaks against, and the order of all fields; undefined where rows differ in that order.
 */
export function learnRelations(
  rows: readonly JsonObject[],
  asked: Readonly<Record<string, Omit<SeenRelation, 'seen'>>>,
  shown: (noun: string, id: number) => JsonObject | undefined,
): { readonly relations: Readonly<Record<string, SeenRelation>>; readonly fields: readonly string[] } | undefined {
  const longest = rows.toSorted((one, other) => Object.keys(other).length - Object.keys(one).length)[0];
  const fields = Object.keys(longest ?? {});
  const isInOrder = (row: JsonObject) =>
    stringifyJson(Object.keys(row)) === stringifyJson(fields.filter((name) => Object.hasOwn(row, name)));
  if (!rows.every(isInOrder)) return undefined;
  const relations = Object.entries(asked).flatMap(([name, relation]): [string, SeenRelation][] => {
    const looks = rows.map((row) => lookOf(row[name], row[relation.key], (id) => shown(relation.of, id)));
    return looks.includes('other') ? [] : [[name, { ...relation, seen: looks.includes('summary') }]];
  });
  return { relations: Object.fromEntries(relations), fields };
}

/** What is in the place of a relation; `unknown` where it is a record that the copy lacks. */
function lookOf(
  related: JsonValue | undefined,
  key: JsonValue | undefined,
  shown: (id: number) => JsonObject | undefined,
): 'null' | 'summary' | 'unknown' | 'other' {
  if (related === undefined || key === undefined || (related === null) !== (key === null)) return 'other';
  if (related === null) return 'null';
  const expected = isJsonObject(related) ? shown(idOf(related) ?? -1) : undefined;
  if (!isJsonObject(related) || expected === undefined) return isJsonObject(related) ? 'unknown' : 'other';
  return stringifyJson(expected) === stringifyJson(related) ? 'summary' : 'other';
}
