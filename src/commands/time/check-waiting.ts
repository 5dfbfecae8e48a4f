import { writtenBody } from '../../journal/body-of.ts';
import type { Unsettled } from '../../journal/entry.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { checkDaysFirst, type EntryToCheck } from './check-days.ts';

/**
 * Looks at the hours that wait before they are sent, as at those that are typed: whether their days are full, free, or have the same
 * already. What was sent before is not looked at: it may be there for that very reason.
 *
 * @throws DeclinedError at a no.
 */
export async function checkWaiting(
  context: Needs<Asking | 'account' | 'client' | 'clock' | 'dates' | 'globals' | 'notice'>,
  entries: readonly Unsettled[],
): Promise<void> {
  const bodies = entries.flatMap(({ entry }) => {
    return entry.outcome === 'waiting' && entry.method === 'POST' && entry.noun === 'worklogs' ? [writtenBody(entry) ?? {}] : [];
  });
  const byUser = Map.groupBy(bodies, (body) => (typeof body['user_id'] === 'number' ? body['user_id'] : 'me'));
  for (const [user, ofUser] of byUser) {
    const planned = ofUser.flatMap(plannedOf);
    if (planned.length === 0) continue;
    const days = planned.map(({ date }) => date);
    await checkDaysFirst(context, days, user, await context.dates(), 'To give one up: svc outbox drop <n>').warn(planned);
  }
}

function plannedOf({ date, minutes, description, work_item_id: item }: JsonObject): EntryToCheck[] {
  if (typeof date !== 'string' || typeof minutes !== 'number') return [];
  const says = { description: scalarText(description ?? null), workItemId: typeof item === 'number' ? item : null };
  return [{ date, minutes, says }];
}
