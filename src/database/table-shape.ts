import type { Resource } from '../catalog/define.ts';
import type { ValueKind } from '../values/kind.ts';
import { columnNames, isColumnName } from './sql-values.ts';

/**
 * The most columns in a table. Further fields go into the column for other fields. In PostgreSQL, a row with twenty bytes per field must
 * fit into a page of 8 kB.
 */
export const MOST_COLUMNS = 400;

export interface TableShape {
  /** The name of the resource, such as `work-items` or `work-items.comments`. */
  readonly noun: string;
  /**
   * `id`, followed by the fields that an imported API spec names. The table always has these columns, and their types do not depend on
   * values.
   */
  readonly columns: readonly StoredColumn[];
  /** The types of further fields. svc adds the column when a record has the field. */
  readonly expected?: ReadonlyMap<string, ExpectedColumn>;
}

export interface StoredColumn {
  readonly name: string;
  /** The declared type. SQLite still accepts any value in the column. */
  readonly type: StoredType;
  /** The kind of the texts in a TEXT column. Absent if PostgreSQL has no special type for these texts. */
  readonly holds?: TextKind;
}

/** A column that a field may get. The values decide the type, unless the type is fixed. */
export interface ExpectedColumn extends StoredColumn {
  /**
   * True if svc itself selects rows by this column. The column takes precedence over other columns, and values that do not fit become NULL.
   */
  readonly isFixed?: true;
}

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

/** Returns the name under which the database stores the fields that occur in the records of a table. */
export const fieldsName = (noun: string) => `fields ${noun}`;
/** Returns the name under which the database stores the columns that the views of other people need. */
export const heldName = (noun: string) => `held columns ${noun}`;

const ID: StoredColumn = { name: 'id', type: 'INTEGER' };
/** The columns `created_at` and `updated_at`, by which svc finds new and changed records. */
const STAMPS: readonly ExpectedColumn[] = [
  { name: 'created_at', type: 'TEXT', holds: 'moment', isFixed: true },
  { name: 'updated_at', type: 'TEXT', holds: 'moment', isFixed: true },
];

/**
 * Returns the columns for the table of a resource. The fields of an imported API spec come first, in the order of the spec. Other fields
 * have the type of the catalog, if their values fit.
 *
 * @param key field with the parent’s id; only for child records.
 */
export function shapeOf(noun: string, resource: Pick<Resource, 'described' | 'fields'> | undefined, key?: string): TableShape {
  const fields = Object.entries(resource?.fields ?? {}).flatMap(([name, { kind, writeOnly }]): StoredColumn[] => {
    // svc does not request related records, because the column with their id is enough.
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
