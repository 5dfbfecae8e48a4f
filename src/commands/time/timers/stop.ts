import { defineCommand, type LoadedCommand, parsed, text } from '../../../cli/spec.ts';
import { ifUsable } from '../../../journal/journal-error.ts';
import { readFields } from '../../../records/body.ts';
import { BODY_OPTIONS } from '../../../records/body-flags.ts';
import { describeWrite } from '../../../records/send-write.ts';
import { timerOperations } from '../../../records/timers.ts';
import type { Context, Needs } from '../../../session/context.ts';
import type { Remembering } from '../../../session/day-memory.ts';
import { type Printing, printLine, printOneOrMany } from '../../../session/print.ts';
import { flagWords, hostFlag, type PrintingCommand, printCommandLine } from '../../../session/printed-command.ts';
import { timerPlace } from '../../../time/timer.ts';
import { formatDuration, stepOf } from '../../../values/duration.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../../values/json.ts';
import { parseId } from '../../../values/scalars.ts';
import { counted } from '../../../values/text.ts';
import { together } from '../../../values/together.ts';
import { loggedLine, undoCreateHint } from '../../resource/written.ts';
import { planStop } from './plan-stop.ts';
import { findUnfinished, finishTimers, type TimerStop } from './recovery.ts';
import { askEnd, chooseTimer, readRunning } from './running.ts';
import { describeStop, type Stopping, stopOne } from './stop-one.ts';

const OPTIONS = {
  at: text('--at <time>', 'Set the time of the end: 17:30, "friday 17:30", now (default: now, unless svc asks)', {
    type: 'date-time',
    group: 'Hours',
  }),
  round: parsed('--round <duration>', 'Round to this many minutes, half upwards: 5m, 15m', stepOf('--round'), {
    type: 'duration',
    group: 'Hours',
  }),
  description: text('--description <string>', 'Log this text instead of the text of the timer', { group: 'Hours' }),
  field: BODY_OPTIONS.field,
  rawField: BODY_OPTIONS.rawField,
} as const;

export const stopTimer: LoadedCommand<Context> = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun', 'again'],
  description:
    'svc logs the minutes since the timer began, with its work item, project and text. svc then ends the timer. The entry has the day on which the timer began. svc rounds the time to the nearest minute, and logs nothing for less than half a minute. If the timer ran overnight, or for more than ten hours, svc asks when the work ended. Without a terminal, svc needs --at.\n\nTo end a timer, svc needs a stop operation of your organisation, or a token with the Delete scope. Without this operation and token, svc logs the hours and reports that the timer still runs. Running the same command again logs nothing twice.',
  args: [{ name: 'id', summary: 'The id of the timer (default: your running timer, if there is one)', optional: true }],
  options: OPTIONS,
  examples: [
    { args: 'timers stop', does: 'Log the running timer until now' },
    { args: 'timers stop --at 17:30 --round 15m', does: 'Log until half past five, rounded to a quarter of an hour' },
    { args: 'timers stop 12 --description "Review of the form"', does: 'Log timer 12 with another text' },
    { args: 'timers stop --dry-run', does: 'Print the requests, and send nothing' },
  ],
  async run(
    context: Needs<Printing | Remembering | Stopping | PrintingCommand | 'dates' | 'host' | 'readFileArgument'>,
    { args: [typed], options },
  ) {
    const id = typed === undefined ? undefined : parseId(typed);
    const fields = {
      ...(options.description !== undefined && { description: options.description }),
      ...(await readFields(context, options.rawField, options.field)),
    };
    const [running, offered] = await together(readRunning(context), timerOperations(context));
    const dates = await context.dates();
    const left = await findUnfinished(context, running);
    const isLeft = left.interrupted.some(({ timerId }) => id === undefined || timerId === id);
    // svc first logs the hours that an earlier run did not log. If no running timer remains to stop, svc does nothing else.
    const isOver =
      isLeft && (id === undefined ? running.every(({ worklogId }) => worklogId !== undefined) : !running.some((one) => one.id === id));
    const timer = isOver ? undefined : chooseTimer(running, id);
    const { at, round } = options;
    const isOpen = timer !== undefined && timer.worklogId === undefined;
    const end = at ?? (isOpen ? await askEnd(context, timer, dates) : undefined);
    if (end !== at && end !== undefined) await printCommandLine(context, flagWords('at', end));
    const plan = isOpen ? planStop(timer, { at: end, round, fields }, dates) : undefined;
    if (context.globals.dryRun) {
      if (isLeft) await context.notice(`First svc logs the hours of ${counted(left.interrupted.length, 'timer')} that ended before.`);
      if (timer === undefined) return;
      return printOneOrMany(context, await describeWrites(context, await describeStop(context, timer, plan, offered)), true);
    }
    const stopped: TimerStop[] = [...(await finishTimers(context, left, timer === undefined ? fields : {}, dates))];
    if (timer !== undefined) stopped.push({ ...(await stopOne(context, timer, plan, offered, dates)), timer, plan });
    const minutes = end === undefined && round === undefined ? undefined : plan?.body?.['minutes'];
    await printStopped(context, stopped);
    if (context.plan === undefined) await reportStopped(context, stopped, { ...fields, ...(minutes !== undefined && { minutes }) });
  },
});

