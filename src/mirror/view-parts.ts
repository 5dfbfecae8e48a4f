import type { SqlDialect } from './sql-dialect.ts';
import { quoted, recordTable } from './sql-values.ts';
import type { TablesThere, TableThere } from './tables-there.ts';

/** Joins tables as far as they and their columns are there: what is not is left out of the view. */
export interface Joining {
  /** Whether a table was joined, and has a column. */
  has(alias: string, column: string): boolean;
  /** Joins the record that a column names by its id. */
  join(noun: string, alias: string, from: string, reference: string): void;
  /** A column of the view: that of a table, by another name where one is given. */
  take(alias: string, column: string, name?: string): void;
  /** A column of the view: an expression. */
  say(name: string, expression: string): void;
  select(): string;
}

/** Begins with one table, whose rows are those of the view. */
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

/** Whether the record of a row has a field, null or not: in a column, an absent one is NULL too. */
export function showsField(dialect: SqlDialect, { table }: TableThere, alias: string, field: string): string {
  const record = dialect.table(recordTable(table));
  return `(SELECT ${dialect.shows('r."record"', field)} FROM ${record} AS r WHERE r."id" = ${alias}."id")`;
}

/** A field of a row, whether it has a column of its own or not; without one, it is a text. */
export function fieldOf(dialect: SqlDialect, { columns }: TableThere, alias: string, field: string): string {
  return columns.has(field) ? `${alias}.${quoted(field)}` : dialect.otherField(alias, field);
}

/** Whether a table has all of these. */
export function hasAll(there: TableThere | undefined, ...columns: readonly string[]): there is TableThere {
  return there !== undefined && columns.every((column) => there.columns.has(column));
}
