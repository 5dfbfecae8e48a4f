import type { Resource } from '../catalog/define.ts';
import type { ValueKind } from '../values/kind.ts';
import { columnNames, MOST_COLUMNS } from './sql-values.ts';

/** The table of one resource. */
export interface TableShape {
  /** `work-items`, `work-items.comments`. */
  readonly noun: string;
  /** `id` first. All other fields of a record go to the column for other fields. */
  readonly columns: readonly StoredColumn[];
}

export interface StoredColumn {
  readonly name: string;
  /** Type by the catalog; SQLite still takes any value. */
  readonly type: StoredType;
  /** Kind of the texts in a TEXT column, if other databases have a type for it. */
  readonly holds?: TextKind;
}

/** A day, a time, or a decimal number. */
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
/** Fields that every record has. */
const STAMPS: readonly StoredColumn[] = [
  { name: 'created_at', type: 'TEXT', holds: 'moment' },
  { name: 'updated_at', type: 'TEXT', holds: 'moment' },
];

/**
 * Returns the columns of a resource: the fields of the catalog, in its order. A resource outside the catalog gets the fields that every
 * record has.
 *
 * @param key the field that names the parent, for child records.
 */
export function shapeOf(noun: string, resource: Pick<Resource, 'fields'> | undefined, key?: string): TableShape {
  const fields = Object.entries(resource?.fields ?? {}).flatMap(([name, { kind }]): StoredColumn[] => {
    // svc does not request what `include` would add; the id is there.
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
