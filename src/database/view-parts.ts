import type { ExistingTable, ExistingTables } from './existing-tables.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { quoted, recordTable, tableName } from './sql-values.ts';

export type Joining = ReturnType<typeof joining>;

export interface ViewParts {
  /** The query. Undefined if svc can’t create the view without a missing column. */
  readonly select: string | undefined;
  /** The columns that the view lacks, each with the missing table column. An empty name means the whole view. */
  readonly lacks: ReadonlyMap<string, string>;
  /** The index that the view needs to be fast: a table, and SQL that is true for the indexed rows. */
  readonly index?: ViewIndex | undefined;
}

/** A partial index on the id of a table. */
export interface ViewIndex {
  readonly table: string;
  readonly where: string;
}

/** Returns the result for a view that svc can’t create. @param needs the missing column of a table. */
export function noView(needs: string): ViewParts {
  return { select: undefined, lacks: new Map([['', needs]]) };
}

/** Returns the first missing column, such as `worklogs.minutes`. Undefined if all columns exist. */
export function missingColumn(tables: ExistingTables, noun: string, ...columns: readonly string[]): string | undefined {
  const there = tables.get(noun);
  const missing = columns.find((column) => !there?.columns.has(column));
  return missing === undefined ? undefined : `${there?.table ?? tableName(noun)}.${missing}`;
}

/**
 * Builds the query of a view from existing tables and columns. Each row of the first table becomes a row of the view. The view lacks the
 * columns that do not exist.
 */
export function joining(tables: ExistingTables, dialect: SqlDialect, first: ExistingTable, alias: string) {
  const joined = new Map<string, ExistingTable>([[alias, first]]);
  const columns: string[] = [];
  const nouns = new Map<string, string>();
  const lacks = new Map<string, string>();
  let index: ViewIndex | undefined;
  const from = [`FROM ${dialect.table(first.table)} AS ${alias}`];
  const has = (of: string, column: string) => joined.get(of)?.columns.has(column) ?? false;
  return {
    has,
    /** Joins the table of related records by a column that contains their ids. */
    join(noun: string, other: string, of: string, reference: string) {
      const found = tables.get(noun);
      nouns.set(other, has(of, reference) ? tableName(noun) : `${joined.get(of)?.table ?? nouns.get(of)}.${reference}`);
      if (found === undefined || !found.columns.has('id') || !has(of, reference)) return;
      joined.set(other, found);
      from.push(`LEFT JOIN ${dialect.table(found.table)} AS ${other} ON ${other}."id" = ${of}.${quoted(reference)}`);
    },
    /**
     * Adds a column of a joined table to the view, or records that the view lacks the column.
     *
     * @param name name in the view. Default: the name of the column.
     */
    take(of: string, column: string, name = column) {
      if (has(of, column)) columns.push(`${of}.${quoted(column)} AS ${quoted(name)}`);
      else {
        const table = joined.get(of)?.table ?? nouns.get(of) ?? of;
        lacks.set(name, table.includes('.') ? table : `${table}.${column}`);
      }
    },
    say: (name: string, expression: string) => void columns.push(`${expression} AS ${quoted(name)}`),
    /** Returns SQL that is true if the original record of a row lacks one of the fields. Call this function once for each view. */
    lacksFields(of: string, fields: readonly string[]) {
      const table = joined.get(of)?.table ?? first.table;
      if (!dialect.hasIndexOfLacking) return `NOT ${showsFields(dialect, { table }, of, fields)}`;
      const where = (record: string) => `(${fields.map((field) => dialect.shows(record, field)).join(' AND ')}) IS NOT TRUE`;
      index = { table: dialect.table(recordTable(table)), where: where('"record"') };
      from.push(`LEFT JOIN ${index.table} AS r ON r."id" = ${of}."id" AND ${where('r."record"')}`);
      return 'r."id" IS NOT NULL';
    },
    /** Records that the view lacks a column. @param needs the missing column of a table. */
    lack: (name: string, needs: string) => void lacks.set(name, needs),
    end: (): ViewParts => ({ select: `SELECT ${columns.join(',\n  ')}\n${from.join('\n')}`, lacks, index }),
  };
}

/** Returns SQL that is true if a row’s original record has all the fields. A column is NULL for a null or missing field. */
export function showsFields(
  dialect: SqlDialect,
  { table }: Pick<ExistingTable, 'table'>,
  alias: string,
  fields: readonly string[],
): string {
  const record = dialect.table(recordTable(table));
  return `(SELECT ${fields.map((field) => dialect.shows('r."record"', field)).join(' AND ')} FROM ${record} AS r WHERE r."id" = ${alias}."id")`;
}

export function hasAll(there: ExistingTable | undefined, ...columns: readonly string[]): there is ExistingTable {
  return there !== undefined && columns.every((column) => there.columns.has(column));
}
