import {
  type AbsenceView,
  type CalendarCell,
  type CalendarTable,
  legendFacts,
  lettersOf,
  monthsOf,
  NO_TYPE,
  type Stretch,
  tableOf,
  type ViewDay,
} from './absence-view.ts';
import { type GridCell, gridDrawer } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import type { Report } from './report.ts';
import type { Style, Styles } from './styles.ts';
import { cutToWidth, linesOf, textWidth } from './text-width.ts';

export function absenceReport(view: AbsenceView): Report {
  const { title, days, people, keepsAll } = view;
  const rows = people
    .filter(({ shown, stretches }) => keepsAll || !shown || stretches.length > 0)
    .map(({ name, shown, stretches }) => ({
      label: name,
      cells: [
        !shown ? 'not shown to you' : stretches.length === 0 ? 'not in these days' : { text: stretches.join('; '), spoken: stretches },
      ],
    }));
  const inWords = { only: ['spoken', 'markdown'] } as const;
  return {
    title,
    parts: [
      { kind: 'notes', lines: rows.length === 0 ? ['Nobody is away.'] : [] },
      { kind: 'table', name: 'People', levels: ['Person'], columns: [{ label: 'Away', align: 'left' }], rows, ...inWords },
      { kind: 'notes', lines: days.flatMap(({ date, off }) => off.map((name) => `Holiday: ${date}, ${name}`)), ...inWords },
      {
        kind: 'drawing',
        ...(rows.length > 0 && {
          text: (width, styles) => drawAbsences(view, width, styles),
          html: async () => (await import('./absence-page.ts')).absencePage(view),
        }),
      },
    ],
  };
}

/** Draws absences by month, for a terminal. If a month is too wide, each part has as many weeks as fit. Undefined if no week fits. */
function drawAbsences(view: AbsenceView, width: number | undefined, styles: Styles): string | undefined {
  if (width !== undefined && width < LEAST_NAME + 7 * NARROW) return undefined;
  const letters = lettersOf(view.people);
  const parts = monthsOf(view.days).flatMap((month) => cutToFit(view.days, month, width));
  const layout = layoutOf(view, parts, width);
  const blocks = parts.flatMap((part) => {
    const table = tableOf(view, part);
    return table.rows.length === 0 ? [] : [drawPart(table, letters, layout, styles)];
  });
  const off = view.days.flatMap(({ date, off: names }) => names.map((name) => `* ${date} ${neutraliseLine(name)}`));
  const below = [...off, ...linesOf(legendOf(view, letters), '   ', width ?? Number.POSITIVE_INFINITY)].map((line) =>
    width === undefined ? line : cutToWidth(line, width),
  );
  return [...blocks, `${below.join('\n')}\n`].join('\n');
}

const LEAST_NAME = 12;
const MOST_NAME = 30;
const FAIR_NAME = 20;
/** The width of a day in columns: its character, its modifier, and in a wide grid a blank. */
const NARROW = 2;
const WIDE = 3;

function cutToFit(days: readonly ViewDay[], month: Stretch, width: number | undefined): Stretch[] {
  if (width === undefined || LEAST_NAME + (month.end - month.first) * NARROW <= width) return [month];
  const weeks = Math.max(1, Math.floor((width - LEAST_NAME) / (7 * NARROW)));
  const parts: Stretch[] = [];
  for (let first = month.first; first < month.end; ) {
    // The first week of a month can have fewer than seven days.
    const end = Math.min(month.end, first - (days[first]?.weekday ?? 0) + 7 * weeks);
    parts.push({ first, end });
    first = end;
  }
  return parts;
}

interface Layout {
  readonly label: number;
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

function drawPart({ days, rows }: CalendarTable, letters: ReadonlyMap<string, string>, { label, column }: Layout, styles: Styles): string {
  const isWide = column === WIDE;
  const whole = days[0]?.month ?? '';
  const month = textWidth(whole) < label ? whole : whole.replace(/^(...)\S+/, '$1');
  // A narrow column has no blank, because a mark can fill the column. A wide column includes the blank after its mark.
  const draw = gridDrawer([{ width: label }, ...days.map(() => ({ width: column }))], { gap: 0, lines: 1 });
  const row = (name: string, cells: readonly GridCell[], style?: Style) => draw([{ text: cutToWidth(name, label - 1), style }, ...cells]);
  const head = (texts: readonly string[], name = '') =>
    row(
      name,
      texts.map((text) => ({ text, style: styles.heading })),
      styles.heading,
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
  const lines = rows.map(({ name, shown, cells }) => {
    const drawn = cells.map((cell) => ({ text: drawCell(cell, letters), style: cell.mark ? styles.literal : styles.dim }));
    return row(neutraliseLine(name), shown ? drawn : [{ text: 'not shown to you', style: styles.dim, span: days.length }]);
  });
  return [...heads, ...lines].join('');
}

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;

const MODIFIERS = { day: '', am: '<', pm: '>', part: '~', open: '?' } as const;

function drawCell({ day, mark, marks, isFree }: CalendarCell, letters: ReadonlyMap<string, string>): string {
  if (mark !== undefined) {
    const letter = mark.type === undefined ? NO_TYPE : (letters.get(mark.type) ?? NO_TYPE);
    const modifier = marks.length > 1 ? '+' : MODIFIERS[mark.part ?? 'open'];
    return (mark.requested ? letter.toLowerCase() : letter) + modifier;
  }
  if (day.off.length > 0) return '*';
  return isFree ? '-' : '·';
}

function legendOf(view: AbsenceView, letters: ReadonlyMap<string, string>): string[] {
  const { cells, hasUntyped, hasRequested, hasSeveral } = legendFacts(view);
  const has = (part: keyof typeof MODIFIERS) => cells.some((cell) => cell.marks.length === 1 && (cell.marks[0]?.part ?? 'open') === part);
  const entries: readonly (readonly [boolean, string])[] = [
    [hasUntyped, `${NO_TYPE} away`],
    ...[...letters].map(([type, letter]) => [true, `${letter} ${neutraliseLine(type)}`] as const),
    [hasRequested, 'small letter: requested'],
    [has('am'), '< in the first half'],
    [has('pm'), '> in the second half'],
    [has('part'), '~ some hours'],
    [has('open'), '? perhaps'],
    [hasSeveral, '+ several'],
    [view.days.some(({ off }) => off.length > 0), '* holiday'],
    [cells.some(({ marks }) => marks.length === 0), '- no working day'],
  ];
  return entries.flatMap(([isThere, text]) => (isThere ? [text] : []));
}
