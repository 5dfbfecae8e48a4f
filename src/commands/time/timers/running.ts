import { ForbiddenError, NotFoundError, UsageError, undefinedFor, withHint } from '../../../errors.ts';
import { hoursKey, readHoursState } from '../../../records/timer-hours.ts';
import { ownTimers } from '../../../records/timers.ts';
import type { Asking, Context, Needs } from '../../../session/context.ts';
import { readEnd, runningMinutes, type Timer, timerPlace } from '../../../time/timer.ts';
import { type DateContext, localMinute } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import { scalarText } from '../../../values/json.ts';
import { quote } from '../../../values/text.ts';
import { wasForgotten } from './plan-stop.ts';

export type ReadingTimers = keyof Pick<Context, 'account' | 'catalog' | 'client' | 'globals' | 'host' | 'journal'>;

export interface RunningTimer extends Timer {
  readonly key: string;
  readonly worklogId: string | undefined;
}

export async function readRunning(context: Needs<ReadingTimers>): Promise<readonly RunningTimer[]> {
  return withHours(context, await ownTimers(context).catch(withAddHint));
}

export async function withHours(
  context: Needs<'globals' | 'host' | 'journal'>,
  timers: readonly Timer[],
): Promise<readonly RunningTimer[]> {
  const { name: host } = await context.host();
  return Promise.all(
    timers.map(async (timer) => {
      const key = hoursKey(host, timer);
      const { entry } = await readHoursState(context, key);
      return { ...timer, key, worklogId: entry?.outcome === 'done' ? entry.recordId : undefined };
    }),
  );
}

function withAddHint(error: unknown): never {
  if (!(error instanceof ForbiddenError)) throw error;
  const hint = 'Without that permission svc cannot see the start of a timer. To log the hours yourself, see: svc worklogs add --help';
  throw withHint(error, [error.hint, hint].filter(Boolean).join(' '));
}

/**
 * Reads your running timers. Returns undefined without permission to read timers, because starting a timer needs no such permission (rule
 * 11.39).
 */
export async function runningIfShown(context: Needs<ReadingTimers>): Promise<readonly RunningTimer[] | undefined> {
  return readRunning(context).catch(undefinedFor(ForbiddenError));
}

/**
 * Returns the running timer with an id. Without an id, returns the only timer whose hours are not logged, or otherwise the only timer.
 *
 * @throws NotFoundError without such a timer, UsageError for several timers.
 */
export function chooseTimer(running: readonly RunningTimer[], id: number | undefined): RunningTimer {
  if (id !== undefined) {
    const named = running.find((timer) => timer.id === id);
    if (named !== undefined) return named;
    throw new NotFoundError(`No timer ${id} of yours is running.`, { hint: 'See your running timers: svc timers status' });
  }
  const open = running.filter(({ worklogId }) => worklogId === undefined);
  const choice = open.length > 0 ? open : running;
  const [only] = choice;
  if (only === undefined)
    throw new NotFoundError('No timer of yours is running.', { hint: 'To see the timers of others: svc timers list' });
  if (choice.length === 1) return only;
  throw new UsageError(`${choice.length} timers of yours are running.`, {
    hint: `Give one of these ids: ${choice.map((timer) => timer.id).join(', ')}. See them: svc timers status`,
  });
}

/**
 * Asks the user for the end of a timer that probably ran on after the work. Undefined for other timers, in a dry run, and without a
 * terminal.
 */
export async function askEnd(context: Needs<Asking | 'globals' | 'notice'>, timer: Timer, dates: DateContext): Promise<string | undefined> {
  const { startedAt } = timer;
  if (!context.interactive || context.globals.dryRun || startedAt === undefined || !wasForgotten(timer, dates)) return undefined;
  for (;;) {
    const question = `Timer ${timer.id}, ${describeTimer(timer, dates)}: when did the work end (17:30, "friday 17:30", now)?`;
    const typed = (await context.prompts.line(question, context.signal)).trim();
    try {
      readEnd(typed, startedAt, dates);
      return typed;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      await context.notice(error.message);
    }
  }
}

/** Describes a timer with the facts that the service shows: `ABC-12 Login, "Review", since 2026-06-05 09:00 (1h)`. */
export function describeTimer(timer: Timer, dates: DateContext): string {
  const { record, startedAt } = timer;
  const text = scalarText(record['description']).trim();
  const minutes = runningMinutes(timer, dates.now);
  return [
    timerPlace(record) ?? 'without a work item or project',
    ...(text === '' ? [] : [quote(text)]),
    ...(startedAt === undefined
      ? []
      : [`since ${localMinute(new Date(startedAt).toISOString(), dates)} (${formatDuration(minutes ?? 0)})`]),
  ].join(', ');
}
