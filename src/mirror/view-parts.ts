import type { SqlDialect } from './sql-dialect.ts';
import { quoted, recordTable, tableName } from './sql-values.ts';
import type { TablesThere, TableThere } from './tables-there.ts';

/** Joins existing tables and columns; missing ones are left out of the view. */
export interface Joining {
  /** Whether a joined table has a column. */
  has(alias: string, column: string): boolean;
  /** Joins the record that a column names by its id. */
  join(noun: string, alias: string, from: string, reference: string): void;
  /** Adds a column of a table, by another name if one is given. */
  take(alias: string, column: string, name?: string): void;
  /** Adds an expression as a column. */
  say(name: string, expression: string): void;
  /** Leaves out a column of the view. @param needs the missing column. */
  lack(name: string, needs: string): void;
  end(): ViewParts;
}

/** The query of a view, as far as the existing tables allow it. */
export interface ViewParts {
  /** Undefined if a column is missing without which the view makes no sense. */
  readonly select: string | undefined;
  /** The columns that the view lacks, each with the missing column of a table. The empty name stands for the view itself. */
  readonly lacks: ReadonlyMap<string, string>;
}

/** A view that can’t be made. @param needs the missing column. */
export function noView(needs: string): ViewParts {
  return { select: undefined, lacks: new Map([['', needs]]) };
}

/** Returns the first of these columns that is missing, as `worklogs.minutes`; undefined if none is. */
export function missingColumn(tables: TablesThere, noun: string, ...columns: readonly string[]): string | undefined {
  const there = tables.get(noun);
  const missing = columns.find((column) => !there?.columns.has(column));
  return missing === undefined ? undefined : `${there?.table ?? tableName(noun)}.${missing}`;
}

/** Begins a view with one table: each of its rows is a row of the view. */
export function joining(tables: TablesThere, dialect: SqlDialect, first: TableThere, alias: string): Joining {
  const joined = new Map<string, TableThere>([[alias, first]]);
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

/** SQL for whether the record of a row has a field, null or not: in a column, an absent field is NULL too. */
export function showsField(dialect: SqlDialect, { table }: TableThere, alias: string, field: string): string {
  const record = dialect.table(recordTable(table));
  return `(SELECT ${dialect.shows('r."record"', field)} FROM ${record} AS r WHERE r."id" = ${alias}."id")`;
}

export function hasAll(there: TableThere | undefined, ...columns: readonly string[]): there is TableThere {
  return there !== undefined && columns.every((column) => there.columns.has(column));
}
