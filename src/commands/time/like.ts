import { NotFoundError, UsageError } from '../../errors.ts';
import { lastWorklog, readWorklog } from '../../records/worklogs.ts';
import type { Needs } from '../../session/context.ts';
import { parseId } from '../../values/integer.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';

/** What another entry hands on: where it belongs, what was done, how long, and whether it is billed. */
const COPIED = ['minutes', 'description', 'project_id', 'work_item_id', 'budget_id', 'task_id', 'is_not_billable'] as const;

/** The fields of `--like last` or `--like <id>`: one request; none in a dry run, where texts stand in. */
export async function entryLike(context: Needs<'client' | 'globals'>, which: string): Promise<JsonObject> {
  const isLast = which.trim().toLowerCase() === 'last';
  const id = isLast ? undefined : likeId(which);
  if (context.globals.dryRun) return { work_item_id: `<as in ${isLast ? 'your last entry' : `entry ${id}`}>` };
  const record = id === undefined ? await lastEntry(context) : (await readWorklog(context, id)).record;
  return Object.fromEntries(COPIED.flatMap((name) => (isSet(record[name]) ? [[name, record[name] ?? null]] : [])));
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

async function lastEntry(context: Needs<'client'>): Promise<JsonObject> {
  const last = await lastWorklog(context);
  if (last !== undefined) return last;
  throw new NotFoundError('You have no entry yet that this one could be like.', {
    hint: 'Say it in full: svc worklogs add 1h30 ABC-12 "Review"',
  });
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false;
}
