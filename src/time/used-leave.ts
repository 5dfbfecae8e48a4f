import { daysNear, type Interval, momentOf, startOf } from './calendar.ts';
import { inHundredths, takenOn } from './count-leave.ts';
import type { Calendar } from './day.ts';
import type { Absence } from './leave.ts';
import { shiftsOn } from './working-hours.ts';

/** An absence, as far as counting goes. */
export interface CountedAbsence {
  readonly absence: Absence;
  /** As the record has it; undefined where it shows none. */
  readonly type: string | undefined;
  /** Nobody has granted it yet. */
  readonly requested: boolean;
}

/** Working time: whole minutes, and what that is in days of the person, in hundredths. */
export interface Amount {
  readonly days: number;
  readonly minutes: number;
}

/** What some leave takes of the working time, each moment counted once. */
export interface UsedAmounts {
  /** Up to today, today included. */
  readonly taken: Amount;
  readonly toCome: Amount;
  /** What nobody has granted yet, whenever it is; what granted leave covers too is none of it. */
  readonly requested: Amount;
  /** All of these. */
  readonly all: Amount;
}

export interface UsedLeave extends UsedAmounts {
  /** The same by type, in the order in which they first come. */
  readonly types: readonly (UsedAmounts & { readonly type: string | undefined })[];
  /** An absence runs: it is counted to the end of today. */
  readonly runs: boolean;
  /** Working days of which the records leave open whether they are counted rightly (rule 18.34), in order. */
  readonly openDays: readonly string[];
}

/**
 * Counts leave in some days against working hours, public holidays and free days. Where absences overlap, a granted one counts before a
 * requested one, and an earlier one before a later one.
 *
 * @param days every day of the span, `YYYY-MM-DD`.
 * @returns undefined where nobody knows the working hours, and there is leave to count.
 */
export function usedLeave(
  absences: readonly CountedAbsence[],
  days: readonly string[],
  calendar: Omit<Calendar, 'absences'>,
): UsedLeave | undefined {
  const { dates, today, hours } = calendar;
  const types = new Map<string | undefined, Sums>();
  const whole = noSums();
  const openDays = new Set<string>();
  const counted: Absence[] = [];
  const inOrder = absences.toSorted(
    (one, other) => Number(one.requested) - Number(other.requested) || one.absence.start - other.absence.start,
  );
  for (const { absence, type, requested } of inOrder) {
    const runs = absence.end === Number.POSITIVE_INFINITY;
    const span = { start: absence.start, end: runs ? momentOf(today, '24:00', dates) : absence.end };
    const own = types.get(type) ?? noSums();
    types.set(type, own);
    // A night that began the day before may reach into it.
    for (const date of daysNear({ ...span, start: span.start - LONGEST_DAY }, days, dates)) {
      const day = { start: startOf(date, dates), end: momentOf(date, '24:00', dates) };
      const isOpen = absence.openDay?.date === date;
      if (!isOpen && ![day, ...(hours === undefined ? [] : shiftsOn(date, hours, dates))].some((part) => overlaps(part, span))) continue;
      const taken = takenOn(date, span, { ...calendar, absences: counted });
      if (taken === undefined) return undefined;
      const kind = requested ? 'requested' : date <= today ? 'taken' : 'toCome';
      for (const sums of [whole, own]) {
        sums[kind].minutes += taken.minutes;
        sums[kind].days += taken.part;
      }
      if (isOpen && (takenOn(date, day, { ...calendar, absences: counted })?.minutes ?? 0) > 0) openDays.add(date);
    }
    counted.push({ ...absence, ...span });
  }
  return {
    ...amountsOf(whole),
    types: [...types].map(([type, sums]) => ({ type, ...amountsOf(sums) })),
    runs: absences.some(({ absence }) => absence.end === Number.POSITIVE_INFINITY),
    openDays: [...openDays].sort(),
  };
}

/** More than any day has, in milliseconds, also where the clocks go back. */
const LONGEST_DAY = 26 * 60 * 60_000;

function overlaps(one: Interval, other: Interval): boolean {
  return one.start < other.end && one.end > other.start;
}

type Sums = Record<'taken' | 'toCome' | 'requested', { days: number; minutes: number }>;

function noSums(): Sums {
  return { taken: { days: 0, minutes: 0 }, toCome: { days: 0, minutes: 0 }, requested: { days: 0, minutes: 0 } };
}

function amountsOf({ taken, toCome, requested }: Sums): UsedAmounts {
  const amount = ({ days, minutes }: Amount): Amount => ({ days: inHundredths(days), minutes });
  const parts = [taken, toCome, requested];
  const all = {
    days: parts.reduce((sum, { days }) => sum + days, 0),
    minutes: parts.reduce((sum, { minutes }) => sum + minutes, 0),
  };
  return { taken: amount(taken), toCome: amount(toCome), requested: amount(requested), all: amount(all) };
}
