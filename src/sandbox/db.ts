import type { Json, Row, Values } from './json.ts';

class Table {
  revision = 0;
  readonly #rows = new Map<number, Row>();
  readonly rows: ReadonlyMap<number, Row> = this.#rows;
  readonly #revisions = new Map<number, number>();
  #indexes = new Map<string, ReadonlyMap<Json, readonly Row[]>>();
  /** The highest id so far. Includes deleted rows, because the sandbox never reuses an id. */
  #lastId = 0;

  /** Returns a number that increases with every change of a row. Strong ETags depend on this number. */
  revisionOf(id: number): number {
    return this.#revisions.get(id) ?? 0;
  }

  get(id: number): Row | undefined {
    return this.#rows.get(id);
  }

  where(field: string, value: Json): readonly Row[] {
    const index = this.#indexes.get(field) ?? Map.groupBy(this.#rows.values(), (row) => row[field] ?? null);
    this.#indexes.set(field, index);
    return index.get(value) ?? [];
  }

  insert(values: Values): Row {
    this.#lastId += 1;
    return this.#put({ ...values, id: this.#lastId });
  }

  update(id: number, changes: Values): Row {
    const row = this.#rows.get(id);
    if (row === undefined) throw new RangeError(`no row ${id}`);
    return this.#put({ ...row, ...changes, id });
  }

  remove(id: number): void {
    this.#rows.delete(id);
    this.#touch(id);
  }

  dump() {
    return { lastId: this.#lastId, rows: [...this.#rows.values()].map((row) => ({ row, revision: this.revisionOf(row.id) })) };
  }

  load({ lastId, rows }: ReturnType<Table['dump']>): void {
    this.#rows.clear();
    this.#revisions.clear();
    for (const { row, revision } of rows) {
      this.#put(row);
      this.#revisions.set(row.id, revision);
    }
    this.#lastId = lastId;
  }

  #put(row: Row): Row {
    this.#rows.set(row.id, row);
    this.#touch(row.id);
    return row;
  }

  #touch(id: number): void {
    this.revision += 1;
    this.#revisions.set(id, this.revisionOf(id) + 1);
    if (this.#indexes.size > 0) this.#indexes = new Map();
  }
}

/** One table per resource. The name of a table is the name of its resource, such as `work-items`. */
export type Database = ReturnType<typeof createDatabase>;

export function createDatabase(resources: readonly string[]) {
  const tables: ReadonlyMap<string, Table> = new Map(resources.map((name) => [name, new Table()]));
  return {
    tables,
    table: (resource: string): Table => {
      const table = tables.get(resource);
      if (table === undefined) throw new RangeError(`no table ${resource}`);
      return table;
    },
  };
}
