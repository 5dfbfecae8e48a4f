import type { DateContext } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import { addDays, daysBetween, startOf } from '../calendar.ts';
import type { DateRange } from '../date-range.ts';
import { computeDay, type Day } from '../day.ts';
import { idsOf } from '../entry.ts';
import type { Absence, DayOff } from '../leave.ts';
import type { WorkingHours } from '../working-hours.ts';
import type { CheckedEntry } from './checked-entry.ts';
import { type Finding, type Judgement, type NotJudged, notJudgedIf } from './finding.ts';

export interface CheckedPerson {
  readonly id: number;
  readonly name: string;
  readonly dates: DateContext;
  readonly today: string;
  readonly hours: WorkingHours | undefined;
  /** The reason why the working hours are unknown. Undefined if svc knows the hours. */
  readonly hoursHidden: string | undefined;
  readonly absences: readonly Absence[];
  readonly daysOff: readonly DayOff[];
  /** True if svc could see and read all leave. An absence with an uncertain last day counts as readable. */
  readonly leaveKnown: boolean;
  readonly isEmployed: (date: string) => boolean;
}

/**
 * Checks the days of a person. An absence can leave open whether it includes a day (rule 18.34). svc then reports missing hours, and hours
 * on leave, only if both cases give the same findings.
 */
export function checkDays(person: CheckedPerson, { first, last }: DateRange, entries: readonly CheckedEntry[]): Judgement {
  const { dates, today } = person;
  const byDay = Map.groupBy(entries, ({ date }) => date);
  const findings: Finding[] = [];
  const open: string[] = [];
  const hidden: string[] = [];
  for (const date of daysBetween(first, last < today ? last : today, dates.temporal)) {
    const own = byDay.get(date) ?? [];
    const days = leaveInterpretations(person, date).map((absences) => computeDay(date, own, calendarOf(person, absences)));
    const [day, other] = days.map((each) => foundOn(person, each, own));
    if (day === undefined) continue;
    findings.push(...tooLong(person, date, own));
    if (other !== undefined && JSON.stringify(other.findings) !== JSON.stringify(day.findings)) open.push(date);
    else {
      // Hidden leave can explain missing hours, but not hours logged on visible leave.
      findings.push(...day.findings.filter(({ kind }) => person.leaveKnown || kind === 'hours-on-leave'));
      if (day.hidden) hidden.push(date);
    }
  }
  // If leave is hidden, the caller reports the hidden leave, so this check reports no unchecked days.
  return { findings, notJudged: person.leaveKnown ? unknownDays(person, { open, hidden }) : [] };
}

/** Removes the findings of missing hours on `days`. On each of these days, an entry has an unknown user, possibly this person. */
export function withoutMissing({ findings, notJudged }: Judgement, days: ReadonlySet<string>): Judgement {
  return { findings: findings.filter(({ kind, date }) => kind !== 'missing-hours' || date === null || !days.has(date)), notJudged };
}

/** The findings of a day. `hidden`: the day has partial leave and logged hours, and svc can’t calculate the remaining working time. */
type OnDay = { readonly findings: readonly Finding[]; readonly hidden: boolean };

function foundOn(person: CheckedPerson, day: Day, own: readonly CheckedEntry[]): OnDay {
  const { date, gap, target, working, logged, daysOff, absences } = day;
  const common = { userId: person.id, date, noun: 'worklogs', ids: idsOf(own) } as const;
  if (gap !== undefined && gap > 0 && person.isEmployed(date)) {
    const message = `${formatDuration(gap)} missing of ${formatDuration(target ?? 0)}`;
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

/** Finds a day with more logged hours than the day has. A day has 24 hours, or usually 23 or 25 on a change of the clocks. */
function tooLong(person: CheckedPerson, date: string, own: readonly CheckedEntry[]): Finding[] {
  const minutes = own.reduce((sum, entry) => sum + Math.max(0, entry.minutes), 0);
  if (minutes <= SHORTEST_DAY) return [];
  const next = addDays(date, 1, person.dates.temporal);
  const length = Math.round((startOf(next, person.dates) - startOf(date, person.dates)) / 60_000);
  if (minutes <= length) return [];
  const message = `${formatDuration(minutes)} logged on a day of ${formatDuration(length)}`;
  return [{ kind: 'impossible-day', userId: person.id, date, minutes, noun: 'worklogs', ids: idsOf(own), message }];
}

/**
 * Days with at most this number of logged minutes need no exact calculation of their length. A change of the clocks skips a few hours at
 * most.
 */
const SHORTEST_DAY = 12 * 60;

function calendarOf({ hours, daysOff, dates, today }: CheckedPerson, absences: readonly Absence[]) {
  return { hours, absences, daysOff, dates, today };
}

/**
 * Returns the absences as svc interprets the records. If an absence leaves the given day open, returns a second list with the other
 * interpretation.
 */
function leaveInterpretations({ absences, dates }: CheckedPerson, date: string): readonly (readonly Absence[])[] {
  if (!absences.some(({ openDay }) => openDay?.date === date)) return [absences];
  const next = addDays(date, 1, dates.temporal);
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
  const partOfDay = `Leave takes a part of ${hidden.join(', ')}, and svc does not know which hours`;
  const openEnd = `svc does not know whether an absence includes its end, ${open.join(', ')}`;
  return [
    ...notJudgedIf(person.hoursHidden !== undefined, ['missing-hours'], person.hoursHidden ?? '', userId),
    ...notJudgedIf(hidden.length > 0, ['hours-on-leave'], partOfDay, userId),
    ...notJudgedIf(open.length > 0, ['missing-hours', 'hours-on-leave'], openEnd, userId),
  ];
}
