import type { Resource } from '../catalog/define.ts';
import { resourceOf } from '../catalog/index.ts';
import { type Query, requestCost } from '../client/cost.ts';
import type { Needs } from '../session/context.ts';
import { type Entry, readEntry } from '../time/entry.ts';
import type { JsonObject } from '../values/json.ts';
import { allRows, collectRows } from './all-rows.ts';
import type { UserRef } from './person.ts';
import { type Found, recordAt } from './record-at.ts';
import type { WriteRequest } from './send-write.ts';

/** The catalog's entry of worklogs. */
export async function worklogs(): Promise<Resource> {
  return resourceOf('worklogs');
}

/** Days from the first to the last, both included: `YYYY-MM-DD`. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

/** Which worklogs are wanted. */
export interface EntryQuestion extends DayRange {
  readonly user?: UserRef | undefined;
  readonly project?: number | undefined;
  /** Relations that the entries need for their names; each leads to one record, so that a page still holds a hundred rows (rule 8.3). */
  readonly include: readonly string[];
}

/** The worklogs of some days, page by page. */
export async function* readEntries(
  context: Needs<'client'>,
  { first, last, user, project, include }: EntryQuestion,
): AsyncGenerator<Entry> {
  const query: Query = [
    ['filter[date][gte]', first],
    ['filter[date][lte]', last],
    ...(user === undefined ? [] : [['filter[user_id]', String(user)] as const]),
    ...(project === undefined ? [] : [['filter[project_id]', String(project)] as const]),
    ...(include.length === 0 ? [] : [['include', include.join(',')] as const]),
  ];
  const cost = requestCost({ method: 'GET', query, toMany: new Set() });
  for await (const record of allRows(context, WORKLOGS, query, { cost })) yield readEntry(record);
}

/** One worklog: one request. @throws NotFoundError */
export async function readWorklog(context: Needs<'client'>, id: number): Promise<Found> {
  return recordAt(context, worklogPath(id));
}

/** The worklog of one's own that was made last, by its id (rules 8.25, 18.5); undefined when there is none. */
export async function lastWorklog(context: Needs<'client'>): Promise<JsonObject | undefined> {
  const query: Query = [
    ['filter[user_id]', 'me'],
    ['sort', '-id'],
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

const WORKLOGS = '/worklogs';

function worklogPath(id: number): string {
  return `${WORKLOGS}/${id}`;
}
