import {
  type AbsenceView,
  lettersOf,
  mainMark,
  monthsOf,
  NO_TYPE,
  peopleIn,
  type Stretch,
  type ViewCell,
  type ViewDay,
  type ViewPerson,
} from './absence-view.ts';
import { neutraliseLine } from './neutralise.ts';
import { loadStyles, type Styles } from './styles.ts';
import { cutToWidth, padToWidth, textWidth } from './text-width.ts';

export interface GridOptions {
  readonly color: boolean;
  /** Columns of the terminal; undefined where nothing needs to be cut. */
  readonly width: number | undefined;
}

/** A row a person and a column a day, month by month; by weeks where a month is too wide. What each character means stands below. */
export async function renderAbsences(view: AbsenceView, { color, width }: GridOptions): Promise<string> {
  const styles = await loadStyles(color);
  const letters = lettersOf(view.people);
  const parts = monthsOf(view.days).flatMap((month) => cutToFit(view.days, month, width));
  const layout = layoutOf(view, parts, width);
  const blocks = parts.flatMap((part) => {
    const people = peopleIn(view, part);
    return people.length === 0 ? [] : [drawPart(view.days, part, people, { letters, layout, styles })];
  });
  const title = styles.heading(neutraliseLine(view.title));
  if (blocks.length === 0) return `${title}\n\nNobody is away.\n`;
  const off = view.days.flatMap(({ date, off: names }) => names.map((name) => `* ${date} ${neutraliseLine(name)}`));
  const legend = legendOf(view, letters);
  const below = [...off, ...wrapped(legend, width)].map((line) => (width === undefined ? line : cutToWidth(line, width)));
  return `${[title, ...blocks.flatMap((lines) => ['', ...lines]), '', ...below].join('\n')}\n`;
}

/** Whether a week fits a terminal of so many columns, with names cut. */
export function absencesFit(width: number | undefined): boolean {
  return width === undefined || width >= LEAST_NAME + 7 * NARROW;
}

const LEAST_NAME = 12;
const MOST_NAME = 30;
/** Columns of a name that are worth more than blanks between the days. */
const FAIR_NAME = 20;
/** Columns of a day: its character, what goes with it, and a blank where there is room. */
const NARROW = 2;
const WIDE = 3;

/** A month where it fits, else as many weeks of it at a time as do. */
function cutToFit(days: readonly ViewDay[], month: Stretch, width: number | undefined): Stretch[] {
  if (width === undefined || LEAST_NAME + (month.end - month.first) * NARROW <= width) return [month];
  const weeks = Math.max(1, Math.floor((width - LEAST_NAME) / (7 * NARROW)));
  const parts: Stretch[] = [];
  for (let first = month.first; first < month.end; ) {
    // The first week may be a part of one.
    const end = Math.min(month.end, first - (days[first]?.weekday ?? 0) + 7 * weeks);
    parts.push({ first, end });
    first = end;
  }
  return parts;
}

/** The same for all parts, so that columns stand below one another. */
interface Layout {
  /** Columns of a name, the blank behind it included. */
  readonly label: number;
  /** Columns of a day. */
  readonly column: number;
}

function layoutOf({ people, days }: AbsenceView, parts: readonly Stretch[], width: number | undefined): Layout {
  const names = [...people.map(({ name }) => neutraliseLine(name)), ...days.map(({ month }) => month)];
  const natural = Math.min(MOST_NAME, Math.max(LEAST_NAME, ...names.map(textWidth))) + 1;
  if (width === undefined) return { label: natural, column: WIDE };
  const most = Math.max(...parts.map(({ first, end }) => end - first));
  const column = width >= Math.min(natural, FAIR_NAME) + most * WIDE ? WIDE : NARROW;
  return { label: Math.min(natural, width - most * column), column };
}

interface Look {
  readonly letters: ReadonlyMap<string, string>;
  readonly layout: Layout;
  readonly styles: Styles;
}

