export interface ExistingTable {
  readonly table: string;
  /** The types of the columns by name, in the spelling of the database. */
  readonly columns: ReadonlyMap<string, string>;
}

export type ExistingTables = ReadonlyMap<string, ExistingTable>;

export interface ExistingColumn {
  readonly noun: string;
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

export function tablesOf(columns: readonly ExistingColumn[]): ExistingTables {
  const tables = new Map<string, { readonly table: string; readonly columns: Map<string, string> }>();
  for (const { noun, table, name, type } of columns) {
    const there = tables.get(noun) ?? { table, columns: new Map() };
    there.columns.set(name, type);
    tables.set(noun, there);
  }
  return tables;
}
