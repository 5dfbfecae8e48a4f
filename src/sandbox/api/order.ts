import { createHash } from 'node:crypto';
import type { Interpretations } from '../interpretations.ts';
import { type Json, parseObject, type Row } from '../json.ts';
import { Problem } from '../problem.ts';
import type { ServedResource } from '../resources/define.ts';
import { refusal, takesSort } from './filter.ts';

/** The values that decide the position of a row. The id comes last, so that no two rows are equal. */
type RowPosition = readonly Json[];

export interface Order {
  positionOf(row: Row): RowPosition;
  compare(a: RowPosition, b: RowPosition): number;
}

interface Key {
  readonly name: string;
  readonly descending: boolean;
}

/** Reads the order of a list. @param sort value such as `-start,id`. @throws Problem 400 for a field that the list can’t sort by. */
export function parseOrder(resource: ServedResource, sort: string, interpretations: Interpretations): Order {
  const keys = sort.split(',').map((text) => {
    const key = readKey(text, interpretations.descending);
    if (resource.fields[key.name]?.sort !== true || !takesSort(interpretations, key.name)) {
      const known = sortNames(resource, interpretations);
      throw refusal(interpretations, 'value', 'sort', `sort takes ${known.join(', ')}, not ${key.name}.`);
    }
    return key;
  });
  return orderBy(resource, keys);
}

export function defaultOrder(resource: ServedResource): Order {
  return orderBy(resource, [readKey(resource.defaultSort, 'minus')]);
}

export function sortNames({ fields }: ServedResource, interpretations: Interpretations): string[] {
  return Object.entries(fields).flatMap(([name, { sort }]) => (sort === true && takesSort(interpretations, name) ? name : []));
}

/**
 * Reads one part of an order. The option `descending` decides the form of a descending order. Any other form stays in the name of the
 * field, so the sandbox refuses the field.
 */
function readKey(text: string, way: Interpretations['descending']): Key {
  if (way === 'minus' && text.startsWith('-')) return { name: text.slice(1), descending: true };
  const [, name, direction] = (way === 'suffix' ? /^(.*):(asc|desc)$/.exec(text) : null) ?? [];
  return { name: name ?? text, descending: direction === 'desc' };
}

export function descendingKey(name: string, way: 'minus' | 'suffix'): string {
  return way === 'minus' ? `-${name}` : `${name}:desc`;
}

function orderBy(resource: ServedResource, named: readonly Key[]): Order {
  const keys = named.map(({ name, descending }) => {
    const field = resource.fields[name];
    return { name: field?.storedAs ?? name, descending, numeric: ['money', 'decimal'].includes(field?.type ?? '') };
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

function compareValues(a: Json, b: Json): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

export function sortRows(rows: readonly Row[], order: Order): Row[] {
  const keyed = rows.map((row) => ({ row, position: order.positionOf(row) }));
  keyed.sort((a, b) => order.compare(a.position, b.position));
  return keyed.map(({ row }) => row);
}

/**
 * Returns the index of the first sorted row at or after a position. With `after`, the result leaves out a row at exactly this position. If
 * all rows come before this position, the result is the number of rows.
 */
export function seek(rows: readonly Row[], order: Order, position: RowPosition, after: boolean): number {
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

export interface Cursor {
  readonly back: boolean;
  readonly position: RowPosition;
}

export function cursorFingerprint(parts: readonly Json[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}

export function writeCursor(query: string, { back, position }: Cursor): string {
  return Buffer.from(JSON.stringify({ q: query, b: back, p: position })).toString('base64url');
}

/** Reads the position in a cursor. @throws Problem 400 `invalid-cursor` if the cursor belongs to another query or is damaged. */
export function readCursor(query: string, text: string): Cursor {
  const value = parseObject(Buffer.from(text, 'base64url').toString('utf8'));
  if (value?.['q'] !== query || !Array.isArray(value['p']) || typeof value['b'] !== 'boolean') {
    throw new Problem(400, 'invalid-cursor', 'The cursor was made for another query. Start again without it.', {
      members: { code: 'invalid_cursor', parameter: 'cursor' },
    });
  }
  return { back: value['b'], position: value['p'] };
}
