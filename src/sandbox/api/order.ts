import type { Json, Row } from '../json.ts';
import { badParameter } from '../problem.ts';
import type { Resource } from '../resources/define.ts';

/** The values a row is ordered by, the id last so that no two rows are equal. */
export type Position = readonly Json[];

/** An order of rows. */
export interface Order {
  positionOf(row: Row): Position;
  compare(a: Position, b: Position): number;
}

/** @param sort `-start,id`: fields, a minus for the other way round (assumed). @throws Problem for a field that does not sort. */
export function parseOrder(resource: Resource, sort: string): Order {
  const keys = sort.split(',').map((key) => {
    const descending = key.startsWith('-');
    const name = descending ? key.slice(1) : key;
    const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
    if (field?.sort !== true) {
      const known = Object.entries(resource.fields).flatMap(([other, { sort: sortable }]) => (sortable === true ? other : []));
      throw badParameter('sort', 'in', `sort takes ${known.join(', ')}, not ${name}.`);
    }
    return { name, descending, numeric: field.type === 'money' || field.type === 'decimal' };
  });
  const byId = keys.some(({ name }) => name === 'id') ? [] : [{ name: 'id', descending: keys[0]?.descending ?? false, numeric: false }];
  const all = [...keys, ...byId];
  return {
    positionOf: (row) =>
      all.map(({ name, numeric }) => {
        const value = row[name] ?? null;
        return numeric && value !== null ? Number(value) : value;
      }),
    compare: (a, b) => {
      for (const [i, { descending }] of all.entries()) {
        const order = compareValues(a[i] ?? null, b[i] ?? null);
        if (order !== 0) return descending ? -order : order;
      }
      return 0;
    },
  };
}

/** No value comes after every value. */
function compareValues(a: Json, b: Json): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

/** Sorts without touching the original; positions are worked out once per row. */
export function sortRows(rows: readonly Row[], order: Order): Row[] {
  const keyed = rows.map((row) => ({ row, position: order.positionOf(row) }));
  keyed.sort((a, b) => order.compare(a.position, b.position));
  return keyed.map(({ row }) => row);
}

/** Index of the first sorted row at or after a position; `after` skips one that is exactly there. */
export function seek(rows: readonly Row[], order: Order, position: Position, after: boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row === undefined) break;
    const compared = order.compare(order.positionOf(row), position);
    if (compared < 0 || (after && compared === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