export async function describeWrites(
  context: Needs<'catalog' | 'host' | 'notice'>,
  writes: Awaited<ReturnType<typeof describeStop>>,
): Promise<JsonObject[]> {
  const resources = { timers: await context.catalog.of('timers'), worklogs: await context.catalog.of('worklogs') };
  if (writes[0]?.of === 'timers' && writes.length > 1)
    await context.notice('svc logs the hours, unless the service logs them when the timer ends.');
  return Promise.all(writes.map(({ write, of }) => describeWrite(context, resources[of], write)));
}

async function printStopped(context: Needs<Printing | 'plan'>, stopped: readonly TimerStop[]): Promise<void> {
  const isPlanned = context.plan !== undefined;
  if (!isPlanned && (await context.presentation()).isDefaultFormat) {
    for (const one of stopped) await printLine(context, stoppedLine(one));
    return;
  }
  // Until you apply the plan, svc does not know whether the service logs the hours.
  const records = stopped.map((one) => ({ ...stoppedRecord(one), ...(isPlanned && { ended: null, logged_by: null }) }));
  await printOneOrMany(context, records, stopped.length > 1);
}

export async function reportStopped(
  context: Needs<Remembering | 'credentials' | 'journal' | 'notice' | 'presentation' | 'resolvedHost' | 'settings'>,
  stopped: readonly TimerStop[],
  typed: JsonObject,
): Promise<void> {
  const host = await hostFlag(context);
  for (const { timerId, hours, by, remains } of stopped) {
    if (by === 'before') await context.notice(`An earlier command logged the hours of timer ${timerId}, so svc logs nothing.`);
    if (by === undefined) await context.notice(`Timer ${timerId} had only just begun, so svc logs nothing.`);
    if (by === 'service') await context.notice(`The service itself logged the hours of timer ${timerId} when the timer ended.`);
    // Hours from an earlier request keep the values that svc sent then.
    const others = Object.entries(typed).filter(([name, value]) => differs(hours?.[name], value));
    if (others.length > 0)
      await context.notice(
        `The hours differ from your flags (${others.map(([name, value]) => `${name} ${scalarText(value)}`).join(', ')}). To change the entry: svc worklogs edit ${scalarText(hours?.['id'])}${host}`,
      );
    if (remains !== undefined)
      await context.notice(
        `Timer ${timerId} still runs${by === undefined ? '' : ', though its hours are logged'}. ${remains} To end it: svc token set${host}, then svc timers cancel ${timerId}${host}`,
      );
  }
  const logged = stopped.find(({ by }) => by === 'svc');
  if (logged === undefined || !(await context.presentation()).isDefaultFormat) return;
  const id = scalarText(logged.hours?.['id']);
  const entries = await (await ifUsable(context.journal()))?.history({ noun: 'worklogs', limit: 20 });
  const entry = entries?.find((one) => one.method === 'POST' && one.key.startsWith(logged.timer?.key ?? 'svc-timer-'));
  if (id === '' || entry === undefined) return;
  const hint = await undoCreateHint(context, 'the hours', `svc undo ${entry.number}${host}`, host);
  if (hint !== undefined) await context.notice(hint);
}

/** Returns the line for a stopped timer: `Logged 1h30 on ABC-12 Login, "Review" · 2026-06-05 · #812 · timer 3 has ended`. */
function stoppedLine({ hours, by, timerId, timer, remains }: TimerStop): string {
  if (hours === undefined) return remains === undefined ? `Ended timer ${timerId}` : `Logged nothing of timer ${timerId}`;
  const place = timer === undefined ? undefined : timerPlace(timer.record);
  const id = scalarText(hours['id']);
  const line = loggedLine(hours, new Map(), place);
  const ended = remains === undefined ? ` · timer ${timerId} has ended` : '';
  return `${by === 'before' ? line.replace(/^Logged/, 'Logged before:') : line}${id === '' ? '' : ` · #${id}`}${ended}`;
}

/** Makes the record of a stopped timer. Durations are in whole minutes; unknown values are null. */
function stoppedRecord({ timerId, hours, by, remains, timer, plan }: TimerStop): JsonObject {
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

export function hoursText({ hours, timer }: TimerStop): string {
  const minutes = hours?.['minutes'];
  const place = timer === undefined ? undefined : timerPlace(timer.record);
  return `${typeof minutes === 'number' ? formatDuration(minutes) : 'nothing'}${place === undefined ? '' : ` on ${place}`}`;
}
