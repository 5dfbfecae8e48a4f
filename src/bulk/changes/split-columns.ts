import type { Resource } from '../../catalog/define.ts';
import { columnNames, isColumnName, OTHERS } from '../../database/sql-values.ts';
import { MOST_COLUMNS, type StoredType, shapeOf } from '../../database/table-shape.ts';
import { isRawNumber, type JsonObject, type JsonValue, stringifyJson } from '../../values/json.ts';

/** A field that each line of a file has. In a `json` column, each value is a string of JSON. */
interface SplitColumn {
  readonly name: string;
  readonly type: 'boolean' | 'json' | 'number' | 'string';
}

const TYPES: Readonly<Record<StoredType, SplitColumn['type']>> = {
  INTEGER: 'number',
  NUMERIC: 'number',
  BOOLEAN: 'boolean',
  TEXT: 'string',
  'JSON TEXT': 'json',
};

/** Matches the names that DuckDB, ClickHouse and BigQuery accept as the name of a column. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Chooses the columns of a new file: the fields of the catalog, the API spec and the first records. The values of the first records decide
 * the type. Without a value, the catalog or the API spec decides. A field with values of several types, or with lists or objects, is a
 * `json` column. Fields of unknown type, and fields with unusual names, have no column. Returns at most {@link MOST_COLUMNS} columns.
 */
export function chooseColumns(resource: Resource | undefined, records: readonly JsonObject[]): readonly SplitColumn[] {
  const expected = shapeOf('', resource).expected ?? new Map();
  const names = new Set(['id', ...expected.keys(), ...records.flatMap((record) => Object.keys(record))]);
  const plain = [...names].filter((name) => isColumnName(name) && PLAIN_NAME.test(name));
  const columns = columnNames(plain).own.flatMap((name): SplitColumn[] => {
    const types = new Set(records.flatMap((record) => (Object.hasOwn(record, name) ? typeOf(record[name] ?? null) : undefined) ?? []));
    const known = expected.get(name);
    const [type = known && TYPES[known.type as StoredType]] = types;
    return type === undefined ? [] : [{ name, type: types.size > 1 ? 'json' : type }];
  });
  return columns.slice(0, MOST_COLUMNS);
}

/** Returns the values of a record, in the order of the columns. Other fields, and values of other types, are JSON in the last column. */
export function columnValues(record: JsonObject, columns: readonly SplitColumn[]): JsonObject {
  const others = new Map(Object.entries(record).filter(([, value]) => value !== null));
  const values = columns.map(({ name, type }): [string, JsonValue] => {
    const value = others.get(name) ?? null;
    const fits = value !== null && (type === 'json' || typeOf(value) === type);
    if (fits) others.delete(name);
    return [name, !fits ? null : type === 'json' ? stringifyJson(value) : value];
  });
  return Object.fromEntries([...values, [OTHERS, others.size === 0 ? null : stringifyJson(Object.fromEntries(others))]]);
}

function typeOf(value: JsonValue): SplitColumn['type'] | undefined {
  if (value === null) return undefined;
  if (typeof value === 'object') return isRawNumber(value) ? 'number' : 'json';
  return typeof value as 'boolean' | 'number' | 'string';
}
