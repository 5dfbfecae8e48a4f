import type { SqlDialect } from './sql-dialect.ts';
import { quoted, recordTable } from './sql-values.ts';
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
  select(): string;
}

/** Begins a view with one table: each of its rows is a row of the view. */
export function joining(tables: TablesThere, dialect: SqlDialect, first: TableThere, alias: string): Joining {
  const joined = new Map<string, TableThere>([[alias, first]]);
  const columns: string[] = [];
  const from = [`FROM ${dialect.table(first.table)} AS ${alias}`];
  const has = (of: string, column: string) => joined.get(of)?.columns.has(column) ?? false;
  return {
    has,
    join(noun, other, of, reference) {
      const found = tables.get(noun);
      if (found === undefined || !found.columns.has('id') || !has(of, reference)) return;
      joined.set(other, found);
      from.push(`LEFT JOIN ${dialect.table(found.table)} AS ${other} ON ${other}."id" = ${of}.${quoted(reference)}`);
    },
    take(of, column, name = column) {
      if (has(of, column)) columns.push(`${of}.${quoted(column)} AS ${quoted(name)}`);
    },
    say: (name, expression) => columns.push(`${expression} AS ${quoted(name)}`),
    select: () => `SELECT ${columns.join(',\n  ')}\n${from.join('\n')}`,
  };
}

/** SQL for whether the record of a row has a field, null or not: in a column, an absent field is NULL too. */
export function showsField(dialect: SqlDialect, { table }: TableThere, alias: string, field: string): string {
  const record = dialect.table(recordTable(table));
  return `(SELECT ${dialect.shows('r."record"', field)} FROM ${record} AS r WHERE r."id" = ${alias}."id")`;
}

/** SQL for a field of a row, with a column of its own or not; without one, the field is a text. */
export function fieldOf(dialect: SqlDialect, { columns }: TableThere, alias: string, field: string): string {
  return columns.has(field) ? `${alias}.${quoted(field)}` : dialect.otherField(alias, field);
}

export function hasAll(there: TableThere | undefined, ...columns: readonly string[]): there is TableThere {
  return there !== undefined && columns.every((column) => there.columns.has(column));
}
