/** A table that views may be made of. */
export interface TableThere {
  /** Its name in SQL. */
  readonly table: string;
  /** Names, and their types as the database calls them. */
  readonly columns: ReadonlyMap<string, string>;
}

/** Those of a mirror, by noun. */
export type TablesThere = ReadonlyMap<string, TableThere>;

/** A column of one, as a database lists it. */
export interface ColumnThere {
  readonly noun: string;
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** Puts the columns of one table together. */
export function tablesOf(columns: readonly ColumnThere[]): TablesThere {
  const tables = new Map<string, { readonly table: string; readonly columns: Map<string, string> }>();
  for (const { noun, table, name, type } of columns) {
    const there = tables.get(noun) ?? { table, columns: new Map() };
    there.columns.set(name, type);
    tables.set(noun, there);
  }
  return tables;
}
