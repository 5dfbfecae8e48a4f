import type { Needs } from '../../../session/context.ts';
import { startOf } from '../../../time/calendar.ts';
import { type KnownKeys, type Meeting, type MeetingProposal, proposeMeetings } from '../../../time/meetings.ts';
import { entryText, withoutKey } from '../../../time/suggest.ts';
import type { WorkedOutDays } from '../week/look.ts';
import { readCalendar } from './calendar-file.ts';

/**
 * The meetings of a calendar that speak for what some days lack; what is left out is said.
 *
 * @param author whose answers count.
 * @param findKeys Looks up the keys that meetings name.
 */
export async function meetingsFor(
  context: Needs<'notice'>,
  file: string,
  { days, entries, dates, person }: WorkedOutDays,
  author: string | undefined,
  findKeys: (named: readonly Meeting[]) => Promise<KnownKeys>,
): Promise<readonly MeetingProposal[]> {
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
  const after = dates.temporal.PlainDate.from(last).add({ days: 1 }).toString();
  const span = { start: startOf(first, dates), end: startOf(after, dates) };
  const email = author?.trim().toLowerCase() ?? person.email;
  const { meetings, leftOut, doubts } = readCalendar(file, { ...span, email }, dates);
  for (const line of doubts) await context.notice(line);
  const over = meetings.filter(({ end }) => end <= dates.now);
  // Whether a key is that of a work item matters to those alone whose text is there, with the key or without.
  const texts = new Set(entries.map(({ description }) => description.trim()));
  const mayBeThere = ({ summary, key }: Meeting) => {
    const description = withoutKey(summary, key);
    return texts.has(description) || texts.has(entryText(description, key, false));
  };
  const { proposals, known, covered, full } = proposeMeetings(over, days, entries, dates, await findKeys(over.filter(mayBeThere)));
  const coming = meetings.length - over.length;
  const others: readonly (readonly [string, number])[] = [
    ...leftOut,
    ['not over yet', coming],
    ['there already', known],
    ['within another meeting', covered],
    ['for which the day lacks no time', full],
  ];
  const told = others.filter(([, count]) => count > 0).map(([why, count]) => `${count} ${why}`);
  if (told.length > 0) await context.notice(`Left out of the calendar: ${told.join(', ')}.`);
  return proposals;
}
