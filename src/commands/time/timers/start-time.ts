import { isWritable } from '../../../catalog/rules.ts';
import { naming } from '../../../cli/naming.ts';
import { shellCommand } from '../../../cli/shell-word.ts';
import { text } from '../../../cli/spec.ts';
import { NotFoundError, RefusedError, withHint } from '../../../errors.ts';
import type { Needs } from '../../../session/context.ts';
import { flagWords, hostFlag } from '../../../session/printed-command.ts';
import { localDayAndTime, minutesOf } from '../../../time/calendar.ts';
import { readPastStart } from '../../../time/timer.ts';
import { localMinute } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import { type JsonObject, scalarText } from '../../../values/json.ts';

export const FROM_OPTION = {
  from: text('--from <time>', 'Set a start in the past: 9:15 today, or "yesterday 16:30" (default: now)', { type: 'date-time' }),
} as const;

/**
 * Reads the value of `--from`.
 *
 * @returns the field that sets the start. Undefined without `from`.
 * @throws NotFoundError if the API spec of the organisation does not let you set the start.
 * @throws UsageError for a time in the future, and for a day without a time.
 */
export async function readStartTime(context: Needs<'catalog' | 'dates'>, from: string | undefined): Promise<JsonObject | undefined> {
  if (from === undefined) return undefined;
  const resource = await context.catalog.of('timers');
  if (!isWritable(resource.fields['started_at'], 'create'))
    throw new NotFoundError('Your organisation’s API does not let you set the start of a timer.', { hint: LEAVE_OUT });
  const dates = await context.dates();
  return { started_at: await naming('--from', () => readPastStart(from, dates)) };
}

const LEAVE_OUT = 'Start the timer without --from. To log the time before: svc worklogs add --help';

/** Adds a hint to an error if the service refuses the start: start the timer without --from. */
export function withoutFrom(error: unknown): unknown {
  if (!(error instanceof RefusedError)) return error;
  const { parameter, lines = [] } = error.details;
  const isAboutStart = [error.message, parameter, ...lines].some((text) => text?.includes('started_at'));
  return isAboutStart ? withHint(error, LEAVE_OUT) : error;
}

/** Returns the flags of `timers start`, `timers switch` and `worklogs add` for the work of a timer. */
export function workFlags({ work_item_id: item, project_id: project, description }: JsonObject): readonly string[] {
  return [
    ...(item !== undefined ? ['--work-item', scalarText(item)] : project !== undefined ? ['--project', scalarText(project)] : []),
    ...(description !== undefined ? flagWords('description', scalarText(description)) : []),
  ];
}

export type ReportingStart = 'dates' | 'notice' | 'resolvedHost' | 'settings';

/** Compares the start that the service shows with the start that you set, and reports a difference. The service can ignore `started_at`. */
export async function reportStart(context: Needs<ReportingStart>, body: JsonObject, record: JsonObject | undefined): Promise<void> {
  const asked = Date.parse(scalarText(body['started_at']));
  if (Number.isNaN(asked)) return;
  const dates = await context.dates();
  const minuteOf = (timestamp: number) => localMinute(new Date(timestamp).toISOString(), dates);
  const shown = Date.parse(scalarText(record?.['started_at']));
  if (Number.isNaN(shown))
    return context.notice(`The service does not show the start of the timer, so svc cannot check the start at ${minuteOf(asked)}.`);
  if (shown === asked) return;
  const missed = minutesOf(shown - asked);
  const { date } = localDayAndTime(asked, dates);
  const logging = shellCommand(['worklogs', 'add', formatDuration(missed), ...workFlags(body), '--date', date]);
  await context.notice(
    `The service started the timer at ${minuteOf(shown)}, not at ${minuteOf(asked)}.${missed > 0 ? ` To log the time between: ${logging}${await hostFlag(context)}` : ''}`,
  );
}
