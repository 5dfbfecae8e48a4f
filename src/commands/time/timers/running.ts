import { NotFoundError, UsageError } from '../../../errors.ts';
import { hoursKey, hoursStanding } from '../../../records/timer-hours.ts';
import { ownTimers } from '../../../records/timers.ts';
import type { Context, Needs } from '../../../session/context.ts';
import { runningMinutes, type Timer, timerPlace } from '../../../time/timer.ts';
import { type DateContext, localMinute } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import { scalarText } from '../../../values/json.ts';
import { quote } from '../../../values/quote.ts';

/** What looking at one's timers needs of a context. */
export type LookingAtTimers = keyof Pick<Context, 'account' | 'catalog' | 'client' | 'globals' | 'host' | 'journal'>;

/** A timer that the service shows as running. */
export interface RunningTimer extends Timer {
  /** Of its hours in the journal. */
  readonly key: string;
  /** The id of the hours that were logged of it from here, as text: it is over, and could not be ended. */
  readonly worklogId: string | undefined;
}

/** One's own timers, those whose hours are logged already told apart. @throws ForbiddenError for whoever may not read them back. */
export async function readRunning(context: Needs<LookingAtTimers>): Promise<readonly RunningTimer[]> {
  const [timers, { name: host }] = await Promise.all([ownTimers(context), context.host()]);
  return Promise.all(
    timers.map(async (timer) => {
      const key = hoursKey(host, timer);
      const { entry } = await hoursStanding(context, key);
      return { ...timer, key, worklogId: entry?.outcome === 'done' ? entry.recordId : undefined };
    }),
  );
}

/**
 * The timer that is meant: the one named, else the only one whose hours are not logged, else the only one.
 *
 * @throws UsageError when there are several, NotFoundError when there is none.
 */
export function chooseTimer(running: readonly RunningTimer[], id: number | undefined): RunningTimer {
  if (id !== undefined) {
    const named = running.find((timer) => timer.id === id);
    if (named !== undefined) return named;
    throw new NotFoundError(`No timer ${id} of yours is running.`, { hint: 'What runs: svc timers status' });
  }
  const open = running.filter(({ worklogId }) => worklogId === undefined);
  const choice = open.length > 0 ? open : running;
  const [only] = choice;
  if (only === undefined) throw new NotFoundError('No timer of yours is running.', { hint: 'svc timers list shows those of others.' });
  if (choice.length === 1) return only;
  throw new UsageError(`${choice.length} timers of yours are running.`, {
    hint: `Say which: ${choice.map((timer) => timer.id).join(', ')}. What they are on: svc timers status`,
  });
}

/** `ABC-12 Login, "Review", since 2026-06-05 09:00 (1h)`, as far as it is shown. */
export function describeTimer(timer: Timer, dates: DateContext): string {
  const { record, startedAt } = timer;
  const text = scalarText(record['description'] ?? null).trim();
  const minutes = runningMinutes(timer, dates.now);
  return [
    timerPlace(record) ?? 'on nothing in particular',
    ...(text === '' ? [] : [quote(text)]),
    ...(startedAt === undefined
      ? []
      : [`since ${localMinute(new Date(startedAt).toISOString(), dates)} (${formatDuration(minutes ?? 0)})`]),
  ].join(', ');
}
