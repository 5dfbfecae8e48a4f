import type { DateContext } from '../values/dates.ts';
import { minutesOf, startOf } from './calendar.ts';
import type { Day } from './day.ts';
import type { Entry } from './entry.ts';
import { entryText, isOf, withoutKey } from './suggest.ts';

/** Something in a calendar that was attended. */
export interface Meeting {
  /** Of the meeting and this occurrence of it. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly summary: string;
  /** The work item that its title names. */
  readonly key: string | undefined;
}

/** An entry that a meeting speaks for: its part on one day. */
export interface MeetingProposal {
  readonly meeting: Meeting;
  readonly date: string;
  readonly minutes: number;
  /** Without the key. */
  readonly description: string;
}

/** What is known of the keys that titles name. */
export interface KnownKeys {
  /** Whether a key is that of a work item. */
  isItem(key: string): boolean;
  /** The id of that work item, for entries that show the id alone. */
  idOf(key: string): number | undefined;
}

/** Proposals, and what was left out of them. */
export interface ProposedMeetings {
  readonly proposals: readonly MeetingProposal[];
  /** With an entry of the same text on that day. */
  readonly known: number;
  /** All of whose time another meeting takes. */
  readonly covered: number;
  /** For which the day lacks no more time. */
  readonly full: number;
}

/**
 * Proposes an entry for each meeting that is over, in the order in which they began. No minute is counted twice: a meeting that overlaps an
 * earlier one counts from that one's end. What a day's meetings come to is cut to what the day lacks. One that goes on after midnight has a
 * part on each day. One without a text is compared by its work item.
 */
export function proposeMeetings(
  meetings: readonly Meeting[],
  days: readonly Pick<Day, 'date' | 'gap'>[],
  entries: readonly Entry[],
  dates: DateContext,
  keys: KnownKeys,
): ProposedMeetings {
  const proposals: MeetingProposal[] = [];
  const left = { known: 0, covered: 0, full: 0 };
  const inOrder = meetings.filter(({ end }) => end <= dates.now).toSorted((one, other) => one.start - other.start || one.end - other.end);
  for (const { date, gap = 0 } of days) {
    const [begin, over] = [startOf(date, dates), startOf(dates.temporal.PlainDate.from(date).add({ days: 1 }).toString(), dates)];
    const logged = entries.filter((entry) => entry.date === date);
    let room = gap;
    let taken = begin;
    for (const meeting of inOrder) {
      const [from, until] = [Math.max(meeting.start, taken), Math.min(meeting.end, over)];
      if (until <= Math.max(meeting.start, begin) || meeting.start >= over) continue;
      const { key } = meeting;
      const description = withoutKey(meeting.summary, key);
      const text = entryText(description, key, key !== undefined && keys.isItem(key));
      const minutes = minutesOf(until - from);
      const same = logged.findIndex(
        (entry) => entry.description.trim() === text && (text !== '' || (key !== undefined && isOf(entry, key, keys.idOf(key)))),
      );
      taken = Math.max(taken, until);
      if (same >= 0) {
        // Two meetings of one name want two entries.
        logged.splice(same, 1);
        left.known += 1;
      } else if (minutes <= 0) left.covered += 1;
      else if (room <= 0) left.full += 1;
      else {
        proposals.push({ meeting, date, minutes: Math.min(minutes, room), description });
        room -= minutes;
      }
    }
  }
  return { proposals, ...left };
}
