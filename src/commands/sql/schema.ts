import { UsageError } from '../../errors.ts';
import type { SqlTable } from '../../mirror/ask-sql.ts';
import type { JsonObject } from '../../values/json.ts';
import { nearest } from '../../values/suggest.ts';

/** A row a column; of a view, `as_of` is that of the oldest table that it is made of, and the rest is not known. */
export function schemaRows(tables: readonly SqlTable[]): readonly JsonObject[] {
  return tables.flatMap((table) =>
    table.columns.map((column) => ({ table: table.name, column: column.name, type: column.type, ...stateOf(table) })),
  );
}

/** A row a table. */
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
  };
}

/** The table of a name. @throws UsageError */
export function tableNamed(tables: readonly SqlTable[], name: string): SqlTable {
  const found = tables.find((table) => table.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const near = nearest(
    name,
    tables.map((table) => table.name),
  );
  throw new UsageError(`There is no table ${name}.`, {
    hint: near === undefined ? 'What there is: svc sql --schema' : `Did you mean ${near}? What there is: svc sql --schema`,
  });
}
