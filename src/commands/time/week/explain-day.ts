import { naming } from '../../../cli/naming.ts';
import type { UserRef } from '../../../records/people.ts';
import type { Needs } from '../../../session/context.ts';
import { inZone } from '../../../session/time-zone.ts';
import { dayName } from '../../../time/calendar.ts';
import { tallyOf } from '../../../time/tally.ts';
import { parseCalendarDate } from '../../../values/dates.ts';
import { type Explaining, explainFigures } from '../../explain-figures.ts';
import { readDaysOf } from './read-week.ts';

/** Prints the steps that lead to the missing hours of a day. @throws UsageError for a text that is not a day. */
export async function explainDay(
  context: Needs<Explaining | 'account' | 'client' | 'noticeToday'>,
  user: UserRef,
  typed: string,
  target: number | undefined,
): Promise<void> {
  const date = await naming('--why', () => inZone(context, (dates) => parseCalendarDate(typed, dates)));
  const { person, days, dates, leaveIsComplete } = await readDaysOf(context, user, { first: date, last: date }, { target });
  const { gapSteps } = tallyOf(days, { leave: leaveIsComplete, entries: true });
  await explainFigures(context, {
    title: `Missing hours of ${dayName(date, dates.temporal)} · ${person.name}`,
    subject: { user_id: person.id ?? null, user: person.name, date },
    figures: [{ figure: 'gap_minutes', label: 'Missing', steps: gapSteps }],
  });
}
