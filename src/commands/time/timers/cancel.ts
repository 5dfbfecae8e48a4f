import { defineCommand, type LoadedCommand } from '../../../cli/spec.ts';
import { DeclinedError, UsageError } from '../../../errors.ts';
import { neutraliseLine } from '../../../output/neutralise.ts';
import { checkMayDelete, describeWrite, sendWrite } from '../../../records/send-write.ts';
import { timerDeletion } from '../../../records/timers.ts';
import type { Asking, Context, Needs } from '../../../session/context.ts';
import { type Printing, printLine, printRecord } from '../../../session/print.ts';
import { parseId } from '../../../values/scalars.ts';
import { chooseTimer, describeTimer, type ReadingTimers, readRunning } from './running.ts';

export const cancelTimer: LoadedCommand<Context> = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun', 'yes'],
  description:
    'svc deletes one of your timers, and logs no hours. svc asks first; --yes answers the question. Deleting needs a personal access token with the Delete scope; a browser sign-in can never delete. See svc token set --help.',
  args: [{ name: 'id', summary: 'The id of the timer (default: your running timer, if there is one)', optional: true }],
  examples: [
    { args: 'timers cancel', does: 'Delete the running timer' },
    { args: 'timers cancel 12 --yes', does: 'Delete timer 12, without a question' },
  ],
  async run(context: Needs<Printing | Asking | ReadingTimers | 'credentials' | 'dates' | 'plan'>, { args: [typed] }) {
    const id = typed === undefined ? undefined : parseId(typed);
    // svc reports a missing token before it asks a question or sends a request.
    if (!context.globals.dryRun) await checkMayDelete(context);
    const timer = chooseTimer(await readRunning(context), id);
    const write = timerDeletion(timer.id);
    if (context.globals.dryRun) return printRecord(context, await describeWrite(context, await context.catalog.of('timers'), write));
    if (!context.globals.yes && context.plan === undefined) {
      if (!context.interactive)
        throw new UsageError('svc asks before it deletes a timer with its time, and cannot ask here.', {
          hint: 'Add --yes if you are sure.',
        });
      await context.stdio.stderr.write(`  timer ${timer.id}: ${neutraliseLine(describeTimer(timer, await context.dates()))}\n`);
      const question = timer.worklogId === undefined ? 'End the timer, and log nothing?' : 'End the timer? Its hours were logged before.';
      if (!(await context.prompts.confirm(question, context.signal)))
        throw new DeclinedError('The timer still runs.', { hint: 'To log the hours: svc timers stop' });
    }
    await sendWrite(context, write);
    const isSent = context.plan === undefined;
    const logged = timer.worklogId === undefined ? ', and logged nothing.' : '. Its hours were logged before.';
    if (isSent && (await context.presentation()).isDefaultFormat) return printLine(context, `Ended timer ${timer.id}${logged}`);
    await printRecord(context, { timer_id: timer.id, ended: isSent });
  },
});
