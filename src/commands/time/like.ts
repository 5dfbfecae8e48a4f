import { NotFoundError, UsageError } from '../../errors.ts';
import { readRecord } from '../../records/read-record.ts';
import type { Context } from '../../session/context.ts';
import { parseId } from '../../values/integer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../values/json.ts';

/** What another entry hands on: where it belongs, what was done, how long, and whether it is billed. */
const COPIED = ['minutes', 'description', 'project_id', 'work_item_id', 'budget_id', 'task_id', 'is_not_billable'] as const;

/** The fields of `--like last` or `--like <id>`: one request; none in a dry run, where texts stand in. */
export async function entryLike(context: Context, which: string): Promise<JsonObject> {
  const isLast = which.trim().toLowerCase() === 'last';
  const id = isLast ? undefined : likeId(which);
  if (context.globals.dryRun) return { work_item_id: `<as in ${isLast ? 'your last entry' : `entry ${id}`}>` };
  const record = isLast
    ? await lastEntry(context)
    : readRecord(await (await context.client()).send({ method: 'GET', path: `/worklogs/${id}` }));
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

/** The entry that was made last, by its id (rules 8.25, 18.5). */
async function lastEntry(context: Context): Promise<JsonObject> {
  const client = await context.client();
  const query = [
    ['filter[user_id]', 'me'],
    ['sort', '-id'],
    ['per_page', '1'],
  ] as const;
  const body = (await client.send({ method: 'GET', path: '/worklogs', query })).body();
  const rows: JsonValue | undefined = isJsonObject(body) ? body['data'] : body;
  const found = Array.isArray(rows) ? rows.find((row) => isJsonObject(row)) : undefined;
  if (isJsonObject(found)) return found;
  throw new NotFoundError('You have no entry yet that this one could be like.', {
    hint: 'Say it in full: svc worklogs add 1h30 ABC-12 "Review"',
  });
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false;
}
