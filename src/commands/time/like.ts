import { NotFoundError, UsageError } from '../../errors.ts';
import { lastWorklog, readWorklog } from '../../records/worklogs.ts';
import type { Needs } from '../../session/context.ts';
import { parseId } from '../../values/integer.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../../values/json.ts';

/** What another entry hands on: where it belongs, what was done, how long, and whether it is billed. */
export const COPIED = ['minutes', 'description', 'project_id', 'work_item_id', 'budget_id', 'task_id', 'is_not_billable'] as const;

/**
 * The fields of `--like last` or `--like <id>`: one request, and one more where nobody knows whose the token is; none in a dry
 * run, where texts stand in. A line says what the other entry does not show, and so cannot hand on (rule 18.23).
 */
export async function entryLike(context: Needs<'account' | 'client' | 'globals' | 'notice'>, which: string): Promise<JsonObject> {
  const isLast = which.trim().toLowerCase() === 'last';
  const id = isLast ? undefined : likeId(which);
  if (context.globals.dryRun) return { work_item_id: `<as in ${isLast ? 'your last entry' : `entry ${id}`}>` };
  const record = id === undefined ? await lastEntry(context) : (await readWorklog(context, id)).record;
  const values = COPIED.map((name) => [name, valueIn(record, name)] as const);
  const hidden = values.flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (hidden.length > 0)
    await context.notice(`Not taken over, since the service does not show it of entry ${scalarText(record['id'])}: ${hidden.join(', ')}.`);
  if (record['is_overtime'] === true) await context.notice('The other entry is overtime; this one is not, unless --overtime says so.');
  return Object.fromEntries(values.filter(([, value]) => isSet(value)).map(([name, value]) => [name, value ?? null]));
}

/** A field; an id also out of the record that it leads to. */
export function valueIn(record: JsonObject, name: string): JsonValue | undefined {
  const held = name.endsWith('_id') ? record[name.slice(0, -'_id'.length)] : undefined;
  return record[name] ?? (isJsonObject(held) ? held['id'] : undefined) ?? record[name];
}

function likeId(which: string): number {
  try {
    return parseId(which);
  } catch {
    throw new UsageError(`--like: "${which}" is neither last nor the id of an entry.`, {
      hint: 'svc worklogs list --from monday shows ids.',
    });
  }
}

async function lastEntry(context: Needs<'account' | 'client' | 'notice'>): Promise<JsonObject> {
  const last = await lastWorklog(context);
  if (last !== undefined) return last;
  throw new NotFoundError('You have no entry yet that this one could be like.', {
    hint: 'Say it in full: svc worklogs add 1h30 ABC-12 "Review"',
  });
}

/** Whether another entry hands it on. */
export function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false;
}
