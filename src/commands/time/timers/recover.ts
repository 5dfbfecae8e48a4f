import { type LoggingOnce, logHours, settleHours } from '../../../records/timer-hours.ts';
import type { Needs } from '../../../session/context.ts';
import { usableJournal } from '../../../session/usable-journal.ts';
import type { DateContext } from '../../../values/dates.ts';
import type { JsonObject } from '../../../values/json.ts';
import type { Interrupted, LeftOver } from './interrupted.ts';
import { loggedByService } from './own-hours.ts';
import type { TimerStop } from './stop-one.ts';

/**
 * Logs the hours of timers that an earlier svc ended and did not come to log, or makes sure that they are logged.
 *
 * @param fields What is typed now, over what was to be logged then: the service may have wanted more.
 */
export async function recover(
  context: Needs<LoggingOnce>,
  { interrupted, done }: LeftOver,
  fields: JsonObject,
  dates: DateContext,
): Promise<readonly TimerStop[]> {
  const journal = await usableJournal(context);
  for (const number of done) await journal?.settle(number, { outcome: 'done', status: 200 });
  const stopped: TimerStop[] = [];
  for (const one of interrupted) {
    const { timerId, hours: entry, operation } = one;
    if (operation === undefined) {
      if (entry !== undefined) stopped.push({ timerId, hours: await settleHours(context, entry), by: 'svc', remains: undefined });
      continue;
    }
    const { entry: ended, left, nextKey, wasRefused } = operation;
    const timer = { start: left.start, end: ended.sentAt ?? ended.at, record: ended.before ?? {}, known: left.worklog_ids };
    const own = await loggedByService(context, timer, dates);
    const hours = own ?? (await logHours(context, nextKey, { ...(wasRefused ? without(left.body, left.typed) : left.body), ...fields }));
    await journal?.settle(ended.number, { outcome: 'done', status: 200 });
    stopped.push({ timerId, hours, by: own === undefined ? 'svc' : 'service', remains: undefined });
  }
  return stopped;
}

/** What the service refused may be what was typed then; it is typed again, or not. */
function without(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** Says of each that the next stop logs its hours. */
export async function tellInterrupted(context: Needs<'notice'>, interrupted: readonly Interrupted[], host: string): Promise<void> {
  for (const { timerId } of interrupted)
    await context.notice(
      `Timer ${timerId} is over, and its hours are not known to be logged. To make sure of them: svc timers stop${host}`,
    );
}
