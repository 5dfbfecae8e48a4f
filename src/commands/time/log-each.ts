import { sendEach } from '../../bulk/send-each.ts';
import { DeclinedError } from '../../errors.ts';
import { sendWrite, type WriteRequest } from '../../records/send-write.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { dayName } from '../../time/calendar.ts';
import { counted } from '../../values/counted.ts';
import { formatDuration } from '../../values/duration.ts';

/** Hours that svc proposes, and the request that logs them. */
export interface ProposedHours {
  readonly date: string;
  readonly minutes: number;
  readonly write: WriteRequest;
}

/** Logs what was shown, after a yes; where nobody can say yes, it says how to. @throws DeclinedError after a no. */
export async function logEach(
  context: Needs<Asking | 'client' | 'dates' | 'globals' | 'notice' | 'plan' | 'settleWrites'>,
  proposed: readonly ProposedHours[],
): Promise<void> {
  const total = formatDuration(proposed.reduce((sum, { minutes }) => sum + minutes, 0));
  const what = `${counted(proposed.length, 'entry', 'entries')}, ${total} in all`;
  // A plan is approved when it is applied.
  if (!context.globals.yes && context.plan === undefined) {
    if (!context.interactive) return context.notice(`Nothing was sent. To log ${what}: the same with --yes`);
    if (!(await context.prompts.confirm(`Log ${what}?`, context.signal)))
      throw new DeclinedError('Nothing was logged.', { hint: 'Log by hand: svc worklogs add' });
  }
  const { temporal } = await context.dates();
  const log = async (hours: ProposedHours) => {
    await sendWrite(context, hours.write);
    return hours;
  };
  try {
    for await (const { minutes, date } of sendEach(proposed, log, ({ error }) => error))
      if (context.plan === undefined) await context.notice(`Logged: ${formatDuration(minutes)} on ${dayName(date, temporal)}.`);
  } catch (error) {
    // What was logged before is not left in doubt with what failed.
    await context.settleWrites();
    throw error;
  }
}
