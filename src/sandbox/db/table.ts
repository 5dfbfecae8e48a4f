import type { Json, Row, Values } from '../json.ts';

/** The rows of one resource, by id, with what is needed to answer quickly and to notice changes. */
export interface Table {
  readonly rows: ReadonlyMap<number, Row>;
  /** Goes up with every change to any row. */
  readonly revision: number;
  /** Goes up with every change to this row; what a strong ETag stands for. */
  revisionOf(id: number): number;
  get(id: number): Row | undefined;
  /** Rows whose field has this value; answered from an index. */
  where(field: string, value: Json): readonly Row[];
  insert(values: Values): Row;
  update(id: number, changes: Values): Row;
  remove(id: number): void;
  /** Everything there is to keep. */
  dump(): TableDump;
  /** Replaces everything. */
  load(dump: TableDump): void;
}

/** A table's contents as JSON. */
export interface TableDump {
  /** The highest id counts even when its row is deleted: no id is given twice. */
  readonly lastId: number;
  readonly rows: readonly { readonly row: Row; readonly revision: number }[];
}

export function createTable(): Table {
  const rows = new Map<number, Row>();
  const revisions = new Map<number, number>();
  let indexes = new Map<string, Map<Json, Row[]>>();
  let lastId = 0;
  let revision = 0;

  const put = (row: Row): Row => {
    rows.set(row.id, row);
    touch(row.id);
    return row;
  };
  const touch = (id: number): void => {
    revision += 1;
    revisions.set(id, (revisions.get(id) ?? 0) + 1);
    if (indexes.size > 0) indexes = new Map();
  };
  const indexOf = (field: string): Map<Json, Row[]> => {
    const known = indexes.get(field);
    if (known !== undefined) return known;
    const index = new Map<Json, Row[]>();
    for (const row of rows.values()) {
      const value = row[field] ?? null;
      const group = index.get(value);
      if (group === undefined) index.set(value, [row]);
      else group.push(row);
    }
    indexes.set(field, index);
    return index;
  };

  return {
    rows,
    get revision() {
      return revision;
    },
    revisionOf: (id) => revisions.get(id) ?? 0,
    get: (id) => rows.get(id),
    where: (field, value) => indexOf(field).get(value) ?? [],
    insert: (values) => {
      lastId += 1;
      return put({ ...values, id: lastId });
    },
    update: (id, changes) => {
      const row = rows.get(id);
      if (row === undefined) throw new RangeError(`no row ${id}`);
      return put({ ...row, ...changes, id });
    },
    remove: (id) => {
      rows.delete(id);
      touch(id);
    },
    dump: () => ({ lastId, rows: [...rows.values()].map((row) => ({ row, revision: revisions.get(row.id) ?? 0 })) }),
    load: (dump) => {
      rows.clear();
      revisions.clear();
      for (const { row, revision: own } of dump.rows) {
        put(row);
        revisions.set(row.id, own);
      }
      lastId = dump.lastId;
    },
  };
}
