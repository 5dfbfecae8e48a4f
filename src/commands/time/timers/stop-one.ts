import { ForbiddenError, InterruptedError, SvcError, UnavailableError, UsageError, withMore } from '../../../errors.ts';
import { sendWrite, type WriteRequest } from '../../../records/send-write.ts';
import { hoursCreation, hoursStanding, type LoggingOnce, logHours, settleHours } from '../../../records/timer-hours.ts';
import { stoppedBy, type TimerOperation, timerDeletion, timerStop } from '../../../records/timers.ts';
import type { Needs } from '../../../session/context.ts';
import { usableJournal } from '../../../session/usable-journal.ts';
import type { DateContext } from '../../../values/dates.ts';
import type { JsonObject } from '../../../values/json.ts';
import { endLogged, findDeletion, findEnding } from './end-timer.ts';
import { noteOfOperation } from './interrupted.ts';
import { hoursBefore, loggedByService } from './own-hours.ts';
import type { PlannedStop } from './plan-stop.ts';
import type { RunningTimer } from './running.ts';

/** What it takes of a context to end a timer as hours. */
export type Stopping = LoggingOnce | 'catalog' | 'credentials' | 'plan' | 'signal';

/** What became of a timer. */
export interface TimerStop {
  readonly timerId: number;
  /** The hours; undefined where no time had passed. */
  readonly hours: JsonObject | undefined;
  /** Who logged them: svc now, svc before, or the service by itself. */
  readonly by: 'svc' | 'before' | 'service' | undefined;
  /** Why it still runs; undefined: it is over. */
  readonly remains: string | undefined;
}

/**
 * Logs the hours of a timer, each once, and ends it.
 *
 * Where discovery shows an operation, that goes first, since it may log the hours by itself: only afterwards is it known what is left to
 * log. What is left is noted with it, so that it is found after a crash. A DELETE logs nothing, and goes last. Hours that the journal has
 * as logged are not logged again: then the timer is only ended.
 *
 * @param plan What it comes to; undefined where its hours are logged already.
 */
export async function stopOne(
  context: Needs<Stopping>,
  timer: RunningTimer,
  plan: PlannedStop | undefined,
  offered: readonly TimerOperation[],
  dates: DateContext,
): Promise<TimerStop> {
  const { id: timerId } = timer;
  const { entry, nextKey } = await hoursStanding(context, timer.key);
  if (entry !== undefined || plan === undefined) {
    const hours = entry === undefined ? undefined : await settleHours(context, entry);
    const by = entry === undefined ? undefined : entry.outcome === 'done' ? 'before' : 'svc';
    return { timerId, hours, by, remains: await endLogged(context, await deletionOf(context), timerId) };
  }
  const ending = await findEnding(context, offered);
  if (ending.kind === 'operation') {
    if (context.plan !== undefined)
      throw new UsageError('Whether the service logs the hours by itself is only known once the timer is ended, so it cannot be planned.', {
        hint: 'Leave out --plan and SVC_PLAN.',
      });
    const stopped = await stopByOperation(context, timer, plan, ending.operation, nextKey, dates);
    if (stopped !== undefined) return stopped;
  }
  const hours = plan.body === undefined ? undefined : await logHours(context, nextKey, plan.body);
  try {
    const remains = await endLogged(context, ending.kind === 'operation' ? await deletionOf(context) : ending, timerId);
    return { timerId, hours, by: hours && 'svc', remains };
  } catch (error) {
    throw hours === undefined ? error : withLine(error, `The hours are logged; the same command again ends timer ${timerId}.`);
  }
}

/** The requests of the same, for a dry run. */
export async function describeStop(
  context: Needs<'credentials' | 'globals' | 'journal' | 'signal'>,
  timer: RunningTimer,
  plan: PlannedStop | undefined,
  offered: readonly TimerOperation[],
): Promise<readonly { readonly write: WriteRequest; readonly of: 'timers' | 'worklogs' }[]> {
  const { entry, nextKey } = await hoursStanding(context, timer.key);
  const ending = entry === undefined ? await findEnding(context, offered) : await findDeletion(context);
  const body = entry === undefined ? plan?.body : undefined;
  const logging = body === undefined ? [] : [{ write: hoursCreation(nextKey, body), of: 'worklogs' as const }];
  if (ending.kind === 'operation') return [{ write: timerStop(ending.operation, timer.id, {}), of: 'timers' }, ...logging];
  return [...logging, ...(ending.kind === 'none' ? [] : [{ write: timerDeletion(timer.id), of: 'timers' as const }])];
}

async function deletionOf(context: Needs<'credentials' | 'signal'>): Promise<{ readonly kind: 'delete' | 'none' }> {
  const ending = await findDeletion(context);
  return { kind: ending.kind === 'delete' ? 'delete' : 'none' };
}

/** Undefined where this account may not do it, and nothing was done. */
async function stopByOperation(
  context: Needs<Stopping>,
  { id: timerId, key, startedAt, record }: RunningTimer,
  { body, typed }: PlannedStop,
  operation: TimerOperation,
  nextKey: string,
  dates: DateContext,
): Promise<TimerStop | undefined> {
  const ran = { start: startedAt ?? dates.now, end: dates.now };
  const known = await hoursBefore(context, ran, dates);
  await forgetEarlier(context, timerId);
  const before = body === undefined ? record : noteOfOperation(record, { key, body, typed, start: ran.start, worklog_ids: known });
  try {
    await sendWrite(context, { ...timerStop(operation, timerId, {}), note: { noun: 'timers', before } });
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
  const own = await afterwards(() => loggedByService(context, { ...ran, record, known }, dates), timerId);
  if (own !== undefined) return { timerId, hours: own, by: 'service', remains: undefined };
  try {
    const hours = body === undefined ? undefined : await logHours(context, nextKey, body);
    return { timerId, hours, by: hours && 'svc', remains: undefined };
  } catch (error) {
    throw withLine(error, notLogged(timerId));
  }
}

/** An earlier try whose answer was lost: the timer still runs, so it did not come to pass. */
async function forgetEarlier(context: Needs<'journal'>, timerId: number): Promise<void> {
  const journal = await usableJournal(context);
  for (const { entry } of (await journal?.outbox()) ?? []) if (stoppedBy(entry) === timerId) await journal?.drop(entry.number);
}

/** What fails from here on must not pass for the end: the timer is over, and its hours are not logged. */
async function afterwards<T>(read: () => Promise<T>, timerId: number): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SvcError) || error instanceof UnavailableError || error instanceof InterruptedError)
      throw withLine(error, notLogged(timerId));
    throw new UnavailableError(`${notLogged(timerId)} ${error.message}`, { hint: error.hint, details: error.details, cause: error });
  }
}

function notLogged(timerId: number): string {
  return `Timer ${timerId} is ended, and its hours are not logged yet: svc timers stop logs them.`;
}

function withLine(error: unknown, line: string): unknown {
  return error instanceof SvcError ? withMore(error, { lines: [line] }) : error;
}
