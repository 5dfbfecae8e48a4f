import type { Account } from '../auth/record.ts';
import { ForbiddenError, NotFoundError, SignInError } from '../errors.ts';
import type { DateRange } from '../time/date-range.ts';
import { type DateContext, today } from '../values/dates.ts';
import { loadTemporal } from '../values/temporal.ts';
import type { Needs } from './context.ts';
import { requestMe } from './own-record.ts';

/**
 * A machine that runs other people's commands has a zone of its own. For `SVC_TOKEN` that takes one request, whose answer the client
 * stores (own-record.ts).
 *
 * @param keep Stores that the zone cannot be known.
 * @throws Any error of the request but a refusal: the day might be wrong.
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

/** Why there is no zone; undefined when there is one, or when the command is about to fail for the same reason. */
async function ask(context: Needs<'account' | 'client'>, keep: (account: Account) => Promise<void>): Promise<string | undefined> {
  try {
    await requestMe(await context.client());
  } catch (error) {
    // The command's own request will fail in the same way, and in its own words.
    if (error instanceof SignInError || error instanceof NotFoundError) return undefined;
    if (!(error instanceof ForbiddenError)) throw error;
    await keep({});
    return NOT_TOLD;
  }
  return (await context.account())?.timezone === undefined ? NO_ZONE : undefined;
}

/** The day in the user's zone, `YYYY-MM-DD`, as far as svc remembers the zone: it sends no request. For display only. */
export async function presentDay(context: Needs<'clock' | 'timeZone'>): Promise<string> {
  return today({ now: context.clock.now(), timeZone: await context.timeZone(), temporal: await loadTemporal() });
}

/** Two places long before and after any day that a person types. */
const PLACES = [
  { now: Date.UTC(2001, 0, 10), timeZone: 'Pacific/Pago_Pago' },
  { now: Date.UTC(2999, 6, 24), timeZone: 'Pacific/Kiritimati' },
] as const;

/** A text that means the same everywhere, such as a full date, needs no request for the user's zone. */
export async function inZone<T extends string | DateRange>(context: Needs<'dates'>, read: (dates: DateContext) => T): Promise<T> {
  return (await sameEverywhere(read)) ?? read(await context.dates());
}

/** Undefined if the text depends on today. @throws what `read` throws at every place. */
export async function sameEverywhere<T extends string | DateRange>(read: (dates: DateContext) => T): Promise<T | undefined> {
  const temporal = await loadTemporal();
  const [here, there] = await Promise.allSettled(PLACES.map(async (place) => read({ ...place, temporal })));
  if (here?.status === 'rejected' && there?.status === 'rejected') throw here.reason;
  if (here?.status !== 'fulfilled' || there?.status !== 'fulfilled') return undefined;
  return JSON.stringify(here.value) === JSON.stringify(there.value) ? here.value : undefined;
}
