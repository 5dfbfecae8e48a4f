import type { Resource } from '../catalog/define.ts';
import { resourceOf } from '../catalog/index.ts';
import { NotFoundError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { collectRows } from './all-rows.ts';
import { discover } from './discovery.ts';
import { entryOf, operationsOf, pathOf } from './discovery-entry.ts';
import { ownId } from './me.ts';
import type { WriteRequest } from './send-write.ts';

/** The catalog's entry of timers. */
export async function timers(): Promise<Resource> {
  return resourceOf('timers');
}

/** Something that discovery says can be done with timers. */
export interface TimerOperation {
  readonly method: string;
  /** Its placeholder has no name: `/timers/{}/stop`. */
  readonly path: string;
}

/** What discovery shows of timers; empty when it does not say. @throws NotFoundError where there are no timers. */
export async function timerOperations(context: Needs<'client'>): Promise<readonly TimerOperation[]> {
  const entry = entryOf(await discover(context), 'timers');
  if (entry === undefined)
    throw new NotFoundError('Timers are not enabled for this organisation.', { hint: 'What there is: svc resources' });
  return operationsOf(entry).flatMap((text) => {
    const [, method, written] = /^([A-Z]+) (\S+)$/.exec(text) ?? [];
    const path = pathOf(written);
    return method === undefined || path === undefined ? [] : [{ method, path }];
  });
}

/** The request that starts a timer. */
export function timerStart(body: JsonObject): WriteRequest {
  return { method: 'POST', path: TIMERS, body };
}

/** Whether an operation starts timers. */
export function startsTimers({ method, path }: TimerOperation): boolean {
  return method === 'POST' && path === TIMERS;
}

/** Whether an operation stops a timer; the service documents none, so it is told by its name. */
export function stopsTimers({ method, path }: TimerOperation): boolean {
  return method !== 'GET' && method !== 'DELETE' && STOPS.test(path);
}

/** The request that stops a timer by one of {@link timerOperations}. */
export function timerStop({ method, path }: TimerOperation, id: number, body: JsonObject): WriteRequest {
  return { method: method === 'PATCH' ? 'PATCH' : 'POST', path: path.replace('{}', String(id)), body };
}

/** One's own timers that run. */
export async function ownTimers(context: Needs<'account' | 'client'>): Promise<readonly JsonObject[]> {
  return collectRows(context, TIMERS, [['filter[user_id]', String(await ownId(context))]]);
}

const TIMERS = '/timers';

const STOPS = /^\/timers\/\{\}\/(?:actions\/)?(?:stop|finish|end|complete)$/;
