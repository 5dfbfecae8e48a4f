import { sendEach } from '../../bulk/in-order.ts';
import { DeclinedError } from '../../errors.ts';
import { describeWrite, sendWrite, type WriteRequest } from '../../records/send-write.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { type Printing, printOneOrMany, printRecords } from '../../session/print.ts';
import { dayName } from '../../time/calendar.ts';
import { minutesIn } from '../../time/entry.ts';
import { formatDuration } from '../../values/duration.ts';
import type { JsonObject } from '../../values/json.ts';
import { counted } from '../../values/text.ts';

export interface ProposedHours {
  readonly date: string;
  readonly minutes: number;
  readonly record: JsonObject;
  readonly write: WriteRequest;
}

/**
 * Logs the hours after a confirmation, with `--yes`, or into a plan. If svc cannot ask, svc only prints the entries. A dry run prints the
 * requests.
 *
 * @throws DeclinedError if the user says no.
 */
export async function proposeHours(
  context: Needs<Printing | Asking | 'catalog' | 'client' | 'dates' | 'host' | 'plan' | 'resolveWrites'>,
  proposed: readonly ProposedHours[],
  columns: readonly string[],
): Promise<void> {
  if (context.globals.dryRun) {
    const resource = await context.catalog.of('worklogs');
    return printOneOrMany(context, await Promise.all(proposed.map(({ write }) => describeWrite(context, resource, write))), true);
  }
  const records = proposed.map(({ record }) => record);
  await printRecords(context, records, columns, { minutes: 'duration', date: 'date' });
  const total = formatDuration(minutesIn(proposed));
  const what = `${counted(proposed.length, 'entry', 'entries')}, ${total} in all`;
  // The user approves a plan with `svc apply`, so this step needs no question.
  if (!context.globals.yes && context.plan === undefined) {
    if (!context.interactive) return context.notice(`svc sent nothing. To log ${what}, run the same command with --yes.`);
    if (!(await context.prompts.confirm(`Log ${what}?`, context.signal)))
      throw new DeclinedError('svc logged nothing.', { hint: 'To log by hand, see: svc worklogs add --help' });
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
    // svc marks the entries before the failure as done.
    await context.resolveWrites();
    throw error;
  }
}

export async function proposeNothing(context: Needs<Printing>, columns: readonly string[], why: string): Promise<void> {
  if ((await context.presentation()).reader === 'program') await printRecords(context, [], columns);
  await context.notice(why);
}
