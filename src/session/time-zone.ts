import type { Account } from '../auth/record.ts';
import { ForbiddenError, NotFoundError, SignInError } from '../errors.ts';
import type { DateRange } from '../time/date-range.ts';
import { type DateContext, today } from '../values/dates.ts';
import { loadTemporal } from '../values/temporal.ts';
import type { Needs } from './context.ts';
import { requestMe } from './own-record.ts';

/**
 * Finds the user’s time zone from the service, because a machine that runs other people’s commands may have another zone. With `SVC_TOKEN`,
 * an unknown zone costs one request. The client stores the answer (own-record.ts).
 * @param keep stores that the zone is unknown.
 * @throws any error of the request except SignInError, NotFoundError and ForbiddenError, because the day might be wrong.
 */
export async function learnZone(
  context: Needs<'account' | 'client' | 'globals' | 'noticeToday' | 'settings' | 'timeZone'>,
  keep: (account: Account) => Promise<void>,
): Promise<void> {
  const known = await context.account();
  if (known?.timezone !== undefined) return;
  const why =
    known?.user_id !== undefined
      ? NO_ZONE
      : context.globals.dryRun
        ? 'A dry run does not read your time zone'
        : known === undefined
          ? await ask(context, keep)
          : NOT_TOLD;
  if (why === undefined || (await context.settings()).timezone !== undefined) return;
  await context.noticeToday(`${why}, so svc uses ${await context.timeZone()}. To set another time zone: svc config set timezone <zone>`);
}

const NO_ZONE = 'Your user record names no time zone that svc knows';
const NOT_TOLD = 'The service does not show the user of this token';

/**
 * Requests the record of the user. Returns the reason why the zone is unknown. Undefined if the zone is known, or if the command will fail
 * for the same reason.
 */
async function ask(context: Needs<'account' | 'client'>, keep: (account: Account) => Promise<void>): Promise<string | undefined> {
  try {
    await requestMe(await context.client());
  } catch (error) {
    // The command’s own request fails in the same way, with its own message.
    if (error instanceof SignInError || error instanceof NotFoundError) return undefined;
    if (!(error instanceof ForbiddenError)) throw error;
    await keep({});
    return NOT_TOLD;
  }
  return (await context.account())?.timezone === undefined ? NO_ZONE : undefined;
}

/** Returns the day in the user’s stored zone, `YYYY-MM-DD`. Sends no request, so the day is only for display. */
export async function presentDay(context: Needs<'clock' | 'timeZone'>): Promise<string> {
  return today({ now: context.clock.now(), timeZone: await context.timeZone(), temporal: await loadTemporal() });
}

/**
 * Two contexts, with times long before and long after any day that a user types. Their zones are 11 hours behind and 14 hours ahead of UTC.
 */
const PLACES = [
  { now: Date.UTC(2001, 0, 10), timeZone: 'Pacific/Pago_Pago' },
  { now: Date.UTC(2999, 6, 24), timeZone: 'Pacific/Kiritimati' },
] as const;

/** Reads a date in the user’s zone. A text with the same meaning everywhere, such as a full date, needs no request for the zone. */
export async function inZone<T extends string | DateRange>(context: Needs<'dates'>, read: (dates: DateContext) => T): Promise<T> {
  return (await sameEverywhere(read)) ?? read(await context.dates());
}

/**
 * Returns the meaning of a date text, if the meaning is the same at every time and place. Undefined if the text depends on today. @throws
 * the error of `read` if both calls of `read` fail.
 */
export async function sameEverywhere<T extends string | DateRange>(read: (dates: DateContext) => T): Promise<T | undefined> {
  const temporal = await loadTemporal();
  const [here, there] = await Promise.allSettled(PLACES.map(async (place) => read({ ...place, temporal })));
  if (here?.status === 'rejected' && there?.status === 'rejected') throw here.reason;
  if (here?.status !== 'fulfilled' || there?.status !== 'fulfilled') return undefined;
  return JSON.stringify(here.value) === JSON.stringify(there.value) ? here.value : undefined;
}
