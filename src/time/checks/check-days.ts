import type { DateContext } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import { daysBetween, startOf } from '../calendar.ts';
import { computeDay, type Day } from '../day.ts';
import type { DaySpan } from '../day-span.ts';
import type { Absence, DayOff } from '../leave.ts';
import type { WorkingHours } from '../working-hours.ts';
import { type CheckedEntry, idsOf } from './checked-entry.ts';
import type { Finding, Judgement, NotJudged } from './finding.ts';

/** Somebody whose days are checked. */
export interface CheckedPerson {
  readonly id: number;
  readonly name: string;
  /** With their own zone. */
  readonly dates: DateContext;
  /** Where they are. */
  readonly today: string;
  readonly hours: WorkingHours | undefined;
  /** Why the hours are not known, where they are not. */
  readonly hoursHidden: string | undefined;
  readonly absences: readonly Absence[];
  readonly daysOff: readonly DayOff[];
  /** None of their leave was withheld, and none of it is unreadable; days that an absence leaves open count as known here. */
  readonly leaveKnown: boolean;
  /** Hours of theirs are waited for on this day. */
  readonly isEmployed: (date: string) => boolean;
}

/**
 * Days of one person against their working hours and leave: what is missing, what was logged though there was nothing to work, and more
 * than a day holds. A day of which an absence leaves open whether it is one of it (rule 18.34) is judged where that makes no difference.
 *
 * @param entries theirs, up to today.
 */
export function checkDays(person: CheckedPerson, { first, last }: DaySpan, entries: readonly CheckedEntry[]): Judgement {
  const { dates, today } = person;
  const byDay = Map.groupBy(entries, ({ date }) => date);
  const findings: Finding[] = [];
  const open: string[] = [];
  const hidden: string[] = [];
  for (const date of daysBetween(first, last < today ? last : today, dates.temporal)) {
    const own = byDay.get(date) ?? [];
    const days = leaveReadings(person, date).map((absences) => computeDay(date, own, calendarOf(person, absences)));
    const [day, other] = days.map((each) => foundOn(person, each, own));
    if (day === undefined) continue;
    findings.push(...tooLong(person, date, own));
    if (other !== undefined && JSON.stringify(other.findings) !== JSON.stringify(day.findings)) open.push(date);
    else {
      // More leave than is known makes less missing, and no less logged on leave.
      findings.push(...day.findings.filter(({ kind }) => person.leaveKnown || kind === 'hours-on-leave'));
      if (day.hidden) hidden.push(date);
    }
  }
  // Whoever withholds leave is told of once, for all of them.
  return { findings, notJudged: person.leaveKnown ? unknownDays(person, { open, hidden }) : [] };
}

/** What was judged, without hours that are missing on days on which somebody may have logged them. */
export function withoutMissing({ findings, notJudged }: Judgement, days: ReadonlySet<string>): Judgement {
  return { findings: findings.filter(({ kind, date }) => kind !== 'missing-hours' || date === null || !days.has(date)), notJudged };
}

interface OnDay {
  readonly findings: readonly Finding[];
  /** Whether hours were logged in a part of leave, of which nobody knows how much is left to work. */
  readonly hidden: boolean;
}

function foundOn(person: CheckedPerson, day: Day, own: readonly CheckedEntry[]): OnDay {
  const { date, gap, target, working, logged, daysOff, absences } = day;
  const common = { userId: person.id, date, noun: 'worklogs', ids: idsOf(own) } as const;
  if (gap !== undefined && gap > 0 && person.isEmployed(date)) {
    const message =
      logged === 0
        ? `Nothing was logged, of ${formatDuration(target ?? 0)}`
        : `${formatDuration(gap)} missing of ${formatDuration(target ?? 0)}`;
    return { findings: [{ ...common, kind: 'missing-hours', minutes: gap, message }], hidden: false };
  }
  const isPart = absences.length > 0 && day.away !== 0;
  const isClosed =
    daysOff.length > 0 ||
    absences.some(({ from, to }) => from === undefined && to === undefined) ||
    (working !== undefined && working > 0 && target === 0);
  const left = isClosed ? 0 : isPart ? target : undefined;
  if (logged <= 0 || (!isClosed && !isPart)) return { findings: [], hidden: false };
  if (left === undefined) return { findings: [], hidden: true };
  if (logged <= left) return { findings: [], hidden: false };
  const why = [...daysOff.map(({ name, kind }) => `${name}, ${kind}`), ...absences.map(({ label }) => label)].join('; ');
  const message =
    left === 0
      ? `${formatDuration(logged)} logged on a day off (${why})`
      : `${formatDuration(logged)} logged, with leave for all but ${formatDuration(left)} (${why})`;
  return { findings: [{ ...common, kind: 'hours-on-leave', minutes: logged - left, message }], hidden: false };
}

/** A day has 23 or 25 hours where the clocks change. */
function tooLong(person: CheckedPerson, date: string, own: readonly CheckedEntry[]): Finding[] {
  const minutes = own.reduce((sum, entry) => sum + Math.max(0, entry.minutes), 0);
  if (minutes <= SHORTEST_DAY) return [];
  const next = person.dates.temporal.PlainDate.from(date).add({ days: 1 }).toString();
  const length = Math.round((startOf(next, person.dates) - startOf(date, person.dates)) / 60_000);
  if (minutes <= length) return [];
  const message = `${formatDuration(minutes)} logged on a day of ${formatDuration(length)}`;
  return [{ kind: 'impossible-day', userId: person.id, date, minutes, noun: 'worklogs', ids: idsOf(own), message }];
}

/** No zone skips more than a few hours of a day; a day that is skipped whole has none. */
const SHORTEST_DAY = 12 * 60;

function calendarOf({ hours, daysOff, dates, today }: CheckedPerson, absences: readonly Absence[]) {
  return { hours, absences, daysOff, dates, today };
}

/** The absences as they are read, and as they may be meant besides where one leaves this day open. */
function leaveReadings({ absences, dates }: CheckedPerson, date: string): readonly (readonly Absence[])[] {
  if (!absences.some(({ openDay }) => openDay?.date === date)) return [absences];
  const next = dates.temporal.PlainDate.from(date).add({ days: 1 }).toString();
  const turned = absences.flatMap((absence) => {
    if (absence.openDay?.date !== date) return [absence];
    const end = startOf(absence.openDay.counted ? date : next, dates);
    return end > absence.start ? [{ ...absence, end }] : [];
  });
  return [absences, turned];
}

function unknownDays(
  person: CheckedPerson,
  { open, hidden }: { readonly open: readonly string[]; readonly hidden: readonly string[] },
): NotJudged[] {
  const userId = person.id;
  return [
    ...(person.hoursHidden === undefined ? [] : [{ kinds: ['missing-hours'] as const, userId, message: person.hoursHidden }]),
    ...(hidden.length === 0
      ? []
      : [
          {
            kinds: ['hours-on-leave'] as const,
            userId,
            message: `Leave takes a part of ${hidden.join(', ')}, and of which hours is not known`,
          },
        ]),
    ...(open.length === 0
      ? []
      : [
          {
            kinds: ['missing-hours', 'hours-on-leave'] as const,
            userId,
            message: `An absence ends with ${open.join(', ')}, and whether that day is one of it is not known`,
          },
        ]),
  ];
}
