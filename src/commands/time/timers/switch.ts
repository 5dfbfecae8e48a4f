import { defineCommand, type LoadedCommand } from '../../../cli/spec.ts';
import { SvcError, UsageError, withMore } from '../../../errors.ts';
import { isUnconfirmed } from '../../../records/send-entry.ts';
import { describeWrite } from '../../../records/send-write.ts';
import { timerOperations } from '../../../records/timers.ts';
import type { Context, Needs } from '../../../session/context.ts';
import type { Remembering } from '../../../session/day-memory.ts';
import { type Printing, printOneOrMany } from '../../../session/print.ts';
import { hostFlag } from '../../../session/printed-command.ts';
import { together } from '../../../values/together.ts';
import { planStop } from './plan-stop.ts';
import { findUnfinished, finishTimers, type TimerStop } from './recovery.ts';
import { askEnd, readRunning } from './running.ts';
import { readStart, START_ARGS, START_OPTIONS, type Starting, sendStart } from './start.ts';
import { describeWrites, hoursText, reportStopped } from './stop.ts';
import { describeStop, type Stopping, stopOne } from './stop-one.ts';

export const switchTimer: LoadedCommand<Context> = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun'],
  description:
    'svc logs the hours of the running timer, ends that timer, and starts the new timer. If no timer runs, svc only starts the new timer. -F sends fields with the new timer. svc timers stop --help names the token that svc needs to end a timer.',
  args: START_ARGS,
  options: START_OPTIONS,
  examples: [
    { args: 'timers switch ABC-7 "Form"', does: 'Continue with another work item' },
    { args: 'timers switch "project:Web shop" --dry-run', does: 'Print the requests, and send nothing' },
  ],
  async run(context: Needs<Printing | Remembering | Starting | Stopping | 'dates'>, { args, options }) {
    const [start, offered, running] = await together(readStart(context, args, options), timerOperations(context), readRunning(context));
    const dates = await context.dates();
    const open = running.filter(({ worklogId }) => worklogId === undefined);
    // If the same start is still unconfirmed, that start possibly created the running timer.
    const isStarted = open.length > 0 && (await isUnconfirmed(context, start.write));
    if (open.length > 1 && !isStarted)
      throw new UsageError(`${open.length} timers of yours are running.`, {
        hint: `End them one by one first: svc timers stop ${open.map(({ id }) => id).join(', then svc timers stop ')}`,
      });
    const timer = isStarted ? undefined : open[0];
    const plan = timer === undefined ? undefined : planStop(timer, { at: await askEnd(context, timer, dates) }, dates);
    if (context.globals.dryRun) {
      const ending = timer === undefined ? [] : await describeWrites(context, await describeStop(context, timer, plan, offered));
      return printOneOrMany(context, [...ending, await describeWrite(context, await context.catalog.of('timers'), start.write)], true);
    }
    const stopped: TimerStop[] = [...(await finishTimers(context, await findUnfinished(context, running), {}, dates))];
    if (timer !== undefined) stopped.push({ ...(await stopOne(context, timer, plan, offered, dates)), timer, plan });
    else if (!isStarted) await context.notice('No timer of yours was running.');
    if (context.plan === undefined) {
      for (const one of stopped) await context.notice(`Logged ${hoursText(one)}.`);
      await reportStopped(context, stopped, {});
    }
    try {
      await sendStart(context, offered, start);
    } catch (error) {
      if (!(error instanceof SvcError) || stopped.length === 0) throw error;
      throw withMore(error, {
        lines: [`The hours are logged. To see whether the new timer runs: svc timers status${await hostFlag(context)}`],
      });
    }
  },
});
