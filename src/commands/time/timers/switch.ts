import { type CommandSpec, defineCommand } from '../../../cli/spec.ts';
import { SvcError, UsageError, withMore } from '../../../errors.ts';
import { describeWrite } from '../../../records/send-write.ts';
import { timerOperations, timers } from '../../../records/timers.ts';
import { isUnsettled } from '../../../records/unsettled.ts';
import type { Context, Needs } from '../../../session/context.ts';
import { type Printing, printOneOrMany } from '../../../session/print.ts';
import { together } from '../../../values/together.ts';
import { findInterrupted } from './interrupted.ts';
import { planStop } from './plan-stop.ts';
import { recover } from './recover.ts';
import { readStart, START_ARGS, START_OPTIONS, type Starting, sendStart } from './start.ts';
import { describeAll, readShown } from './stop.ts';
import { describeStop, type Stopping, stopOne } from './stop-one.ts';
import { type StoppedTimer, shortly, tellStopped } from './stopped.ts';

/** `svc timers switch ABC-7`: what runs becomes hours, and another timer begins. */
export const switchTimer: CommandSpec<Context> = defineCommand({
  name: 'switch',
  summary: 'End the running timer, and start another one',
  showsGlobals: ['host', 'output', 'dryRun'],
  description:
    'svc logs the hours of the running timer, ends that timer, and starts the new one. If no timer runs, svc only starts the new one. -F sends fields with the new timer. See svc timers stop --help for the token that ending needs.',
  args: START_ARGS,
  options: START_OPTIONS,
  examples: [
    { args: 'timers switch ABC-7 "Form"', does: 'Continue with another work item' },
    { args: 'timers switch "project:Web shop" --dry-run', does: 'Print the requests, and send nothing' },
  ],
  async run(context: Needs<Printing | Starting | Stopping | 'dates'>, { args, options }) {
    const [start, offered, running] = await together(readStart(context, args, options), timerOperations(context), readShown(context));
    const dates = await context.dates();
    const open = running.filter(({ worklogId }) => worklogId === undefined);
    // Its answer was lost: what runs may be what it began.
    const isBegun = open.length > 0 && (await isUnsettled(context, start.write));
    if (open.length > 1 && !isBegun)
      throw new UsageError(`${open.length} timers of yours are running.`, {
        hint: `End them one by one first: svc timers stop ${open.map(({ id }) => id).join(', then svc timers stop ')}`,
      });
    const timer = isBegun ? undefined : open[0];
    const plan = timer === undefined ? undefined : planStop(timer, { at: undefined, round: undefined, fields: {} }, dates);
    if (context.globals.dryRun) {
      const ending = timer === undefined ? [] : await describeAll(context, await describeStop(context, timer, plan, offered));
      return printOneOrMany(context, [...ending, await describeWrite(context, await timers(context), start.write)], true);
    }
    const left = await findInterrupted(
      context,
      running.map(({ id }) => id),
    );
    const before = await recover(context, left, {}, dates);
    const stopped: StoppedTimer[] = before.map((one) => ({ ...one, timer: undefined, plan: undefined }));
    if (timer !== undefined) stopped.push({ ...(await stopOne(context, timer, plan, offered, dates)), timer, plan });
    else if (!isBegun) await context.notice('No timer of yours was running.');
    if (context.plan === undefined) {
      for (const one of stopped) await context.notice(`Logged ${shortly(one)}.`);
      await tellStopped(context, stopped, {});
    }
    try {
      await sendStart(context, offered, start);
    } catch (error) {
      if (!(error instanceof SvcError) || stopped.length === 0) throw error;
      throw withMore(error, { lines: ['What ran is logged; the new timer is not known to have begun.'] });
    }
  },
});
