import { UsageError } from '../errors.ts';
import { nearest } from '../values/suggest.ts';
import type { SqlText } from './sql-text.ts';

// The rules for a query that a person types, for SQLite and PostgreSQL.

/** Refuses a text that is not exactly one statement. @throws UsageError if a text is empty or has several statements. */
export function checkOneStatement({ verb, isSeveral }: Pick<SqlText, 'verb' | 'isSeveral'>): void {
  if (verb === '') throw new UsageError('"svc sql" needs a query.', { hint: "For example: svc sql 'SELECT count(*) FROM worklogs'" });
  if (isSeveral) throw new UsageError('The text contains more than one statement.', { hint: 'Run one statement at a time.' });
}

/**
 * Compares the parameters of a query with the given values.
 *
 * @param wanted names of the parameters in the query.
 * @param given names of the values.
 * @throws UsageError for a parameter without a value, or a value without a parameter.
 */
export function checkParameters(wanted: readonly string[], given: readonly string[]): void {
  const missing = wanted.find((name) => !given.includes(name));
  if (missing !== undefined)
    throw new UsageError(`The query has a parameter :${missing}, but you gave no value.`, { hint: `Add --param ${missing}=…` });
  const strange = given.find((name) => !wanted.includes(name));
  if (strange === undefined) return;
  const near = nearest(strange, [...wanted]);
  throw new UsageError(`The query has no parameter :${strange}.`, {
    hint: near === undefined ? `Write :${strange} in the query.` : `Did you mean --param ${near}=…`,
  });
}

/**
 * Returns the column names of an answer. In svc, a name with a dot means a field within a field. A column with a dot in its name therefore
 * gets a name with its position, such as `column_2`.
 *
 * @throws UsageError if two columns have the same name.
 */
export function answerColumns(named: readonly string[]): readonly string[] {
  const columns = named.map((name, index) => (name.includes('.') ? `column_${index + 1}` : name));
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(`Two columns of the answer have the name ${twice}.`, {
      hint: `Rename one of the columns in the query: … AS other_${twice.replace(/\W/g, '_')}`,
    });
  return columns;
}
