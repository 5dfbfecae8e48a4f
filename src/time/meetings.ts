import type { DateContext } from '../values/dates.ts';
import { dayRange, minutesOf } from './calendar.ts';
import type { Day } from './day.ts';
import type { Entry } from './entry.ts';
import { entryText, isOf, withoutKey } from './suggest.ts';

export interface Meeting {
  readonly id: string;
  /** The start of the meeting, in milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly summary: string;
  readonly key: string | undefined;
}

interface KnownKeys {
  targetOf(key: string | undefined): unknown;
  /** Returns the id of the work item with this key, to compare with entries that only show the id. */
  idOf(key: string): number | undefined;
}

/**
 * Proposes an entry for each past meeting without an entry, in order of start. No minute counts twice: an overlapping meeting starts at the
 * earlier meeting’s end.
 * - The proposals of a day never exceed the missing time of the day.
 * - A meeting that lasts past midnight has a part on each day.
 * - A meeting has an entry if the texts are equal. Without a title, an entry on the meeting’s work item is enough.
 */
export function proposeMeetings(
  meetings: readonly Meeting[],
  days: readonly Pick<Day, 'date' | 'gap'>[],
  entries: readonly Entry[],
  dates: DateContext,
  keys: KnownKeys,
) {
  const proposals: { readonly meeting: Meeting; readonly date: string; readonly minutes: number; readonly description: string }[] = [];
  const matched: Entry[] = [];
  const left = { known: 0, covered: 0, full: 0 };
  const inOrder = meetings.filter(({ end }) => end <= dates.now).toSorted((one, other) => one.start - other.start || one.end - other.end);
  for (const { date, gap = 0 } of days) {
    const { start: begin, end: over } = dayRange(date, dates);
    const logged = entries.filter((entry) => entry.date === date);
    let room = gap;
    let taken = begin;
    for (const meeting of inOrder) {
      const [from, until] = [Math.max(meeting.start, taken), Math.min(meeting.end, over)];
      if (until <= Math.max(meeting.start, begin) || meeting.start >= over) continue;
      const { key } = meeting;
      const description = withoutKey(meeting.summary, key);
      const text = entryText(description, key, keys.targetOf(key) !== undefined);
      const minutes = minutesOf(until - from);
      const same = logged.findIndex(
        (entry) => entry.description.trim() === text && (text !== '' || (key !== undefined && isOf(entry, key, keys.idOf(key)))),
      );
      taken = Math.max(taken, until);
      if (same >= 0) {
        // An entry matches only one meeting, so two meetings with the same title need two entries.
        matched.push(...logged.splice(same, 1));
        left.known += 1;
      } else if (minutes <= 0) left.covered += 1;
      else if (room <= 0) left.full += 1;
      else {
        proposals.push({ meeting, date, minutes: Math.min(minutes, room), description });
        room -= minutes;
      }
    }
  }
  return { proposals, matched, ...left };
}
