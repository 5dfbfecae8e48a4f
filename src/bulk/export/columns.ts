import { isJsonObject, type JsonObject, type JsonValue } from '../../values/json.ts';

export type ColumnType = 'boolean' | 'integer' | 'real' | 'text' | 'json';

export async function columnsOf(records: AsyncIterable<JsonObject>): Promise<Map<string, ColumnType>> {
  const columns = new Map<string, ColumnType | undefined>();
  for await (const record of records) {
    for (const [name, value] of Object.entries(record)) columns.set(name, wider(columns.get(name), typeOf(value)));
  }
  return new Map([...columns].map(([name, type]) => [name, type ?? 'text']));
}

/** Returns the column type of a value. Returns undefined for null, because every type allows null. */
function typeOf(value: JsonValue): ColumnType | undefined {
  if (value === null) return undefined;
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'real';
  if (Array.isArray(value) || isJsonObject(value)) return 'json';
  // A number that JavaScript can’t represent exactly arrives as a string, and stays a string.
  return 'text';
}

function wider(one: ColumnType | undefined, other: ColumnType | undefined): ColumnType | undefined {
  if (one === undefined || one === other) return other ?? one;
  if (other === undefined) return one;
  const numbers = new Set<ColumnType>([one, other]);
  return numbers.size === 2 && numbers.has('integer') && numbers.has('real') ? 'real' : 'text';
}
