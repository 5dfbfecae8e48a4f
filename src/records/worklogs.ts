import type { Resource } from '../catalog/define.ts';
import { resourceOf } from '../catalog/index.ts';
import type { Query } from '../client/cost.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { collectRows } from './all-rows.ts';
import { ownId } from './me.ts';
import { type Found, recordAt } from './record-at.ts';
import type { WriteRequest } from './send-write.ts';

/** The catalog's entry of worklogs. */
export async function worklogs(): Promise<Resource> {
  return resourceOf('worklogs');
}

/** One worklog: one request. @throws NotFoundError */
export async function readWorklog(context: Needs<'client'>, id: number): Promise<Found> {
  return recordAt(context, worklogPath(id));
}

/**
 * The worklog of one's own that was made last, by its id (rules 8.25, 18.5), with all that a list can show of it; undefined
 * when there is none.
 */
export async function lastWorklog(context: Needs<'account' | 'client'>): Promise<JsonObject | undefined> {
  const query: Query = [
    ['filter[user_id]', String(await ownId(context))],
    ['sort', '-id'],
    ['view', 'detail'],
  ];
  const [last] = await collectRows(context, WORKLOGS, query, { limit: 1 });
  return last;
}

/** The request that logs time. */
export function worklogCreation(body: JsonObject): WriteRequest & { readonly method: 'POST'; readonly body: JsonObject } {
  return { method: 'POST', path: WORKLOGS, body };
}

/** The request that changes a worklog, if it still has this ETag. */
export function worklogUpdate(id: number, body: JsonObject, ifMatch: string | undefined): WriteRequest {
  return { method: 'PATCH', path: worklogPath(id), body, ifMatch };
}

/** The request that deletes a worklog, if it still has this ETag. */
export function worklogDeletion(id: number, ifMatch: string | undefined): WriteRequest {
  return { method: 'DELETE', path: worklogPath(id), ifMatch };
}

/** The path of all of them. */
export const WORKLOGS = '/worklogs';

function worklogPath(id: number): string {
  return `${WORKLOGS}/${id}`;
}
