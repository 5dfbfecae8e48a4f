import { type Block, blockDrawer } from './blocks.ts';
import { GAP, gridDrawer } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import {
  NOTHING,
  partsFor,
  type Report,
  type ReportNotes,
  type ReportOptions,
  type ReportRow,
  type ReportTable,
  textOf,
} from './report.ts';
import { loadStyles, type Styles } from './styles.ts';
import { textWidth } from './text-width.ts';
import { wrap } from './wrap.ts';

/** A report for somebody who hears it, and where a terminal is too narrow: blocks of lines, none of which needs the one above it. */
export async function spokenReport(report: Report, { color, width }: ReportOptions): Promise<string> {
  const styles = await loadStyles(color);
  const blocks = partsFor(report, 'spoken').flatMap((part) => {
    if (part.kind === 'table') return blocksOf(part, styles);
    return part.kind === 'notes' ? [drawNotes(part, width, styles)] : [];
  });
  return [...(report.title === undefined ? [] : [`${neutraliseLine(report.title)}\n`]), ...blocks].join('\n');
}

/** A block for each row, which names what it is part of, and one for each sum. */
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

/** Lines, below a heading further in. A command stands behind its line where all have room for that; it is never cut, since it is to be typed. */
export function drawNotes({ heading, lines, look }: ReportNotes, width: number | undefined, styles: Styles): string {
  const indent = heading === undefined ? '' : '  ';
  const room = width === undefined ? Number.POSITIVE_INFINITY : width - indent.length;
  const pairs = lines.map((line) => [neutraliseLine(textOf(line)), typeof line === 'string' ? '' : neutraliseLine(line.command)] as const);
  const side = Math.max(0, ...pairs.map(([text, command]) => (command === '' ? 0 : textWidth(text))));
  const fits = pairs.every(([, command]) => side + GAP + textWidth(command) <= room);
  const beside = gridDrawer([
    { width: side, align: 'left' },
    { width: 0, align: 'left' },
  ]);
  const body = pairs.flatMap(([text, command]) => {
    if (command === '') return wrap(text, room).split('\n');
    return fits ? [beside([{ text }, { text: command }]).trimEnd()] : [...wrap(text, room).split('\n'), `  ${styles.dim(command)}`];
  });
  const head = heading === undefined ? [] : [look === 'marked' ? styles.literal(heading) : styles.heading(neutraliseLine(heading))];
  return [...head, ...body.map((line) => indent + (look === 'faint' ? styles.dim(line) : line))].map((line) => `${line}\n`).join('');
}

/** A line made harmless, broken where the terminal ends. */
export function wrapped(line: string, width = Number.POSITIVE_INFINITY): string {
  return wrap(neutraliseLine(line), width);
}
