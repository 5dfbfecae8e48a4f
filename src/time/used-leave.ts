import { compareTexts } from '../values/text.ts';
import { dayRange, daysNear } from './calendar.ts';
import { inHundredths, takenOn } from './count-leave.ts';
import type { Calendar } from './day.ts';
import { type FigureStep, minutesOfSteps } from './figure-step.ts';
import { within } from './intervals.ts';
import type { Absence } from './leave.ts';
import { shiftsOn } from './working-hours.ts';

export interface CountedAbsence {
  readonly absence: Absence;
  readonly type: string | undefined;
  readonly requested: boolean;
}

/** An amount of working time in whole minutes, and in working days of the person, rounded to hundredths. */
export type Amount = UsedAmounts['all'];

/** The working time of leave. No minute counts twice. */
export type UsedAmounts = ReturnType<typeof amountsOf>;

export type UsedLeave = NonNullable<ReturnType<typeof usedLeave>>;

/**
 * Calculates the used leave. Approved absences count before requested absences, and earlier absences before later absences. Undefined if
 * the working hours are unknown.
 * @param absences absences in the order of their starts.
 */
export function usedLeave(absences: readonly CountedAbsence[], days: readonly string[], calendar: Omit<Calendar, 'absences'>) {
  const { dates, today, hours } = calendar;
  const types = new Map<string | undefined, Sums>();
  const whole = noSums();
  const openDays = new Set<string>();
  const counted: Absence[] = [];
  const inOrder = absences.toSorted((one, other) => Number(one.requested) - Number(other.requested));
  for (const { absence, type, requested } of inOrder) {
    const runs = absence.end === Number.POSITIVE_INFINITY;
    const range = { start: absence.start, end: runs ? dayRange(today, dates).end : absence.end };
    const own = types.get(type) ?? noSums();
    types.set(type, own);
    // The night shift of the previous day can last into the range.
    for (const date of daysNear({ ...range, start: range.start - LONGEST_DAY }, days, dates)) {
      const day = dayRange(date, dates);
      const isOpen = absence.openDay?.date === date;
      const parts = [day, ...(hours === undefined ? [] : shiftsOn(date, hours, dates))];
      if (!isOpen && within(parts, range).length === 0) continue;
      const taken = takenOn(date, range, { ...calendar, absences: counted });
      if (taken === undefined) return undefined;
      const kind = requested ? 'requested' : date <= today ? 'taken' : 'toCome';
      const mayTake = isOpen && (takenOn(date, day, { ...calendar, absences: counted })?.minutes ?? 0) > 0;
      if (mayTake) openDays.add(date);
      const offs = calendar.daysOff.filter((off) => off.date === date).map(({ name }) => name);
      const about = [absence.label, ...offs, ...(mayTake ? ['possibly not included'] : [])].join(', ');
      const record = absence.id === undefined ? undefined : ({ noun: 'absences', id: absence.id, name: absence.label } as const);
      const step: FigureStep = { kind: 'absence', reason: `Absent: ${about}`, record, date, minutes: taken.minutes };
      for (const sums of [whole, own]) {
        sums[kind].days += taken.part;
        // A day off explains why a day of leave does not count. Other days without working time need no step.
        if (taken.minutes !== 0 || offs.length > 0 || mayTake) sums[kind].steps.push(step);
      }
    }
    counted.push({ ...absence, ...range });
  }
  return {
    ...amountsOf(whole),
    types: [...types].map(([type, sums]) => ({ type, ...amountsOf(sums) })),
    /** True if an absence is still running. svc counts such an absence up to the end of today. */
    runs: absences.some(({ absence }) => absence.end === Number.POSITIVE_INFINITY),
    /** The working days for which the records do not show whether leave includes them (rule 18.34). */
    openDays: [...openDays].sort(),
  };
}

/** The longest day in milliseconds: 26 hours, more than any day even if the clocks go back. */
const LONGEST_DAY = 26 * 60 * 60_000;

type Sums = Record<'taken' | 'toCome' | 'requested', { days: number; readonly steps: FigureStep[] }>;

function noSums(): Sums {
  return { taken: { days: 0, steps: [] }, toCome: { days: 0, steps: [] }, requested: { days: 0, steps: [] } };
}

function amountsOf(sums: Sums) {
  const amount = (...kinds: readonly (keyof Sums)[]) => {
    const steps = kinds.flatMap((kind) => sums[kind].steps);
    return {
      days: inHundredths(kinds.reduce((sum, kind) => sum + sums[kind].days, 0)),
      minutes: minutesOfSteps(steps) ?? 0,
      steps: steps.toSorted((one, other) => compareTexts(one.date ?? '', other.date ?? '')),
    };
  };
  return {
    taken: amount('taken'),
    toCome: amount('toCome'),
    /** Leave that waits for approval, past and future. Time that approved leave covers too does not count. */
    requested: amount('requested'),
    all: amount('taken', 'toCome', 'requested'),
  };
}
