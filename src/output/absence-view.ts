export interface AbsenceView {
  readonly title: string;
  readonly days: readonly ViewDay[];
  readonly people: readonly ViewPerson[];
  readonly keepsAll: boolean;
}

export interface ViewDay {
  readonly date: string;
  /** The weekday: 0 for Monday to 6 for Sunday. */
  readonly weekday: number;
  readonly month: string;
  /** The names of public holidays and of the organisation’s free days. */
  readonly off: readonly string[];
}

export interface ViewPerson {
  readonly name: string;
  readonly shown: boolean;
  readonly cells: readonly ViewCell[];
  readonly stretches: readonly string[];
}

export interface ViewCell {
  /** True if the person works on this day. Undefined if svc does not know. */
  readonly works: boolean | undefined;
  readonly marks: readonly ViewMark[];
}

export interface ViewMark {
  readonly part: 'day' | 'am' | 'pm' | 'part' | undefined;
  /** The service’s name for the type of absence. Undefined if the absence has no type, or the service does not show the type. */
  readonly type: string | undefined;
  readonly requested: boolean;
}

export interface Stretch {
  readonly first: number;
  readonly end: number;
}

export function monthsOf(days: readonly ViewDay[]): Stretch[] {
  const starts = days.flatMap(({ month }, index) => (index === 0 || days[index - 1]?.month !== month ? [index] : []));
  return starts.map((first, index) => ({ first, end: starts[index + 1] ?? days.length }));
}

export interface CalendarTable {
  readonly days: readonly ViewDay[];
  readonly rows: readonly CalendarRow[];
}

export interface CalendarRow {
  readonly name: string;
  readonly shown: boolean;
  readonly cells: readonly CalendarCell[];
}

export interface CalendarCell {
  readonly day: ViewDay;
  readonly marks: readonly ViewMark[];
  /** The mark to draw. An approved absence takes precedence, then the longest part of the day. Undefined without marks. */
  readonly mark: ViewMark | undefined;
  /** True for a day off. If svc does not know the working hours, Saturday and Sunday are days off. */
  readonly isFree: boolean;
}

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

export const NO_TYPE = 'A';

/** Assigns a capital letter to each type, if possible a letter of the name. The first 25 types get different letters. */
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
