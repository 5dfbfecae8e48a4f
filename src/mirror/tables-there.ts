/** An existing table, from which views can be made. */
export interface TableThere {
  /** Name in SQL. */
  readonly table: string;
  /** Names and types, as the database lists them. */
  readonly columns: ReadonlyMap<string, string>;
}

/** The existing tables, by resource. */
export type TablesThere = ReadonlyMap<string, TableThere>;

/** A column of an existing table, as a database lists it. */
export interface ColumnThere {
  readonly noun: string;
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** Groups columns by table. */
export function tablesOf(columns: readonly ColumnThere[]): TablesThere {
  const tables = new Map<string, { readonly table: string; readonly columns: Map<string, string> }>();
  for (const { noun, table, name, type } of columns) {
    const there = tables.get(noun) ?? { table, columns: new Map() };
    there.columns.set(name, type);
    tables.set(noun, there);
  }
  return tables;
}
