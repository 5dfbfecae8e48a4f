/** The absences of some days, ready to draw. */
export interface AbsenceView {
  /** `Absences in December 2026`. */
  readonly title: string;
  readonly days: readonly ViewDay[];
  readonly people: readonly ViewPerson[];
  /** Whether people without an absence have a row too. */
  readonly keepsAll: boolean;
}

export interface ViewDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** 0 for Monday to 6 for Sunday. */
  readonly weekday: number;
  /** `December 2026`. */
  readonly month: string;
  /** Names of public holidays and of free days of the organisation. */
  readonly off: readonly string[];
}

export interface ViewPerson {
  readonly name: string;
  /** Whether you may see their absences. */
  readonly shown: boolean;
  /** In the order of the days. */
  readonly cells: readonly ViewCell[];
  /** Each absence in words: `Mon 2026-12-07 to Fri 2026-12-11, vacation`. */
  readonly stretches: readonly string[];
}

export interface ViewCell {
  /** Whether the person works on this day; undefined if svc does not know. */
  readonly works: boolean | undefined;
  /** The absences that touch this day. */
  readonly marks: readonly ViewMark[];
}

export interface ViewMark {
  /** Undefined: svc does not know whether the absence covers the day. */
  readonly part: 'day' | 'am' | 'pm' | 'part' | undefined;
  /** The service’s name of the type; undefined if it has none, or does not show it. */
  readonly type: string | undefined;
  readonly requested: boolean;
}

/** Days of one table. */
export interface Stretch {
  readonly first: number;
  /** The index after the last day. */
  readonly end: number;
}

/** Splits days into months. */
export function monthsOf(days: readonly ViewDay[]): Stretch[] {
  const starts = days.flatMap(({ month }, index) => (index === 0 || days[index - 1]?.month !== month ? [index] : []));
  return starts.map((first, index) => ({ first, end: starts[index + 1] ?? days.length }));
}

/** A part of the calendar as a table: a column for each day, a row for each person who has something to show. */
export interface CalendarTable {
  readonly days: readonly ViewDay[];
  readonly rows: readonly CalendarRow[];
}

export interface CalendarRow {
  readonly name: string;
  readonly shown: boolean;
  readonly cells: readonly CalendarCell[];
}

/** A day of a person. */
export interface CalendarCell {
  readonly day: ViewDay;
  readonly marks: readonly ViewMark[];
  /** The mark to draw: a granted absence before a requested one, then the one that takes most of the day. */
  readonly mark: ViewMark | undefined;
  /** Whether it is no working day. A Saturday or Sunday is none if the working hours are unknown. */
  readonly isFree: boolean;
}

/** Returns the table of some days. */
export function tableOf({ days, people, keepsAll }: AbsenceView, { first, end }: Stretch): CalendarTable {
  const rows = people.map(({ name, shown, cells }) => ({
    name,
    shown,
    cells: days.slice(first, end).map((day, at): CalendarCell => {
      const { works, marks } = cells[first + at] ?? { works: undefined, marks: [] };
      return { day, marks, mark: mainMark(marks), isFree: works === false || (works === undefined && day.weekday > 4) };
    }),
  }));
  return {
    days: days.slice(first, end),
    rows: rows.filter(({ shown, cells }) => keepsAll || !shown || cells.some(({ mark }) => mark !== undefined)),
  };
}

/** Returns the visible cells and marks, and the facts about them that a legend explains. */
export function legendFacts({ people }: AbsenceView) {
  const cells = people.flatMap((person) => (person.shown ? person.cells : []));
  const marks = cells.flatMap((cell) => cell.marks);
  return {
    cells,
    marks,
    hasUntyped: marks.some(({ type }) => type === undefined),
    hasRequested: marks.some(({ requested }) => requested),
    hasSeveral: cells.some((cell) => cell.marks.length > 1),
  };
}

function mainMark(marks: readonly ViewMark[]): ViewMark | undefined {
  return marks.toSorted(
    (one, other) => Number(one.requested) - Number(other.requested) || WEIGHT[one.part ?? 'open'] - WEIGHT[other.part ?? 'open'],
  )[0];
}

const WEIGHT = { day: 0, am: 1, pm: 1, part: 2, open: 3 } as const;

/** The letter of an absence without a type. */
export const NO_TYPE = 'A';

/** Assigns each type a capital letter of its own, from its name if possible. */
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
