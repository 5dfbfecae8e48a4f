import type { FieldKind, Resource } from '../../catalog/define.ts';
import { isWritable } from '../../catalog/rules.ts';
import { naming } from '../../cli/naming.ts';
import { UsageError } from '../../errors.ts';
import type { Understanding } from '../../records/kinds.ts';
import { readBodyValue, type ValueOf } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../values/json.ts';
import { ownEntry } from '../../values/own-entry.ts';
import { AT_ONCE, inOrder } from './in-order.ts';
import type { SourceRow } from './source.ts';

/** A row that is ready to send. */
export interface ReadyRow extends SourceRow {
  readonly body: JsonObject;
  /** The body as the row is known by: a day that is a word, such as `today`, stays that word, whenever the file is imported. */
  readonly said: JsonObject;
}

/** Every row as a body. @throws UsageError that names each line that cannot be sent; nothing has been sent then. */
export async function checkRows(
  context: Needs<Understanding>,
  resource: Resource,
  rows: readonly SourceRow[],
): Promise<readonly ReadyRow[]> {
  if (rows.length === 0)
    throw new UsageError('There is no row in it.', { hint: 'A CSV file has a line of field names first, then a line a record.' });
  const ready: ReadyRow[] = [];
  const problems: string[] = [];
  const read = onceEach((value, text) => readBodyValue(context, value, text));
  const check = async (row: SourceRow): Promise<ReadyRow | string> => {
    try {
      const { body, said } = await readRowBody(resource, row, read);
      checkColumns(resource, body);
      if (Object.keys(body).length === 0) throw new UsageError('No field of this row can be written.');
      return { ...row, body, said };
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
  throw new UsageError(`${problems.length} of ${rows.length} rows cannot be sent, so nothing was.`, {
    hint: 'Mend these lines and run it again.',
    details: { lines: problems.slice(0, 50) },
  });
}

type ReadValue = (value: ValueOf, text: string) => Promise<JsonValue>;

/** Reads each value once: a work item's key costs a request, and stands in many rows. */
function onceEach(read: ReadValue): ReadValue {
  const known = new Map<string, Promise<JsonValue>>();
  return (of, text) => {
    const key = `${of.kind} ${of.ref ?? ''} ${text}`;
    const value = known.get(key) ?? read(of, text);
    known.set(key, value);
    return value;
  };
}

/** @throws UsageError for a row without a field that the service is known to require. */
function checkColumns(resource: Resource, body: JsonObject): void {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.required && field.assumed !== true && body[name] === undefined) throw new UsageError(`it has no ${name}.`);
  }
}

/**
 * Fields that the service sets itself (id, created_at …) are left out, so that an export can be imported as it is. A
 * relation is meant by its id: a column `user` sets `user_id`, as the flag `--user` does. `Due Date` is `due_date`.
 */
async function readRowBody(resource: Resource, { values, columns }: SourceRow, read: ReadValue): Promise<Pick<ReadyRow, 'body' | 'said'>> {
  const body: Record<string, JsonValue> = {};
  const said: Record<string, JsonValue> = {};
  for (const [column, given] of Object.entries(values)) {
    const own = fieldNamed(resource, column);
    const name = resource.fields[`${own}_id`] !== undefined && !isWritable(resource.fields[own], 'create') ? `${own}_id` : own;
    const value = name === own ? given : idIn(given);
    const field = ownEntry(resource.fields, name);
    if (field !== undefined && !isWritable(field, 'create')) continue;
    // What stands under the field's very name counts.
    if (name !== column && (value === undefined || ownEntry(values, name) !== undefined)) continue;
    if (value === undefined) continue;
    const where = `column "${columns?.[column] ?? column}"`;
    const meant = field === undefined || typeof value !== 'string' ? value : await naming(where, () => read(field, value));
    body[name] = meant;
    said[name] = field !== undefined && isWordOfDay(field.kind, value) ? value : meant;
  }
  return { body, said };
}

/** `today`, `monday`, `-3d`: another day each time. */
function isWordOfDay(kind: FieldKind, value: JsonValue): boolean {
  return DAY_KINDS.has(kind) && typeof value === 'string' && !/^\d{4}-/.test(value);
}

const DAY_KINDS: ReadonlySet<FieldKind> = new Set(['date', 'date-time', 'span-end']);

/** The field that a column means, in any letters and with spaces for underscores; the column itself where there is none. */
function fieldNamed(resource: Resource, column: string): string {
  if (ownEntry(resource.fields, column) !== undefined) return column;
  const plain = column
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return resource.fields[plain] !== undefined || resource.fields[`${plain}_id`] !== undefined ? plain : column;
}

/** A relation as its id: typed as such, or the record that svc itself printed there. */
function idIn(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) ? value['id'] : value;
}
