import type { ExistingTable, ExistingTables } from './existing-tables.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { quoted, recordTable, tableName } from './sql-values.ts';

/** Builds the query of a view from existing tables and columns. The view lacks the columns that do not exist. */
export interface Joining {
  has(alias: string, column: string): boolean;
  /** Joins the table of related records by a column that contains their ids. */
  join(noun: string, alias: string, from: string, reference: string): void;
  /** Adds a column of a joined table to the view. @param name name in the view. Default: the name of the column. */
  take(alias: string, column: string, name?: string): void;
  say(name: string, expression: string): void;
  /** Records that the view lacks a column. @param needs the missing column of a table. */
  lack(name: string, needs: string): void;
  end(): ViewParts;
}

/** The query of a view, and the columns that the view lacks. */
export interface ViewParts {
  /** The query. Undefined if the view makes no sense without a missing column. */
  readonly select: string | undefined;
  /** The columns that the view lacks, each with the missing table column. An empty name means the whole view. */
  readonly lacks: ReadonlyMap<string, string>;
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

/** Starts a view from one table. Each row of the table becomes a row of the view. */
export function joining(tables: ExistingTables, dialect: SqlDialect, first: ExistingTable, alias: string): Joining {
  const joined = new Map<string, ExistingTable>([[alias, first]]);
  const columns: string[] = [];
  const nouns = new Map<string, string>();
  const lacks = new Map<string, string>();
  const from = [`FROM ${dialect.table(first.table)} AS ${alias}`];
  const has = (of: string, column: string) => joined.get(of)?.columns.has(column) ?? false;
  return {
    has,
    join(noun, other, of, reference) {
      const found = tables.get(noun);
      nouns.set(other, has(of, reference) ? tableName(noun) : `${joined.get(of)?.table ?? nouns.get(of)}.${reference}`);
      if (found === undefined || !found.columns.has('id') || !has(of, reference)) return;
      joined.set(other, found);
      from.push(`LEFT JOIN ${dialect.table(found.table)} AS ${other} ON ${other}."id" = ${of}.${quoted(reference)}`);
    },
    take(of, column, name = column) {
      if (has(of, column)) columns.push(`${of}.${quoted(column)} AS ${quoted(name)}`);
      else {
        const table = joined.get(of)?.table ?? nouns.get(of) ?? of;
        lacks.set(name, table.includes('.') ? table : `${table}.${column}`);
      }
    },
    say: (name, expression) => columns.push(`${expression} AS ${quoted(name)}`),
    lack: (name, needs) => void lacks.set(name, needs),
    end: () => ({ select: `SELECT ${columns.join(',\n  ')}\n${from.join('\n')}`, lacks }),
  };
}

/** Returns SQL that is true if a row’s original record has all the fields. A column is NULL for a null or missing field. */
export function showsFields(dialect: SqlDialect, { table }: ExistingTable, alias: string, fields: readonly string[]): string {
  const record = dialect.table(recordTable(table));
  return `(SELECT ${fields.map((field) => dialect.shows('r."record"', field)).join(' AND ')} FROM ${record} AS r WHERE r."id" = ${alias}."id")`;
}

export function hasAll(there: ExistingTable | undefined, ...columns: readonly string[]): there is ExistingTable {
  return there !== undefined && columns.every((column) => there.columns.has(column));
}
