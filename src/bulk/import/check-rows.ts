import type { Resource } from '../../catalog/define.ts';
import { isWritable } from '../../catalog/rules.ts';
import { naming } from '../../cli/naming.ts';
import type { Options } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { type ReadingValues, readBodyValue, type ValueOf } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownEntry } from '../../values/json.ts';
import { AT_ONCE, inOrder } from '../in-order.ts';
import type { ExistingRecord } from './identify-row.ts';
import type { SourceRow } from './source.ts';

export interface Translation {
  readonly description: string;
  readonly options: Options;
  /** Reads the rows of a file in the format of this conversion, such as klog. Returns undefined for any other file, such as CSV. */
  read?(text: string): readonly SourceRow[] | undefined;
  /** The columns of {@link SourceRow.shown} that a dry run prints, in order. */
  readonly shows?: readonly string[];
  /** Converts rows to the field names and values of the resource. @throws UsageError that lists the unclear values. */
  rows(
    context: Needs<ReadingValues | 'notice'>,
    rows: readonly SourceRow[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<readonly SourceRow[]>;
  /** Reads the records on the days of the rows. @param own your user id, which the returned records leave out. */
  existing?(
    context: Needs<'account' | 'client' | 'noticeToday'>,
    own: number,
    rows: readonly JsonObject[],
  ): Promise<readonly ExistingRecord[]>;
}

export interface ReadyRow extends SourceRow {
  readonly body: JsonObject;
  /** The body by which svc recognises the row. A relative day such as `today` stays a word, so svc recognises the row on every date. */
  readonly typed: JsonObject;
}

/**
 * Converts every row to a request body, before svc sends the first row.
 *
 * @throws UsageError for a file without rows, and for invalid lines. The error names the first 50 invalid lines.
 */
export async function checkRows(
  context: Needs<ReadingValues>,
  resource: Resource,
  rows: readonly SourceRow[],
): Promise<readonly ReadyRow[]> {
  if (rows.length === 0)
    throw new UsageError('The file has no rows.', { hint: 'In a CSV file, the first line has the names of the fields.' });
  const ready: ReadyRow[] = [];
  const problems: string[] = [];
  const read = onceEach((value, text) => readBodyValue(context, value, text));
  const check = async (row: SourceRow): Promise<ReadyRow | string> => {
    try {
      const checked = { ...row, ...(await readRowBody(resource, row, read)) };
      checkComplete(resource, checked.body, 'row');
      if (Object.keys(checked.body).length === 0) throw new UsageError('the row has no field that svc can write.');
      return checked;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return `line ${row.line}: ${error.message}`;
    }
  };
  for await (const checked of inOrder(rows, AT_ONCE, check)) {
    if (typeof checked === 'string') problems.push(checked);
    else ready.push(checked);
  }
  if (problems.length === 0) return ready;
  throw new UsageError(`${problems.length} of ${rows.length} rows have a problem, so svc sent nothing.`, {
    hint: 'Fix these lines, then run the command again.',
    details: { lines: problems.slice(0, 50) },
  });
}

/** Checks that a body has each field that a create needs. Null counts as a value. @throws UsageError for a missing field. */
export function checkComplete({ fields }: Resource, body: JsonObject, what: 'row' | 'record'): void {
  for (const [name, field] of Object.entries(fields))
    if (field.required && field.assumed !== true && body[name] === undefined) throw new UsageError(`the ${what} has no ${name}.`);
}

export type ReadValue = (value: ValueOf, text: string) => Promise<JsonValue>;

/** Wraps a reader of values, and remembers each value. Many rows have the same work item, and each lookup of a key costs a request. */
export function onceEach(read: ReadValue): ReadValue {
  const known = new Map<string, Promise<JsonValue>>();
  return (of, text) => {
    const key = `${of.kind} ${of.ref ?? ''} ${text}`;
    const value = known.get(key) ?? read(of, text);
    known.set(key, value);
    return value;
  };
}

/**
 * Converts a row to a request body, and to the body by which svc recognises the row. Skips fields that a create can’t set. A column `user`
 * sets `user_id`, and a column `Due Date` sets `due_date`.
 */
async function readRowBody(resource: Resource, { values, columns }: SourceRow, read: ReadValue): Promise<Pick<ReadyRow, 'body' | 'typed'>> {
  const body: Record<string, JsonValue> = {};
  const typed: Record<string, JsonValue> = {};
  for (const [column, given] of Object.entries(values)) {
    const own = fieldNamed(resource, column);
    const name = resource.fields[`${own}_id`] !== undefined && !isWritable(resource.fields[own], 'create') ? `${own}_id` : own;
    // A relation can be a whole record, as in the output of svc. The row then uses the id of that record.
    const value = name !== own && isJsonObject(given) ? given['id'] : given;
    const field = ownEntry(resource.fields, name);
    if (value === undefined || (field !== undefined && !isWritable(field, 'create'))) continue;
    // If another column has the exact name of the field, that column takes precedence.
    if (name !== column && ownEntry(values, name) !== undefined) continue;
    const where = `column "${columns?.[column] ?? column}"`;
    body[name] = field === undefined || typeof value !== 'string' ? value : await naming(where, () => read(field, value));
    // A value such as today, monday or -3d means a different date each day.
    const isDay = field !== undefined && ['date', 'date-time', 'span-end'].includes(field.kind);
    typed[name] = isDay && typeof value === 'string' && !/^\d{4}-/.test(value) ? value : body[name];
  }
  return { body, typed };
}

/**
 * Returns the field with a column’s name. Ignores case, and treats spaces and hyphens as underscores. Returns the column name itself if no
 * field matches.
 */
function fieldNamed(resource: Resource, column: string): string {
  if (ownEntry(resource.fields, column) !== undefined) return column;
  const plain = column
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return resource.fields[plain] !== undefined || resource.fields[`${plain}_id`] !== undefined ? plain : column;
}
