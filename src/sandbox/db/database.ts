import { createTable, type Table } from './table.ts';

/** A table per resource, named as its collection is: `work-items`. */
export interface Database {
  table(resource: string): Table;
  readonly tables: ReadonlyMap<string, Table>;
}

export function createDatabase(resources: readonly string[]): Database {
  const tables = new Map(resources.map((name) => [name, createTable()]));
  return {
    tables,
    table: (resource) => {
      const table = tables.get(resource);
      if (table === undefined) throw new RangeError(`no table ${resource}`);
      return table;
    },
  };
}
