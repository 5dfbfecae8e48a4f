import type { Resource } from '../catalog/define.ts';
import type { ValueKind } from '../values/kind.ts';
import { columnNames, MOST_COLUMNS } from './sql-values.ts';

/** A table of the mirror: one collection. */
export interface TableShape {
  /** `work-items`, `work-items.comments`. */
  readonly noun: string;
  /** `id` first. Fields of a record that are none of these are in the column for other fields. */
  readonly columns: readonly StoredColumn[];
}

export interface StoredColumn {
  readonly name: string;
  /** What it is meant to hold; SQLite takes any value all the same. */
  readonly type: StoredType;
  /** What the texts of a TEXT column are, where they are known to be of a kind that other databases have a type for. */
  readonly holds?: TextKind;
}

/** A day, a moment, or a number in decimals. */
export type TextKind = 'day' | 'moment' | 'decimal';

export type StoredType = 'INTEGER' | 'BOOLEAN' | 'TEXT' | 'JSON TEXT';

const TYPES: Partial<Record<ValueKind, StoredType>> = {
  id: 'INTEGER',
  user: 'INTEGER',
  'work-item': 'INTEGER',
  integer: 'INTEGER',
  duration: 'INTEGER',
  percentage: 'INTEGER',
  boolean: 'BOOLEAN',
  json: 'JSON TEXT',
};

const HOLDS: Partial<Record<ValueKind, TextKind>> = {
  date: 'day',
  'date-time': 'moment',
  'span-end': 'moment',
  money: 'decimal',
  decimal: 'decimal',
  coordinate: 'decimal',
};

const ID: StoredColumn = { name: 'id', type: 'INTEGER' };
/** What every record has, whatever else is known of it. */
const STAMPS: readonly StoredColumn[] = [
  { name: 'created_at', type: 'TEXT', holds: 'moment' },
  { name: 'updated_at', type: 'TEXT', holds: 'moment' },
];

/**
 * The columns of a collection: the fields that the catalog has, in its order. Of a collection that it does not know, what every record has.
 *
 * @param key the field that names the parent, of a collection below records.
 */
export function shapeOf(noun: string, resource: Pick<Resource, 'fields'> | undefined, key?: string): TableShape {
  const fields = Object.entries(resource?.fields ?? {}).flatMap(([name, { kind }]): StoredColumn[] => {
    // What `include` would add is not asked for; its id is there.
    const isRelation = kind === 'json' && Object.hasOwn(resource?.fields ?? {}, `${name}_id`);
    const holds = HOLDS[kind];
    return isRelation ? [] : [{ name, type: TYPES[kind] ?? 'TEXT', ...(holds !== undefined && { holds }) }];
  });
  const known: readonly StoredColumn[] = [
    ID,
    ...(key === undefined ? [] : [{ name: key, type: 'INTEGER' } as const]),
    ...fields,
    ...STAMPS,
  ];
  const first = known.filter(({ name }, index) => known.findIndex((column) => column.name === name) === index);
  const { own } = columnNames(first.map(({ name }) => name));
  const kept = new Set(own.slice(0, MOST_COLUMNS - 1));
  return { noun, columns: first.filter(({ name }) => kept.has(name)) };
}
