import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from '../../values/json.ts';

/** What a column of a database holds; each one holds all that those before it do. */
export type ColumnType = 'boolean' | 'integer' | 'real' | 'text' | 'json';

/** The fields of some records, in the order they first appear, and what fits all their values. */
export async function columnsOf(records: AsyncIterable<JsonObject>): Promise<Map<string, ColumnType>> {
  const columns = new Map<string, ColumnType | undefined>();
  for await (const record of records) {
    for (const [name, value] of Object.entries(record)) columns.set(name, wider(columns.get(name), typeOf(value)));
  }
  return new Map([...columns].map(([name, type]) => [name, type ?? 'text']));
}

/** Undefined for null, which fits anything. */
function typeOf(value: JsonValue): ColumnType | undefined {
  if (value === null) return undefined;
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'real';
  if (Array.isArray(value) || isJsonObject(value)) return 'json';
  // A number that JavaScript would change is kept as its text.
  return isRawNumber(value) ? 'text' : 'text';
}

function wider(one: ColumnType | undefined, other: ColumnType | undefined): ColumnType | undefined {
  if (one === undefined || one === other) return other ?? one;
  if (other === undefined) return one;
  const numbers = new Set<ColumnType>([one, other]);
  return numbers.size === 2 && numbers.has('integer') && numbers.has('real') ? 'real' : 'text';
}
