import type { Needs } from '../../../session/context.ts';
import { hostFlag } from '../../../session/host-to-name.ts';
import { type Printing, printLine, printOneOrMany } from '../../../session/print.ts';
import { usableJournal } from '../../../session/usable-journal.ts';
import { timerPlace } from '../../../time/timer.ts';
import { formatDuration } from '../../../values/duration.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../../values/json.ts';
import { loggedLine, undoCreateHint } from '../../nouns/written.ts';
import type { PlannedStop } from './plan-stop.ts';
import type { RunningTimer } from './running.ts';
import type { TimerStop } from './stop-one.ts';

/** A timer that was ended, and what it was; undefined of one that an earlier svc ended. */
export interface StoppedTimer extends TimerStop {
  readonly timer: RunningTimer | undefined;
  readonly plan: PlannedStop | undefined;
}

/** What became of timers: for a person a line each, else a record each. @param asked The fields that were typed. */
export async function printStopped(
  context: Needs<Printing | 'credentials' | 'journal' | 'plan'>,
  stopped: readonly StoppedTimer[],
  asked: JsonObject,
): Promise<void> {
  const planned = { ended: null, logged_by: null };
  if (context.plan !== undefined)
    return printOneOrMany(
      context,
      stopped.map((one) => ({ ...stoppedRecord(one), ...planned })),
      stopped.length > 1,
    );
  if ((await context.presentation()).isUnasked) for (const one of stopped) await printLine(context, stoppedLine(one));
  else await printOneOrMany(context, stopped.map(stoppedRecord), stopped.length > 1);
  await tellStopped(context, stopped, asked);
}

/** What is to be said besides: what still runs, what the service did otherwise than asked, and how to take it back. */
export async function tellStopped(
  context: Needs<'credentials' | 'journal' | 'notice' | 'presentation' | 'resolvedHost' | 'settings'>,
  stopped: readonly StoppedTimer[],
  asked: JsonObject,
): Promise<void> {
  const host = await hostFlag(context);
  for (const { timerId, hours, by, remains } of stopped) {
    if (by === 'before') await context.notice(`The hours of timer ${timerId} were logged before, so nothing is logged again.`);
    if (by === undefined && remains === undefined) await context.notice(`Timer ${timerId} had only just begun, so nothing is logged.`);
    // What was sent before goes on as it was, whatever is asked for now.
    const others = Object.entries(asked).filter(([name, value]) => differs(hours?.[name], value));
    if (by === 'service') await context.notice(`The service logged the hours of timer ${timerId} by itself when it was ended.`);
    if (others.length > 0)
      await context.notice(
        `They are not as asked (${others.map(([name, value]) => `${name} ${scalarText(value)}`).join(', ')}). To change them: svc worklogs edit ${scalarText(hours?.['id'] ?? null)}${host}`,
      );
    if (remains !== undefined)
      await context.notice(
        `Timer ${timerId} still runs, though its hours are logged. ${remains} To end it: svc token set${host}, then svc timers cancel ${timerId}${host}`,
      );
  }
  const logged = stopped.find(({ by }) => by === 'svc');
  if (logged === undefined || !(await context.presentation()).isUnasked) return;
  const id = scalarText(logged.hours?.['id'] ?? null);
  const entries = await (await usableJournal(context))?.history({ noun: 'worklogs', limit: 20 });
  const entry = entries?.find((one) => one.method === 'POST' && one.key.startsWith(logged.timer?.key ?? 'svc-timer-'));
  if (id !== '' && entry !== undefined)
    await context.notice(await undoCreateHint(context, 'the hours', `svc undo ${entry.number}${host}`, host));
}

/** `Logged 1h30 on ABC-12 Login, "Review" · 2026-06-05 · #812`. */
function stoppedLine({ hours, by, timerId, timer, remains }: StoppedTimer): string {
  if (hours === undefined) return remains === undefined ? `Ended timer ${timerId}` : `Logged nothing of timer ${timerId}`;
  const place = timer === undefined ? undefined : timerPlace(timer.record);
  const id = scalarText(hours['id'] ?? null);
  const line = loggedLine(hours, new Map(), place);
  return `${by === 'before' ? line.replace(/^Logged/, 'Logged before:') : line}${id === '' ? '' : ` · #${id}`}`;
}

/** One of them as a program reads it: minutes as whole numbers, null for what is not known. */
function stoppedRecord({ timerId, hours, by, remains, timer, plan }: StoppedTimer): JsonObject {
  const of = (name: string): JsonValue => hours?.[name] ?? null;
  return {
    timer_id: timerId,
    ended: remains === undefined,
    started_at: timer?.record['started_at'] ?? null,
    elapsed_minutes: plan?.elapsed ?? null,
    worklog_id: of('id'),
    date: of('date'),
    minutes: hours === undefined ? 0 : of('minutes'),
    project_id: of('project_id'),
    work_item_id: of('work_item_id'),
    description: of('description'),
    logged_by: by === undefined ? null : by === 'service' ? 'service' : 'svc',
  };
}

function differs(actual: JsonValue | undefined, wanted: JsonValue): boolean {
  return actual !== undefined && scalarText(actual) !== scalarText(wanted) && wanted !== null;
}

/** `1h30 on ABC-12 Login`, for a line about several things. */
export function shortly({ hours, timer }: StoppedTimer): string {
  const minutes = hours?.['minutes'];
  const place = timer === undefined ? undefined : timerPlace(timer.record);
  return `${typeof minutes === 'number' ? formatDuration(minutes) : 'nothing'}${place === undefined ? '' : ` on ${place}`}`;
}
