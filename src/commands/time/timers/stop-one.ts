import { ForbiddenError, InterruptedError, NotFoundError, SvcError, UnavailableError, UsageError, withMore } from '../../../errors.ts';
import { ifUsable } from '../../../journal/journal-error.ts';
import { canDelete, sendWrite, type WriteRequest } from '../../../records/send-write.ts';
import { hoursCreation, type LoggingOnce, logHours, readHoursState, resolveHours } from '../../../records/timer-hours.ts';
import { ownTimers, stoppedBy, stopsTimers, type TimerOperation, timerDeletion, timerStop } from '../../../records/timers.ts';
import type { Needs } from '../../../session/context.ts';
import type { DateContext } from '../../../values/dates.ts';
import type { PlannedStop } from './plan-stop.ts';
import { loggedByService, readHourIds, type TimerStop, withHoursToLog } from './recovery.ts';
import type { RunningTimer } from './running.ts';

export type Stopping = LoggingOnce | 'catalog' | 'credentials' | 'plan' | 'signal';

/**
 * Stops a timer and logs its hours. An operation of the service can log the hours itself, so svc logs missing hours only afterwards. The
 * journal stores the hours with the operation, so that the hours survive a crash. Without an operation, svc logs the hours first, and then
 * sends a DELETE if the token allows a DELETE.
 */
export async function stopOne(
  context: Needs<Stopping>,
  timer: RunningTimer,
  plan: PlannedStop | undefined,
  offered: readonly TimerOperation[],
  dates: DateContext,
): Promise<TimerStop> {
  const { id: timerId } = timer;
  const { entry, nextKey } = await readHoursState(context, timer.key);
  if (entry !== undefined || plan === undefined) {
    const hours = entry === undefined ? undefined : await resolveHours(context, entry);
    const by = entry === undefined ? undefined : entry.outcome === 'done' ? 'before' : 'svc';
    return { timerId, hours, by, remains: await endLogged(context, await canDelete(context), timerId) };
  }
  const operation = offered.find(stopsTimers);
  if (operation !== undefined) {
    if (context.plan !== undefined)
      throw new UsageError('svc cannot plan the end of this timer, because the service may log the hours itself.', {
        hint: 'Leave out --plan and SVC_PLAN.',
      });
    const stopped = await stopByOperation(context, timer, plan, operation, nextKey, dates);
    if (stopped !== undefined) return stopped;
  }
  const mayDelete = await canDelete(context);
  const hours = plan.body === undefined ? undefined : await logHours(context, nextKey, plan.body);
  try {
    return { timerId, hours, by: hours && 'svc', remains: await endLogged(context, mayDelete, timerId) };
  } catch (error) {
    throw hours === undefined ? error : withLine(error, `The hours are logged. Run the same command again to end timer ${timerId}.`);
  }
}

export async function describeStop(
  context: Needs<'credentials' | 'globals' | 'journal' | 'signal'>,
  timer: RunningTimer,
  plan: PlannedStop | undefined,
  offered: readonly TimerOperation[],
): Promise<readonly { readonly write: WriteRequest; readonly of: 'timers' | 'worklogs' }[]> {
  const { entry, nextKey } = await readHoursState(context, timer.key);
  const operation = entry === undefined ? offered.find(stopsTimers) : undefined;
  const body = entry === undefined ? plan?.body : undefined;
  const logging = body === undefined ? [] : [{ write: hoursCreation(nextKey, body), of: 'worklogs' as const }];
  if (operation !== undefined) return [{ write: timerStop(operation, timer.id, {}), of: 'timers' }, ...logging];
  return [...logging, ...((await canDelete(context)) ? [{ write: timerDeletion(timer.id), of: 'timers' as const }] : [])];
}

/**
 * Ends a timer whose hours are logged. svc sends a DELETE, because an operation could log the hours again. The service can also have ended
 * the timer (rule 18.32).
 *
 * @returns The reason why the timer still runs. Undefined if the timer ended.
 */
async function endLogged(context: Needs<'account' | 'client'>, mayDelete: boolean, id: number): Promise<string | undefined> {
  if (!mayDelete) {
    const runs = (await ownTimers(context)).some((timer) => timer.id === id);
    return runs ? 'svc ends a timer with a DELETE, and a browser sign-in cannot delete.' : undefined;
  }
  try {
    await sendWrite(context, { ...timerDeletion(id), note: ALONE });
    return undefined;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (error instanceof ForbiddenError) return error.message;
    throw error;
  }
}

/**
 * Excludes a write from the group of its command. `svc undo` cannot undo the end of a timer, and therefore only undoes the start of the
 * next timer.
 */
const ALONE = { group: undefined };

/** Stops a timer by the operation of the service. Returns undefined, without a change, if the permission for the operation is missing. */
async function stopByOperation(
  context: Needs<Stopping>,
  { id: timerId, key, startedAt, record }: RunningTimer,
  { body, typed }: PlannedStop,
  operation: TimerOperation,
  nextKey: string,
  dates: DateContext,
): Promise<TimerStop | undefined> {
  const ran = { start: startedAt ?? dates.now, end: dates.now };
  const known = await readHourIds(context, ran, dates);
  await dropEarlier(context, timerId);
  const before = body === undefined ? record : withHoursToLog(record, { key, body, typed, start: ran.start, worklog_ids: known });
  try {
    await sendWrite(context, { ...timerStop(operation, timerId, {}), note: { ...ALONE, noun: 'timers', before } });
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
  const own = await withNotLogged(() => loggedByService(context, { ...ran, record, known }, dates), timerId);
  if (own !== undefined) return { timerId, hours: own, by: 'service', remains: undefined };
  try {
    const hours = body === undefined ? undefined : await logHours(context, nextKey, body);
    return { timerId, hours, by: hours && 'svc', remains: undefined };
  } catch (error) {
    throw withLine(error, notLogged(timerId));
  }
}

/** Removes an earlier unconfirmed attempt from the journal. The timer still runs, so the attempt had no effect. */
async function dropEarlier(context: Needs<'journal'>, timerId: number): Promise<void> {
  const journal = await ifUsable(context.journal());
  for (const { entry } of (await journal?.outbox()) ?? []) if (stoppedBy(entry) === timerId) await journal?.drop(entry.number);
}

async function withNotLogged<T>(read: () => Promise<T>, timerId: number): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SvcError) || error instanceof UnavailableError || error instanceof InterruptedError)
      throw withLine(error, notLogged(timerId));
    throw new UnavailableError(`${notLogged(timerId)} ${error.message}`, { hint: error.hint, details: error.details, cause: error });
  }
}

function notLogged(timerId: number): string {
  return `Timer ${timerId} has ended, but its hours are not logged yet. To log the hours: svc timers stop`;
}

function withLine(error: unknown, line: string): unknown {
  return error instanceof SvcError ? withMore(error, { lines: [line] }) : error;
}
