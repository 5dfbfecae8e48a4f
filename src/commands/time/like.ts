import { NotFoundError, UsageError } from '../../errors.ts';
import { lastWorklog, readWorklog } from '../../records/worklogs.ts';
import type { Needs } from '../../session/context.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../../values/json.ts';
import { parseId } from '../../values/scalars.ts';

const COPIED = ['minutes', 'description', 'project_id', 'work_item_id', 'budget_id', 'task_id', 'is_not_billable'] as const;

/**
 * Returns the fields that the new entry copies from another entry. Costs one request, or two if your user id is unknown. If the service
 * refuses to sort, svc reads all your entries. A dry run sends no request, and returns a placeholder.
 */
export async function entryLike(context: Needs<'account' | 'client' | 'globals' | 'notice'>, which: string): Promise<JsonObject> {
  const isLast = which.trim().toLowerCase() === 'last';
  const id = isLast ? undefined : likeId(which);
  if (context.globals.dryRun) return { work_item_id: `<as in ${isLast ? 'your last entry' : `entry ${id}`}>` };
  const record = id === undefined ? await lastEntry(context) : (await readWorklog(context, id)).record;
  const { fields, hidden } = copyFields(record);
  if (hidden.length > 0)
    await context.notice(
      `The service does not show these fields of entry ${scalarText(record['id'])}, so svc does not copy them: ${hidden.join(', ')}.`,
    );
  if (record['is_overtime'] === true)
    await context.notice(`Entry ${scalarText(record['id'])} is overtime. To log overtime too: --overtime`);
  return fields;
}

export function copyFields(record: JsonObject): { readonly fields: JsonObject; readonly hidden: readonly string[] } {
  const values = COPIED.map((name) => [name, valueIn(record, name)] as const);
  const isSet = (value: JsonValue | undefined) => value !== undefined && value !== null && value !== '' && value !== false;
  return {
    fields: Object.fromEntries(values.flatMap(([name, value]) => (isSet(value) ? [[name, value ?? null]] : []))),
    hidden: values.flatMap(([name, value]) => (value === undefined ? [name] : [])),
  };
}

/**
 * Returns the value of a field. The id of a related record can come from the included record. Undefined if the service does not show the
 * field.
 */
export function valueIn(record: JsonObject, name: string): JsonValue | undefined {
  const embedded = name.endsWith('_id') ? record[name.slice(0, -'_id'.length)] : undefined;
  return record[name] ?? (isJsonObject(embedded) ? embedded['id'] : undefined) ?? record[name];
}

function likeId(which: string): number {
  try {
    return parseId(which);
  } catch {
    throw new UsageError(`--like: "${which}" is neither last nor the id of an entry.`, {
      hint: 'To see ids: svc worklogs list --from monday',
    });
  }
}

async function lastEntry(context: Needs<'account' | 'client' | 'notice'>): Promise<JsonObject> {
  const last = await lastWorklog(context);
  if (last !== undefined) return last;
  throw new NotFoundError('You have no entry yet to copy from.', {
    hint: 'Give all values: svc worklogs add 1h30 ABC-12 "Review"',
  });
}
