import { defineCommand, type LoadedCommand } from '../../../cli/spec.ts';
import type { Context, Needs } from '../../../session/context.ts';
import { type Printing, printRecords } from '../../../session/print.ts';
import { placeOfTimer, runningMinutes } from '../../../time/timer.ts';
import type { DateContext } from '../../../values/dates.ts';
import type { JsonObject } from '../../../values/json.ts';
import { reportUnfinished } from './recovery.ts';
import { type ReadingTimers, type RunningTimer, readRunning } from './running.ts';

export const timerStatus: LoadedCommand<Context> = defineCommand({
  showsGlobals: ['host', 'output', 'fields', 'jq'],
  description:
    'For each timer, svc prints its work item or project, its start, and the whole minutes until now. The minutes are null if the service does not show the start, or if the hours are logged. If svc logged the hours and could not end the timer, worklog_id is the id of the entry. svc timers list shows the timers of other people.',
  examples: [
    { args: 'timers status', does: 'Show your running timers' },
    { args: "timers status --jq '.[].elapsed_minutes'", does: 'Print the minutes until now, for a shell prompt' },
  ],
  async run(context: Needs<Printing | ReadingTimers | 'credentials' | 'dates'>) {
    const running = await readRunning(context);
    const dates = await context.dates();
    const { isScreen } = await context.presentation();
    // At a terminal, reportUnfinished prints the timers whose hours are logged.
    const shown = isScreen ? running.filter(({ worklogId }) => worklogId === undefined) : running;
    await printRecords(
      context,
      shown.map((timer) => recordOf(timer, dates)),
      ['id', 'started_at', 'elapsed_minutes', 'project', 'work_item', 'description'],
      {
        elapsed_minutes: 'duration',
        started_at: 'date-time',
      },
    );
    if (running.length === 0) await context.notice('No timer of yours is running.');
    await reportUnfinished(context, running);
  },
});

function recordOf(timer: RunningTimer, { now }: DateContext): JsonObject {
  const { id, record, worklogId } = timer;
  return {
    id,
    started_at: record['started_at'] ?? null,
    elapsed_minutes: worklogId === undefined ? runningMinutes(timer, now) : null,
    ...placeOfTimer(record),
    worklog_id: worklogId === undefined ? null : Number(worklogId),
  };
}
