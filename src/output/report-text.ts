import { GAP, type GridCell, type GridColumn, gridDrawer, widthOf } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import {
  headingOf,
  NOTHING,
  partsFor,
  type Report,
  type ReportOptions,
  type ReportPart,
  type ReportRow,
  type ReportTable,
  textOf,
} from './report.ts';
import { drawNotes, spokenReport, wrapped } from './report-spoken.ts';
import { loadStyles, type Styles } from './styles.ts';
import { textWidth } from './text-width.ts';

/** A report at a terminal; its tables fit the width, and where one cannot, all of it is as it would be spoken. */
export async function textReport(report: Report, { color, width }: ReportOptions): Promise<string> {
  const styles = await loadStyles(color);
  const parts = partsFor(report, 'table').map((part) => drawPart(part, width, styles));
  if (parts.includes(undefined)) return spokenReport(report, { color, width });
  const title = report.title === undefined ? [] : [wrapped(report.title, width).split('\n').map(styles.heading).concat('').join('\n')];
  return [...title, ...parts].join('\n');
}

function drawPart(part: ReportPart, width: number | undefined, styles: Styles): string | undefined {
  if (part.kind === 'table') return drawTable(part, width, styles);
  return part.kind === 'notes' ? drawNotes(part, width, styles) : part.text?.(width, styles);
}

/** The least columns that a name is shrunk to, and a bar. */
const LEAST_LABEL = 12;
const LEAST_BAR = 8;
const MOST_BAR = 40;
/** Columns of a bar where there is no terminal. */
const BAR = 20;
/** As many lines as a name takes at most; in a dense table one, so that it can be seen at once. */
const LINES = 2;

interface Layout {
  readonly label: number;
  /** 0: there is no room for bars, or there are none. */
  readonly bar: number;
  readonly gap: number;
}

/** Undefined where the terminal is too narrow. */
function drawTable(table: ReportTable, width: number | undefined, styles: Styles): string | undefined {
  const { levels, columns, rows, totals = [], barsAfter, isDense = false } = table;
  const head = (text: string) => (isDense ? text : text.toUpperCase());
  const labels = new Map([...rows, ...totals].map((row) => [row, '  '.repeat(row.depth ?? 0) + neutraliseLine(row.label)]));
  const heading = head(headingOf(levels));
  const texts = (row: ReportRow) => row.cells.map((cell) => neutraliseLine(textOf(cell)));
  const numbers = columns.map(({ label }, at) =>
    Math.max(...[head(label), ...[...rows, ...totals].map((row) => texts(row)[at] ?? '')].map(textWidth)),
  );
  const named = [...labels].flatMap(([{ cells }, label]) => (cells.length === 0 ? [] : [label]));
  const natural = Math.max(...[heading, ...named].map(textWidth));
  const layout = layOut(natural, numbers, { width, isDense, hasBars: barsAfter !== undefined });
  if (layout === undefined) return undefined;
  const { label, bar, gap } = layout;
  const withBar = <T>(cells: readonly T[], own: T) => (bar === 0 || barsAfter === undefined ? cells : cells.toSpliced(barsAfter, 0, own));
  const drawn = [
    { width: label, align: 'left' as const },
    ...withBar<GridColumn>(
      columns.map(({ align = 'right' as const }, at): GridColumn => ({ width: numbers[at] ?? 0, align })),
      { width: bar, align: 'left' },
    ),
  ];
  const draw = gridDrawer(drawn, { gap, lines: width === undefined ? undefined : isDense ? 1 : LINES });
  const line = (row: ReportRow, style?: Styles['heading']) => {
    const name = { text: labels.get(row) ?? '', style };
    if (row.cells.length === 0) return draw([{ ...name, span: drawn.length }]);
    const cells: GridCell[] = texts(row).map((text) => ({ text, style: text === NOTHING ? styles.dim : style }));
    return draw([name, ...withBar(cells, { text: row.bar?.(bar, styles) ?? '' })]);
  };
  const rule = '─'.repeat(
    widthOf(
      drawn.map((column) => column.width),
      gap,
    ),
  );
  const isNested = rows.some(({ depth = 0 }) => depth > 0);
  return [
    draw(
      [
        heading,
        ...withBar(
          columns.map((column) => head(column.label)),
          '',
        ),
      ].map((text) => ({ text, style: styles.heading })),
    ),
    ...rows.map((row) => line(row, isNested && (row.depth ?? 0) === 0 ? styles.heading : undefined)),
    ...(totals.length === 0 ? [] : [draw([{ text: rule, span: drawn.length, style: styles.dim }])]),
    ...totals.map((row) => line(row, row.isMarked ? styles.literal : styles.heading)),
  ].join('');
}

/** Names first; but no bar is shorter than it must be to show anything, and where names would be too short there is none. */
function layOut(
  natural: number,
  numbers: readonly number[],
  { width, isDense, hasBars }: { readonly width: number | undefined; readonly isDense: boolean; readonly hasBars: boolean },
): Layout | undefined {
  if (width === undefined) return { label: natural, bar: hasBars ? BAR : 0, gap: GAP };
  const roomAt = (gap: number) => width - widthOf(numbers, gap) - gap;
  const gap = isDense && roomAt(GAP) < natural ? 1 : GAP;
  const room = roomAt(gap);
  const least = Math.min(LEAST_LABEL, natural);
  if (room < least) return undefined;
  const withBar = room - LEAST_BAR - gap;
  if (!hasBars || withBar < least) return { label: Math.min(natural, room), bar: 0, gap };
  const label = Math.min(natural, withBar);
  return { label, bar: Math.min(MOST_BAR, room - gap - label), gap };
}
