/** Who is away in some days, ready to be drawn. */
export interface AbsenceView {
  /** `Absences in December 2026`. */
  readonly title: string;
  readonly days: readonly ViewDay[];
  readonly people: readonly ViewPerson[];
  /** People who were asked for have a row also where they are not away. */
  readonly keepsAll: boolean;
}

export interface ViewDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** 0 for Monday to 6 for Sunday. */
  readonly weekday: number;
  /** `December 2026`. */
  readonly month: string;
  /** Names of public holidays and of free days of everybody. */
  readonly off: readonly string[];
}

export interface ViewPerson {
  readonly name: string;
  /** Whether their absences may be seen. */
  readonly shown: boolean;
  /** In the order of the days. */
  readonly cells: readonly ViewCell[];
  /** Each absence in words: `Mon 2026-12-07 to Fri 2026-12-11, vacation`. */
  readonly stretches: readonly string[];
}

export interface ViewCell {
  /** Whether it is a day on which they work; undefined where nobody knows. */
  readonly works: boolean | undefined;
  /** The absences that touch this day. */
  readonly marks: readonly ViewMark[];
}

export interface ViewMark {
  /** Undefined where it is not known whether the day is one of the absence. */
  readonly part: 'day' | 'am' | 'pm' | 'part' | undefined;
  /** The service’s word; undefined where there is none, or it is not to be shown. */
  readonly type: string | undefined;
  readonly requested: boolean;
}

/** Some days that stand together in one table. */
export interface Stretch {
  readonly first: number;
  /** The index after the last day. */
  readonly end: number;
}

/** The days of each month. */
export function monthsOf(days: readonly ViewDay[]): Stretch[] {
  const starts = days.flatMap(({ month }, index) => (index === 0 || days[index - 1]?.month !== month ? [index] : []));
  return starts.map((first, index) => ({ first, end: starts[index + 1] ?? days.length }));
}

/** Who has a row over some days. */
export function peopleIn({ people, keepsAll }: Pick<AbsenceView, 'people' | 'keepsAll'>, { first, end }: Stretch): readonly ViewPerson[] {
  return people.filter(({ shown, cells }) => keepsAll || !shown || cells.slice(first, end).some(({ marks }) => marks.length > 0));
}

/** The mark that stands for a day: of several, one that is granted before one that is not, then the one that takes most of the day. */
export function mainMark(marks: readonly ViewMark[]): ViewMark | undefined {
  return marks.toSorted(
    (one, other) => Number(one.requested) - Number(other.requested) || WEIGHT[one.part ?? 'open'] - WEIGHT[other.part ?? 'open'],
  )[0];
}

const WEIGHT = { day: 0, am: 1, pm: 1, part: 2, open: 3 } as const;

/** Nobody says what kind of absence it is. */
export const NO_TYPE = 'A';

/** A capital letter for each type: one of its own where there is one left, by its name. */
export function lettersOf(people: readonly ViewPerson[]): ReadonlyMap<string, string> {
  const types = new Set(people.flatMap(({ cells }) => cells.flatMap(({ marks }) => marks.flatMap(({ type }) => type ?? []))));
  const letters = new Map<string, string>();
  const left = new Set([...ALPHABET].filter((letter) => letter !== NO_TYPE));
  for (const type of [...types].sort()) {
    const letter = [...type.toUpperCase()].find((one) => left.has(one)) ?? [...left][0] ?? NO_TYPE;
    left.delete(letter);
    letters.set(type, letter);
  }
  return letters;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
