import { type Block, blockDrawer } from './blocks-writer.ts';
import { GAP, type GridCell, type GridColumn, gridDrawer, widthOf } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import {
  headingOf,
  NOTHING,
  partsFor,
  type Report,
  type ReportNotes,
  type ReportOptions,
  type ReportPart,
  type ReportRow,
  type ReportTable,
  textOf,
} from './report.ts';
import { loadStyles, type Styles } from './styles.ts';
import { textWidth } from './text-width.ts';
import { wrap } from './wrap.ts';

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

const LEAST_LABEL = 12;
const LEAST_BAR = 8;
const MOST_BAR = 40;
const BAR = 20;
const LINES = 2;

/**
 * Draws a table for a terminal. Leaves out optional columns on a narrow terminal, the last column first. Undefined if the other columns do
 * not fit.
 */
function drawTable(table: ReportTable, width: number | undefined, styles: Styles, unseen: readonly string[] = []): string | undefined {
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
  if (layout === undefined) {
    const last = columns.findLastIndex(({ mayGo }) => mayGo);
    return last < 0 ? undefined : drawTable(withoutColumn(table, last), width, styles, [columns[last]?.label ?? '', ...unseen]);
  }
  const { label, bar, gap } = layout;
  const withBar = <T>(own: T, cells: readonly T[]) => (bar === 0 || barsAfter === undefined ? cells : cells.toSpliced(barsAfter, 0, own));
  const drawn = [
    { width: label },
    ...withBar<GridColumn>(
      { width: bar },
      columns.map(({ align = 'right' as const }, at): GridColumn => ({ width: numbers[at] ?? 0, align })),
    ),
  ];
  const draw = gridDrawer(drawn, { gap, lines: width === undefined ? undefined : isDense ? 1 : LINES });
  const line = (row: ReportRow, style?: Styles['heading']) => {
    const name = { text: labels.get(row) ?? '', style };
    if (row.cells.length === 0) return draw([{ ...name, span: drawn.length }]);
    const cells: GridCell[] = texts(row).map((text) => ({ text, style: text === NOTHING ? styles.dim : style }));
    return draw([name, ...withBar({ text: bar === 0 ? '' : (row.bar?.(bar, styles) ?? '') }, cells)]);
  };
  const heads = withBar(
    '',
    columns.map((column) => head(column.label)),
  );
  const widths = drawn.map((column) => column.width);
  const isNested = rows.some(({ depth = 0 }) => depth > 0);
  return [
    draw([heading, ...heads].map((text) => ({ text, style: styles.heading }))),
    ...rows.map((row) => line(row, isNested && (row.depth ?? 0) === 0 ? styles.heading : undefined)),
    ...(totals.length === 0 ? [] : [draw([{ text: '─'.repeat(widthOf(widths, gap)), span: drawn.length, style: styles.dim }])]),
    ...totals.map((row) => line(row, row.isMarked ? styles.literal : styles.heading)),
    ...(unseen.length === 0 ? [] : [`${styles.dim(wrapped(`The terminal is too narrow for: ${unseen.join(', ')}`, width))}\n`]),
  ].join('');
}

function withoutColumn({ columns, rows, totals = [], ...table }: ReportTable, index: number): ReportTable {
  const without = <T>(list: readonly T[]) => list.filter((_, at) => at !== index);
  const inRow = (row: ReportRow): ReportRow => ({ ...row, cells: without(row.cells) });
  const { barsAfter } = table;
  const bars = barsAfter !== undefined && index < barsAfter ? { barsAfter: barsAfter - 1 } : {};
  return { ...table, ...bars, columns: without(columns), rows: rows.map(inRow), totals: totals.map(inRow) };
}

/**
 * Divides the width between names and bars. Names take precedence, but a bar is never shorter than its minimum. If names become too short,
 * the table has no bars.
 */
function layOut(
  natural: number,
  numbers: readonly number[],
  { width, isDense, hasBars }: { readonly width: number | undefined; readonly isDense: boolean; readonly hasBars: boolean },
) {
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

/** Renders a report as blocks of lines, for a screen reader or a narrow terminal. Each block starts with the names of its row. */
export async function spokenReport(report: Report, { color, width }: ReportOptions): Promise<string> {
  const styles = await loadStyles(color);
  const blocks = partsFor(report, 'spoken').flatMap((part) => {
    if (part.kind === 'table') return blocksOf(part, styles);
    return part.kind === 'notes' ? [drawNotes(part, width, styles)] : [];
  });
  return [...(report.title === undefined ? [] : [`${wrapped(report.title, width)}\n`]), ...blocks].join('\n');
}

function blocksOf({ levels, columns, rows, totals = [] }: ReportTable, styles: Styles): string[] {
  const draw = blockDrawer(styles);
  const facts = ({ cells }: ReportRow): Block =>
    cells.flatMap((cell, at) =>
      (typeof cell === 'string' ? [cell] : [cell.spoken].flat()).flatMap((text) =>
        text === NOTHING || text === '' ? [] : [[columns[at]?.label ?? '', neutraliseLine(text)] as const],
      ),
    );
  let above: string[] = [];
  const blocks = rows.flatMap((row) => {
    above = [...above.slice(0, row.depth ?? 0), neutraliseLine(row.label)];
    return row.cells.length === 0 ? [] : [draw([...above.map((name, at) => [levels[at] ?? '', name] as const), ...facts(row)])];
  });
  return [...blocks, ...totals.map((row) => `${neutraliseLine(row.label)}\n${draw(facts(row))}`)];
}

/**
 * Draws notes, indented under their heading. If all commands fit, each command is on the same line as its text. svc never shortens a
 * command.
 */
export function drawNotes({ heading, lines, look }: ReportNotes, width: number | undefined, styles: Styles): string {
  const indent = heading === undefined ? '' : '  ';
  const room = width === undefined ? Number.POSITIVE_INFINITY : width - indent.length;
  const pairs = lines.map((line) => [neutraliseLine(textOf(line)), typeof line === 'string' ? '' : neutraliseLine(line.command)] as const);
  const side = Math.max(0, ...pairs.map(([text, command]) => (command === '' ? 0 : textWidth(text))));
  const fits = pairs.every(([, command]) => side + GAP + textWidth(command) <= room);
  const beside = gridDrawer([{ width: side }, { width: 0 }]);
  const body = pairs.flatMap(([text, command]) => {
    if (command === '') return wrap(text, room).split('\n');
    return fits ? [beside([{ text }, { text: command }]).trimEnd()] : [...wrap(text, room).split('\n'), `  ${styles.dim(command)}`];
  });
  const head =
    heading === undefined
      ? []
      : wrapped(heading, width)
          .split('\n')
          .map(look === 'marked' ? styles.literal : styles.heading);
  return [...head, ...body.map((line) => indent + (look === 'faint' ? styles.dim(line) : line))].map((line) => `${line}\n`).join('');
}

export function wrapped(line: string, width = Number.POSITIVE_INFINITY): string {
  return wrap(neutraliseLine(line), width);
}
