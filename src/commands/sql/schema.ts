import type { SqlTable } from '../../database/query-database.ts';
import { UsageError } from '../../errors.ts';
import type { JsonObject } from '../../values/json.ts';
import { didYouMean } from '../../values/suggest.ts';

/**
 * Lists the columns of the tables, a row each. The `as_of` of a view comes from the table with the oldest check. `rows` and the other state
 * columns of a view are null.
 */
export function schemaRows(tables: readonly SqlTable[]): readonly JsonObject[] {
  return tables.flatMap((table) =>
    table.columns.map((column) => ({ table: table.name, column: column.name, type: column.type, ...stateOf(table) })),
  );
}

export function tableRows(tables: readonly SqlTable[]): readonly JsonObject[] {
  return tables.map((table) => ({ table: table.name, ...stateOf(table) }));
}

function stateOf({ of, isView }: SqlTable) {
  const [oldest] = of.toSorted((one, other) => (one.as_of < other.as_of ? -1 : 1));
  const state = isView ? undefined : oldest;
  return {
    rows: state?.rows ?? null,
    as_of: oldest?.as_of ?? null,
    whole_at: state?.whole_at ?? null,
    known_by: state?.known_by ?? null,
    verified_at: state?.verified_at ?? null,
  };
}

export function tableNamed(tables: readonly SqlTable[], name: string): SqlTable {
  const found = tables.find((table) => table.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = tables.map((table) => table.name);
  throw new UsageError(`There is no table ${name}.`, { hint: didYouMean(name, names, 'List the tables: svc sql --schema') });
}
