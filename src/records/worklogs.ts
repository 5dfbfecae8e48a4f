import { isAboutInclude, isRefusal } from '../client/assumed.ts';
import type { Query } from '../client/cost.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { collectRows, DETAIL } from './all-rows.ts';
import { assumedFilter, filterName, type ListFilter } from './list-filter.ts';
import { ownId } from './me.ts';
import { type CurrentRecord, recordAt } from './record-at.ts';
import type { WriteRequest } from './send-write.ts';

export async function readWorklog(context: Needs<'client'>, id: number): Promise<CurrentRecord> {
  return recordAt(context, worklogPath(id));
}

/**
 * Returns the user’s last worklog. The service may refuse the order or the filter (rules 8.25, 18.5, 18.27). After a refusal, svc reads all
 * worklogs of the user, and prints a notice. Undefined without worklogs.
 *
 * @param include Undocumented relations (rule 18.27). Without relations, the worklog has ids instead of names. Default: none.
 */
export async function lastWorklog(
  context: Needs<'account' | 'client' | 'notice'>,
  include: readonly string[] = [],
): Promise<JsonObject | undefined> {
  const whose = assumedFilter('user_id', await ownId(context));
  try {
    const query: Query = [[filterName(whose), whose.value], ['sort', '-id'], ...DETAIL];
    return (await collectRows(context, WORKLOGS, query, { limit: 1, assumed: [filterName(whose), 'sort=-id'], include }))[0];
  } catch (error) {
    if (include.length > 0 && isAboutInclude(error)) return lastWorklog(context);
    if (!isRefusal(error)) throw error;
  }
  await context.notice('The service cannot sort your entries by time, so svc reads all entries to find the last entry.');
  const rows = await readAll(context, whose, include);
  return rows.reduce<JsonObject | undefined>(
    (last, row) => (last === undefined || Number(row['id']) > Number(last['id']) ? row : last),
    undefined,
  );
}

async function readAll(context: Needs<'client'>, whose: ListFilter, include: readonly string[]): Promise<readonly JsonObject[]> {
  try {
    return await collectRows(context, WORKLOGS, DETAIL, { filters: [whose], include });
  } catch (error) {
    if (include.length === 0 || !isAboutInclude(error)) throw error;
    return readAll(context, whose, []);
  }
}

export function worklogCreation(body: JsonObject): WriteRequest & { readonly method: 'POST'; readonly body: JsonObject } {
  return { method: 'POST', path: WORKLOGS, body };
}

export function worklogUpdate(id: number, body: JsonObject, ifMatch: string | undefined): WriteRequest {
  return { method: 'PATCH', path: worklogPath(id), body, ifMatch };
}

export function worklogDeletion(id: number, ifMatch: string | undefined): WriteRequest {
  return { method: 'DELETE', path: worklogPath(id), ifMatch };
}

export const WORKLOGS = '/worklogs';

function worklogPath(id: number): string {
  return `${WORKLOGS}/${id}`;
}