function drawPart(
  all: readonly ViewDay[],
  part: Stretch,
  people: readonly ViewPerson[],
  { letters, layout: { label, column }, styles }: Look,
): string[] {
  const days = all.slice(part.first, part.end);
  const isWide = column === WIDE;
  const whole = days[0]?.month ?? '';
  const month = textWidth(whole) < label ? whole : whole.replace(/^(...)\S+/, '$1');
  const named = (name: string) => padToWidth(cutToWidth(name, label - 1), label, 'left');
  const line = (name: string, cells: readonly string[]) => (named(name) + cells.join('')).trimEnd();
  const head = (texts: readonly string[], name = '') =>
    styles.heading(
      line(
        name,
        texts.map((text) => text.padEnd(column)),
      ),
    );
  const numbers = days.map(({ date }) => String(Number(date.slice(8))));
  const starred = (text: string, index: number) => ((days[index]?.off.length ?? 0) > 0 ? `${text}*` : text);
  const weekdays = days.map(({ weekday }) => (isWide ? WEEKDAYS[weekday]?.slice(0, 2) : WEEKDAYS[weekday]?.slice(0, 1)) ?? '');
  const heads = isWide
    ? [head(weekdays, month), head(numbers.map(starred))]
    : [
        head(weekdays, month),
        head(numbers.map((number) => (number.length > 1 ? number.slice(0, 1) : ''))),
        head(numbers.map((number, index) => starred(number.slice(-1), index))),
      ];
  const rows = people.map(({ name, shown, cells }) => {
    const text = neutraliseLine(name);
    if (!shown) return line(text, [styles.dim('not shown to you')]);
    const drawn = cells.slice(part.first, part.end).map((cell, index) => {
      const { text, isMark } = drawCell(cell, days[index], letters);
      return isMark ? styles.literal(text.padEnd(column)) : styles.dim(text.padEnd(column));
    });
    return line(text, drawn);
  });
  return [...heads, ...rows];
}

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;

const MODIFIERS = { day: '', am: '<', pm: '>', part: '~', open: '?' } as const;

function drawCell(
  { works, marks }: ViewCell,
  day: ViewDay | undefined,
  letters: ReadonlyMap<string, string>,
): { readonly text: string; readonly isMark: boolean } {
  const mark = mainMark(marks);
  if (mark !== undefined) {
    const letter = mark.type === undefined ? NO_TYPE : (letters.get(mark.type) ?? NO_TYPE);
    const modifier = marks.length > 1 ? '+' : MODIFIERS[mark.part ?? 'open'];
    return { text: (mark.requested ? letter.toLowerCase() : letter) + modifier, isMark: true };
  }
  if ((day?.off.length ?? 0) > 0) return { text: '*', isMark: false };
  return { text: works === false || (works === undefined && (day?.weekday ?? 0) > 4) ? '-' : '·', isMark: false };
}

/** What the characters mean that are there. */
function legendOf({ days, people }: AbsenceView, letters: ReadonlyMap<string, string>): string[] {
  const cells = people.flatMap((person) => (person.shown ? person.cells : []));
  const marks = cells.flatMap((cell) => cell.marks);
  const has = (part: keyof typeof MODIFIERS) => cells.some((cell) => cell.marks.length === 1 && (cell.marks[0]?.part ?? 'open') === part);
  const entries: readonly (readonly [boolean, string])[] = [
    [marks.some(({ type }) => type === undefined), `${NO_TYPE} away`],
    ...[...letters].map(([type, letter]) => [true, `${letter} ${neutraliseLine(type)}`] as const),
    [marks.some(({ requested }) => requested), 'small letter: requested'],
    [has('am'), '< in the first half'],
    [has('pm'), '> in the second half'],
    [has('part'), '~ another part'],
    [has('open'), '? perhaps'],
    [cells.some((cell) => cell.marks.length > 1), '+ several'],
    [days.some(({ off }) => off.length > 0), '* holiday'],
    [cells.some(({ marks }) => marks.length === 0), '- no working day'],
  ];
  return entries.flatMap(([isThere, text]) => (isThere ? [text] : []));
}

/** Entries side by side, as many as a line holds. */
function wrapped(entries: readonly string[], width: number | undefined): string[] {
  const lines: string[] = [];
  for (const entry of entries) {
    const longer = `${lines.at(-1)}   ${entry}`;
    if (lines.length > 0 && (width === undefined || textWidth(longer) <= width)) lines[lines.length - 1] = longer;
    else lines.push(entry);
  }
  return lines;
}
