import { type CommandSpec, defineCommand } from '../../../cli/spec.ts';
import type { Context, Needs } from '../../../session/context.ts';
import { hostFlag } from '../../../session/host-to-name.ts';
import { type Printing, printRecords } from '../../../session/print.ts';
import { nameIn, runningMinutes } from '../../../time/timer.ts';
import type { DateContext } from '../../../values/dates.ts';
import type { JsonObject } from '../../../values/json.ts';
import { findInterrupted } from './interrupted.ts';
import { tellInterrupted } from './recover.ts';
import type { LookingAtTimers, RunningTimer } from './running.ts';
import { tellLogged } from './start.ts';
import { readShown } from './stop.ts';

/** `svc timers status`: what runs, and for how long. */
export const timerStatus: CommandSpec<Context> = defineCommand({
  name: 'status',
  summary: 'Show your running timers, and for how long they run',
  showsGlobals: ['host', 'output', 'fields', 'jq'],
  description:
    'For each timer, svc prints its work item or project, its start, and the whole minutes until now. The minutes are null if the service does not show the start. worklog_id names the hours that svc logged for a timer that it could not end. svc timers list shows the timers of other people.',
  examples: [
    { args: 'timers status', does: 'Show your running timers' },
    { args: "timers status --jq '.[].elapsed_minutes'", does: 'Print the minutes until now, for a shell prompt' },
  ],
  async run(context: Needs<Printing | LookingAtTimers | 'dates'>) {
    const running = await readShown(context);
    const dates = await context.dates();
    const rows = running.map((timer) => recordOf(timer, dates));
    await printRecords(context, rows, ['id', 'started_at', 'elapsed_minutes', 'project', 'work_item', 'description'], {
      elapsed_minutes: 'duration',
      started_at: 'date-time',
    });
    if (running.length === 0) await context.notice('No timer of yours is running.');
    const host = await hostFlag(context);
    await tellLogged(context, running, host);
    const { interrupted } = await findInterrupted(
      context,
      running.map(({ id }) => id),
    );
    await tellInterrupted(context, interrupted, host);
  },
});

function recordOf(timer: RunningTimer, { now }: DateContext): JsonObject {
  const { id, record, worklogId } = timer;
  return {
    id,
    started_at: record['started_at'] ?? null,
    elapsed_minutes: runningMinutes(timer, now),
    project_id: record['project_id'] ?? null,
    project: nameIn(record, 'project') ?? null,
    work_item_id: record['work_item_id'] ?? null,
    work_item: nameIn(record, 'work_item') ?? null,
    description: record['description'] ?? null,
    worklog_id: worklogId === undefined ? null : Number(worklogId),
  };
}
