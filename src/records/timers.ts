import { isAboutInclude } from '../client/assumed.ts';
import { NotFoundError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { readTimer, type Timer } from '../time/timer.ts';
import type { JsonObject } from '../values/json.ts';
import { collectRows, DETAIL } from './all-rows.ts';
import { discover, entryOf, operationsOf, pathOf } from './discovery.ts';
import { assumedFilter } from './list-filter.ts';
import { ownId } from './me.ts';
import type { WriteRequest } from './send-write.ts';

export interface TimerOperation {
  readonly method: string;
  /** The path, with a placeholder that has no name: `/timers/{}/stop`. */
  readonly path: string;
}

export async function timerOperations(context: Needs<'client'>): Promise<readonly TimerOperation[]> {
  const entries = await discover(context);
  if (entryOf(entries, 'timers') === undefined)
    throw new NotFoundError('Timers are not enabled for this organisation.', { hint: 'List the resources: svc resources' });
  // Discovery may list an action as a separate entry (rule 18.26).
  return entries.flatMap(operationsOf).flatMap((text) => {
    const [, method, written] = /^([A-Z]+) (\S+)$/.exec(text) ?? [];
    const path = pathOf(written);
    const isOfTimers = path === TIMERS || path?.startsWith(`${TIMERS}/`) === true;
    return method === undefined || path === undefined || !isOfTimers ? [] : [{ method, path }];
  });
}

export function timerStart(body: JsonObject): WriteRequest {
  return { method: 'POST', path: TIMERS, body };
}

export function startsTimers({ method, path }: TimerOperation): boolean {
  return method === 'POST' && path === TIMERS;
}

/** Returns true if an operation stops a timer. The service documents no such operation, so the name decides. */
export function stopsTimers({ method, path }: TimerOperation): boolean {
  return method !== 'GET' && method !== 'DELETE' && STOPS.test(path);
}

export function timerStop({ method, path }: TimerOperation, id: number, body: JsonObject): WriteRequest {
  return { method: method === 'PATCH' ? 'PATCH' : 'POST', path: path.replace('{}', String(id)), body };
}

/** Returns the request that deletes a timer and does nothing else. The request needs a personal access token (rule 13.53). */
export function timerDeletion(id: number): WriteRequest & { readonly method: 'DELETE' } {
  return { method: 'DELETE', path: `${TIMERS}/${id}` };
}

export function stoppedBy({ method, path }: { readonly method: string; readonly path: string }): number | undefined {
  const [, id] = /^\/timers\/(\d+)\//.exec(path) ?? [];
  return id !== undefined && stopsTimers({ method, path: path.replace(id, '{}') }) ? Number(id) : undefined;
}

/**
 * Reads the user’s own timers. The filter and the relations are undocumented (rule 18.27). If the service refuses the filter, svc filters
 * the timers itself. If the service refuses the relations, timers show ids instead of names.
 * @throws ForbiddenError (rule 11.40)
 */
export async function ownTimers(context: Needs<'account' | 'client'>): Promise<readonly Timer[]> {
  const filters = [assumedFilter('user_id', await ownId(context))];
  const read = async (include: readonly string[]) =>
    (await collectRows(context, TIMERS, DETAIL, { filters, include })).flatMap((record) => readTimer(record) ?? []);
  try {
    return await read(['project', 'work_item']);
  } catch (error) {
    if (!isAboutInclude(error)) throw error;
    return read([]);
  }
}

const TIMERS = '/timers';

const STOPS = /^\/timers\/\{\}\/(?:actions\/)?(?:stop|finish|end|complete)$/;
