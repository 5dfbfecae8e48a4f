import type { Day } from '../../time/day.ts';

/** Why a day has less to work than usual. */
export function dayNotes({ daysOff, absences }: Pick<Day, 'daysOff' | 'absences'>): string[] {
  return [
    ...daysOff.map(({ name, kind }) => `${name} (${kind})`),
    ...absences.map(
      ({ label, from, to }) => `Absent${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` until ${to}`} (${label})`,
    ),
  ];
}
