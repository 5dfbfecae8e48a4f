import { formatDuration } from '../../values/duration.ts';
import { dayRange, daysBetween, minutesOf } from '../calendar.ts';
import type { DateRange } from '../date-range.ts';
import { type Calendar, computeDay, type Day } from '../day.ts';
import { idsOf } from '../entry.ts';
import type { Absence } from '../leave.ts';
import type { CheckedEntry } from './checked-entry.ts';
import { type Finding, type Judgement, type NotJudged, notJudgedIf } from './finding.ts';

export interface CheckedPerson extends Calendar {
  readonly id: number;
  readonly name: string;
  /** The reason why the working hours are unknown. Undefined if svc knows the hours. */
  readonly hoursHidden: string | undefined;
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
    const days = leaveInterpretations(person, date).map((absences) => computeDay(date, own, { ...person, absences }));
    const [found, ...others] = days.map((each) => foundOn(person, each, own));
    findings.push(...tooLong(person, date, own));
    if (others.some((other) => JSON.stringify(other ?? []) !== JSON.stringify(found ?? []))) open.push(date);
    else if (found === undefined) hidden.push(date);
    // Hidden leave can explain missing hours, but not hours logged on visible leave.
    else findings.push(...found.filter(({ kind }) => person.leaveKnown || kind === 'hours-on-leave'));
  }
  // If leave is hidden, the caller reports the hidden leave, so this check reports no unchecked days.
  return { findings, notJudged: person.leaveKnown ? unknownDays(person, { open, hidden }) : [] };
}

/** Removes the findings of missing hours on `days`. On each of these days, an entry has an unknown user, possibly this person. */
export function withoutMissing({ findings, notJudged }: Judgement, days: ReadonlySet<string>): Judgement {
  return { findings: findings.filter(({ kind, date }) => kind !== 'missing-hours' || date === null || !days.has(date)), notJudged };
}

/** Finds missing hours, and hours on leave. Undefined if the day has partial leave, and svc can’t calculate the remaining working time. */
function foundOn(person: CheckedPerson, day: Day, own: readonly CheckedEntry[]): readonly Finding[] | undefined {
  const { date, gap, target, working, logged, daysOff, absences } = day;
  const common = { userId: person.id, date, noun: 'worklogs', ids: idsOf(own) } as const;
  if (gap !== undefined && gap > 0 && person.isEmployed(date)) {
    const message = `${formatDuration(gap)} missing of ${formatDuration(target ?? 0)}`;
    return [{ ...common, kind: 'missing-hours', minutes: gap, message }];
  }
  const isPart = absences.length > 0 && day.away !== 0;
  const isClosed =
    daysOff.length > 0 ||
    absences.some(({ from, until }) => from === undefined && until === undefined) ||
    (working !== undefined && working > 0 && target === 0);
  const left = isClosed ? 0 : isPart ? target : undefined;
  if (logged <= 0 || (!isClosed && !isPart)) return [];
  if (left === undefined) return undefined;
  if (logged <= left) return [];
  const why = [...daysOff.map(({ name, kind }) => `${name}, ${kind}`), ...absences.map(({ label }) => label)].join('; ');
  const message =
    left === 0
      ? `${formatDuration(logged)} logged on a day off (${why})`
      : `${formatDuration(logged)} logged, with leave for all but ${formatDuration(left)} (${why})`;
  return [{ ...common, kind: 'hours-on-leave', minutes: logged - left, message }];
}

/** Finds a day with more logged hours than the day has. A day has 24 hours, or usually 23 or 25 on a change of the clocks. */
function tooLong(person: CheckedPerson, date: string, own: readonly CheckedEntry[]): Finding[] {
  const minutes = own.reduce((sum, entry) => sum + Math.max(0, entry.minutes), 0);
  if (minutes <= SHORTEST_DAY) return [];
  const day = dayRange(date, person.dates);
  const length = minutesOf(day.end - day.start);
  if (minutes <= length) return [];
  const message = `${formatDuration(minutes)} logged on a day of ${formatDuration(length)}`;
  return [{ kind: 'impossible-day', userId: person.id, date, minutes, noun: 'worklogs', ids: idsOf(own), message }];
}

/**
 * Days with at most this number of logged minutes need no exact calculation of their length. A change of the clocks skips a few hours at
 * most.
 */
const SHORTEST_DAY = 12 * 60;

/**
 * Returns the absences as svc interprets the records. If an absence leaves the given day open, returns a second list with the other
 * interpretation.
 */
function leaveInterpretations({ absences, dates }: CheckedPerson, date: string): readonly (readonly Absence[])[] {
  if (!absences.some(({ openDay }) => openDay?.date === date)) return [absences];
  const day = dayRange(date, dates);
  const turned = absences.flatMap((absence) => {
    if (absence.openDay?.date !== date) return [absence];
    const end = absence.openDay.counted ? day.start : day.end;
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
