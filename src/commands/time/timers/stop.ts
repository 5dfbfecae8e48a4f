import { type CommandSpec, defineCommand, parsed, text } from '../../../cli/spec.ts';
import { ForbiddenError, UsageError, withHint } from '../../../errors.ts';
import { readFields } from '../../../records/body.ts';
import { BODY_OPTIONS } from '../../../records/body-flags.ts';
import { describeWrite } from '../../../records/send-write.ts';
import { timerOperations, timers } from '../../../records/timers.ts';
import { worklogs } from '../../../records/worklogs.ts';
import type { Context, Needs } from '../../../session/context.ts';
import { type Printing, printOneOrMany } from '../../../session/print.ts';
import { counted } from '../../../values/counted.ts';
import { parseDuration } from '../../../values/duration.ts';
import { parseId } from '../../../values/integer.ts';
import type { JsonObject } from '../../../values/json.ts';
import { together } from '../../../values/together.ts';
import { findInterrupted } from './interrupted.ts';
import { planStop } from './plan-stop.ts';
import { recover } from './recover.ts';
import { chooseTimer, type RunningTimer, readRunning } from './running.ts';
import { describeStop, type Stopping, stopOne } from './stop-one.ts';
import { printStopped, type StoppedTimer } from './stopped.ts';

const OPTIONS = {
  at: text('--at <time>', 'Set the time of the end: 17:30, "friday 17:30" (default: now)', { type: 'date-time', group: 'Hours' }),
  round: parsed('--round <duration>', 'Round to this many minutes, half upwards: 5m, 15m', parseStep, {
    type: 'duration',
    group: 'Hours',
  }),
  description: text('--description <text>', 'Log this text instead of the text of the timer', { group: 'Hours' }),
  field: BODY_OPTIONS.field,
  rawField: BODY_OPTIONS.rawField,
} as const;

/** `svc timers stop [id]`: a timer becomes hours, and is ended. */
export const stopTimer: CommandSpec<Context> = defineCommand({
  name: 'stop',
  summary: 'End a timer, and log its time',
  showsGlobals: ['host', 'output', 'dryRun', 'again'],
  description:
    'svc logs the minutes since the timer began, for its work item, project and text. Then it ends the timer. The entry is on the day on which the timer began. Seconds are rounded to the nearest minute; less than half a minute is not logged. After more than a day, svc asks when the work ended.\n\nEnding a timer needs an operation that your organisation lists, or a personal access token with the Delete scope. Without both, svc logs the hours and reports that the timer still runs. Running the same command again logs nothing twice.',
  args: [{ name: 'id', summary: 'The id of the timer (default: your running timer, if there is one)', optional: true }],
  options: OPTIONS,
  examples: [
    { args: 'timers stop', does: 'Log the running timer until now' },
    { args: 'timers stop --at 17:30 --round 15m', does: 'Log until half past five, rounded to a quarter of an hour' },
    { args: 'timers stop 12 --description "Review of the form"', does: 'Log timer 12 with another text' },
    { args: 'timers stop --dry-run', does: 'Print the requests, and send nothing' },
  ],
  async run(context: Needs<Printing | Stopping | 'dates' | 'host' | 'readFileArgument'>, { args: [typed], options }) {
    const id = typed === undefined ? undefined : parseId(typed);
    const fields = {
      ...(options.description !== undefined && { description: options.description }),
      ...(await readFields(context, options.rawField, options.field)),
    };
    const [running, offered] = await together(readShown(context), timerOperations(context));
    const dates = await context.dates();
    const left = await findInterrupted(
      context,
      running.map((timer) => timer.id),
    );
    const isLeft = left.interrupted.some(({ timerId }) => id === undefined || timerId === id);
    // What an earlier svc left comes first; where nothing else runs, that is all.
    const isOver =
      isLeft && (id === undefined ? running.every(({ worklogId }) => worklogId !== undefined) : !running.some((one) => one.id === id));
    const timer = isOver ? undefined : chooseTimer(running, id);
    const { round } = options;
    const plan =
      timer === undefined || timer.worklogId !== undefined ? undefined : planStop(timer, { at: options.at, round, fields }, dates);
    if (context.globals.dryRun) {
      if (isLeft)
        await context.notice(`Before that, it makes sure of ${counted(left.interrupted.length, 'timer', 'timers')} that ended before.`);
      return timer === undefined ? undefined : printDry(context, timer, plan, offered);
    }
    const before = await recover(context, left, timer === undefined ? fields : {}, dates);
    const stopped: StoppedTimer[] = before.map((one) => ({ ...one, timer: undefined, plan: undefined }));
    if (timer !== undefined) stopped.push({ ...(await stopOne(context, timer, plan, offered, dates)), timer, plan });
    const minutes = options.at === undefined && round === undefined ? undefined : plan?.body?.['minutes'];
    await printStopped(context, stopped, { ...fields, ...(minutes !== undefined && { minutes }) });
  },
});

/** One's own timers. @throws ForbiddenError that says what to do without seeing them. */
export async function readShown(context: Parameters<typeof readRunning>[0]): Promise<readonly RunningTimer[]> {
  try {
    return await readRunning(context);
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    const instead = 'Without it svc does not see since when a timer runs: log the hours with svc worklogs add.';
    throw withHint(error, [error.hint, instead].filter(Boolean).join(' '));
  }
}

async function printDry(
  context: Needs<Printing | Stopping | 'host'>,
  timer: RunningTimer,
  plan: Parameters<typeof describeStop>[2],
  offered: Parameters<typeof describeStop>[3],
): Promise<void> {
  await printOneOrMany(context, await describeAll(context, await describeStop(context, timer, plan, offered)), true);
}

/** What a dry run prints of writes. */
export async function describeAll(
  context: Needs<'catalog' | 'host' | 'notice'>,
  writes: Awaited<ReturnType<typeof describeStop>>,
): Promise<JsonObject[]> {
  const resources = { timers: await timers(context), worklogs: await worklogs(context) };
  if (writes[0]?.of === 'timers' && writes.length > 1)
    await context.notice('The hours are logged unless the service logs them when the timer is ended.');
  return Promise.all(writes.map(({ write, of }) => describeWrite(context, resources[of], write)));
}

function parseStep(typed: string): number {
  const step = parseDuration(typed);
  if (step >= 1 && step <= 24 * 60) return step;
  throw new UsageError('Round to 1 minute up to 24 hours.', { hint: 'For example --round 5m or --round 15m.' });
}
