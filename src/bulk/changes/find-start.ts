import { UsageError } from '../../errors.ts';
import { LOG_DAYS, type Mirror } from '../../mirror/mirror.ts';
import { MirrorError } from '../../mirror/mirror-error.ts';
import type { Needs } from '../../session/context.ts';
import { type DateContext, parseDateTime } from '../../values/dates.ts';
import { quote } from '../../values/quote.ts';

/** Under which name a mirror keeps how far somebody is. */
export function placeOf(consumer: string | undefined): string {
  return consumer === undefined ? 'changes' : `changes of ${consumer}`;
}

/**
 * The position after which changes are told.
 *
 * @param since `last` (where this consumer is; for a new one the end, which is noted), `now` (the end), a position, a change's id, or a moment.
 * @throws UsageError for what is none of these, or of another mirror; MirrorError for a moment of which not everything is held.
 */
export async function findStart(
  context: Needs<'notice'> & { readonly dates: () => Promise<DateContext> },
  mirror: Mirror,
  since: string,
  consumer: string | undefined,
): Promise<number> {
  const { mirror: name, last, pruned } = await mirror.log();
  const typed = since.trim();
  if (typed === 'last') {
    const noted = await mirror.kept(placeOf(consumer));
    if (noted !== undefined) return Number(noted);
    // Before anything is told: whoever is interrupted goes on from here.
    await mirror.keep(placeOf(consumer), String(last));
    const earlier = pruned < last ? ' What was seen before: --since 0' : '';
    await context.notice(`Nobody asked before${consumer === undefined ? '' : ` as ${consumer}`}: changes are told from here on.${earlier}`);
    return last;
  }
  if (typed === 'now') return last;
  const [, of, digits] = /^(?:([0-9a-f]{12})-)?(\d{1,15})$/.exec(typed) ?? [];
  if (digits !== undefined) {
    if (of !== undefined && of !== name)
      throw new UsageError(`The change ${quote(typed)} is in the log of another copy; that of this one began anew.`, {
        hint: 'Take the rows as they are now (svc sql, svc export), and go on from here: svc changes --since now',
      });
    const position = Number(digits);
    if (position > last)
      throw new UsageError(`There is no change ${position} yet; the last one is ${last}.`, { hint: 'A day is written 2026-03-31.' });
    // The position 0 is where the log begins, wherever that is by now.
    return position === 0 && of === undefined ? pruned : position;
  }
  const dates = await context.dates();
  const moment = parseDateTime(typed, dates);
  // What was pruned is older than that; younger moments have lost nothing.
  if (pruned > 0 && Date.parse(moment) < dates.now - LOG_DAYS * 86_400_000) throw new MirrorError('pruned-moment', moment);
  return mirror.positionBefore(moment);
}
