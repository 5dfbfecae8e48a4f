import type { Resource } from '../catalog/define.ts';
import type { ValueKind } from '../values/kind.ts';
import { columnNames, isColumnName } from './sql-values.ts';

/** The most columns of a table: in PostgreSQL, a row with twenty bytes for each field must fit into a page of 8 kB. */
export const MOST_COLUMNS = 400;

/** The table of one resource. */
export interface TableShape {
  /** `work-items`, `work-items.comments`. */
  readonly noun: string;
  /** `id` first, then the fields that an imported API spec names. Every table has these columns, and values do not change their types. */
  readonly columns: readonly StoredColumn[];
  /** Types of further fields, for when a record has them. */
  readonly expected?: ReadonlyMap<string, ExpectedColumn>;
}

export interface StoredColumn {
  readonly name: string;
  /** SQLite still takes any value. */
  readonly type: StoredType;
  /** Kind of the texts in a TEXT column, if other databases have a type for it. */
  readonly holds?: TextKind;
}

/** A column that a field may get. Its values decide, unless the type is fixed. */
export interface ExpectedColumn extends StoredColumn {
  /** svc itself selects rows by this column: it comes before others, and values that do not fit are NULL. */
  readonly isFixed?: true;
}

/** A day, a time, or a decimal number. */
export type TextKind = 'day' | 'moment' | 'decimal';

export type StoredType = 'INTEGER' | 'BOOLEAN' | 'NUMERIC' | 'TEXT' | 'JSON TEXT';

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
/** Times by which svc finds changes. */
const STAMPS: readonly ExpectedColumn[] = [
  { name: 'created_at', type: 'TEXT', holds: 'moment', isFixed: true },
  { name: 'updated_at', type: 'TEXT', holds: 'moment', isFixed: true },
];

/**
 * Returns the columns of a resource: the fields that an imported API spec names, in its order. The types of other fields are those of the
 * catalog, as far as the values fit.
 *
 * @param key the field that names the parent, for child records.
 */
export function shapeOf(noun: string, resource: Pick<Resource, 'described' | 'fields'> | undefined, key?: string): TableShape {
  const fields = Object.entries(resource?.fields ?? {}).flatMap(([name, { kind, writeOnly }]): StoredColumn[] => {
    // svc does not request what `include` would add; the id is there.
    const isRelation = kind === 'json' && Object.hasOwn(resource?.fields ?? {}, `${name}_id`);
    const holds = HOLDS[kind];
    return isRelation || writeOnly ? [] : [{ name, type: TYPES[kind] ?? 'TEXT', ...(holds !== undefined && { holds }) }];
  });
  const keys: readonly ExpectedColumn[] = key === undefined ? [] : [{ name: key, type: 'INTEGER', isFixed: true }];
  const expected = new Map([...fields, ...keys, ...STAMPS].map((column): [string, ExpectedColumn] => [column.name, column]));
  const isSpec = resource?.described !== undefined && resource.described.open === undefined;
  const named = isSpec ? [ID, ...fields.filter(({ name }) => name !== 'id' && isColumnName(name))] : [ID];
  const own = new Set(columnNames(named.map(({ name }) => name)).own.slice(0, MOST_COLUMNS));
  return {
    noun,
    columns: named.filter(({ name }) => own.has(name)).map(({ name }) => (name === 'id' ? ID : (expected.get(name) ?? ID))),
    expected,
  };
}
