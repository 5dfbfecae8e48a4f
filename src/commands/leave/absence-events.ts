import type { CalendarEvent } from '../../output/icalendar.ts';
import { localDayAndTime, momentOf, startOf } from '../../time/calendar.ts';
import type { DaySpan } from '../../time/day-span.ts';
import { scalarText } from '../../values/json.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { isRequested, type PersonDays } from './absence-days.ts';
import { nameOf } from './people-leave.ts';

type Found = PersonDays['absences'][number];

export interface EventOptions {
  /** The organisation, which makes the ids of its absences unique. */
  readonly host: string;
  /** An absence that runs goes to the end of it. */
  readonly span: DaySpan;
  /** Whether types may be named. */
  readonly types: boolean;
}

/** The absences of a person as events: whole days as days, whatever begins or ends within one as moments. */
export function eventsOf(person: PersonDays, { host, span, types }: EventOptions): CalendarEvent[] {
  return person.absences.map((found) => {
    const { record } = found;
    const type = types ? scalarText(record['type']) : '';
    return {
      uid: `absence-${scalarText(record['id'])}@${host}`,
      summary: `${nameOf(person)} away${type === '' ? '' : ` (${type})`}`,
      description: descriptionOf(found, span),
      ...boundsOf(found, person, span),
      status: statusOf(found),
    };
  });
}

/** What is known only in part. */
function descriptionOf({ absence, days }: Found, { last }: DaySpan): string | undefined {
  if (absence.end === Number.POSITIVE_INFINITY) return `No end is set; shown here until ${last}.`;
  const open = absence.openDay;
  if (open === undefined || days.length === 0) return undefined;
  return `Whether ${open.date} is a day of it is not known; it is ${open.counted ? '' : 'not '}shown here.`;
}

function statusOf({ record }: Found): CalendarEvent['status'] {
  if (isRequested(record)) return 'TENTATIVE';
  return scalarText(record['status']).toLowerCase() === 'approved' ? 'CONFIRMED' : undefined;
}

function boundsOf({ absence }: Found, { dates }: PersonDays, { last }: DaySpan): Pick<CalendarEvent, 'start' | 'end'> {
  const end = absence.end === Number.POSITIVE_INFINITY ? momentOf(last, '24:00', dates) : absence.end;
  const first = localDayAndTime(absence.start, dates).date;
  // Whole days end with their last second, or with the first moment of the next day (rule 18.34).
  const after = localDayAndTime(end + 1_000, dates).date;
  const edge = startOf(after, dates);
  if (startOf(first, dates) === absence.start && (end === edge || end === edge - 1_000)) return { start: first, end: after };
  return { start: utcSeconds(absence.start), end: utcSeconds(end) };
}
