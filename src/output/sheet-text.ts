import { formatAmount } from '../values/amount.ts';
import { formatHours } from '../values/hours.ts';
import { type Block, blockDrawer, labelOf } from './blocks.ts';
import { joinCells } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import { roundingNote, type Sheet, type SheetFigures, type SheetRow } from './sheet.ts';
import { loadStyles } from './styles.ts';
import { cutToWidth, padToWidth, textWidth } from './text-width.ts';
import { wrap } from './wrap.ts';

export interface SheetTextOptions {
  readonly color: boolean;
  /** Columns of the terminal; undefined where nothing needs to be cut. */
  readonly width: number | undefined;
}

const LEAST_LABEL = 12;

/** Hours for a customer at a terminal, in short: what each group comes to, and the whole. Entries are in the page and in the other formats. */
export async function renderSheet(sheet: Sheet, { color, width }: SheetTextOptions): Promise<string> {
  const styles = await loadStyles(color);
  const title = styles.heading(titleOf(sheet));
  if (sheet.rows.length === 0) return `${title}\n\nNo hours were logged.\n`;
  const groups = groupsOf(sheet);
  const lines: readonly (readonly [label: string, numbers: readonly string[]])[] = [
    [sheet.heading.toUpperCase(), ['ENTRIES', 'HOURS', ...(sheet.rate === undefined ? [] : ['AMOUNT'])]],
    ...groups.map(({ depth, label, figures }) => ['  '.repeat(depth) + neutraliseLine(label), numbersOf(figures, sheet)] as const),
    ['Total', numbersOf(sheet.total, sheet)],
    ...(sheet.total.notBillable === 0 ? [] : [[NOT_BILLABLE, ['', formatHours(sheet.total.notBillable, sheet.hours)]] as const]),
  ];
  const widths = (lines[0]?.[1] ?? []).map((_, at) => Math.max(...lines.map(([, numbers]) => textWidth(numbers[at] ?? ''))));
  const taken = widths.reduce((sum, column) => sum + column + 2, 0);
  const natural = Math.max(...lines.map(([label]) => textWidth(label)));
  const first = width === undefined ? natural : Math.max(LEAST_LABEL, Math.min(natural, width - taken));
  const drawn = lines.map(([label, numbers]) =>
    joinCells([
      padToWidth(cutToWidth(label, first), first, 'left'),
      ...widths.map((column, at) => padToWidth(numbers[at] ?? '', column, 'right')),
    ]),
  );
  const bold = (line: string) => styles.heading(line.trimEnd()).concat('\n');
  const total = groups.length + 1;
  return [
    `${title}\n\n`,
    bold(drawn[0] ?? ''),
    ...drawn.slice(1, total),
    styles.dim('─'.repeat(first + taken)).concat('\n'),
    bold(drawn[total] ?? ''),
    ...drawn.slice(total + 1),
    ...notesOf(sheet).map((text) => `\n${styles.dim(wrap(text, width ?? 80))}\n`),
  ].join('');
}

/** The same for somebody who hears it: a block for each group, which names what it is part of, and one for the whole. */
export async function sheetBlocks(sheet: Sheet, color: boolean): Promise<string> {
  const draw = blockDrawer(await loadStyles(color));
  if (sheet.rows.length === 0) return `${titleOf(sheet)}\n\nNo hours were logged.\n`;
  const headings = sheet.heading.split(', ').map(labelOf);
  const times = ({ entries, minutes, amount }: SheetFigures): Block => [
    ['Entries', String(entries)],
    ['Hours', formatHours(minutes, sheet.hours)],
    ...(sheet.rate === undefined ? [] : [['Amount', formatAmount(amount)] as const]),
  ];
  let above: string[] = [];
  const blocks = groupsOf(sheet).map(({ depth, label, figures }) => {
    above = [...above.slice(0, depth), neutraliseLine(label)];
    return draw([...above.map((name, at) => [headings[at] ?? '', name] as const), ...times(figures)]);
  });
  const part = sheet.total.notBillable === 0 ? [] : [[NOT_BILLABLE, formatHours(sheet.total.notBillable, sheet.hours)] as const];
  const whole = `Total\n${draw([...times(sheet.total), ...part])}`;
  return [`${titleOf(sheet)}\n`, ...blocks, whole, ...notesOf(sheet).map((text) => `${text}\n`)].join('\n');
}

const NOT_BILLABLE = 'Of which not billable';

function groupsOf({ rows }: Sheet): readonly Extract<SheetRow, { readonly kind: 'group' }>[] {
  return rows.filter((row) => row.kind === 'group');
}

function notesOf(sheet: Sheet): string[] {
  const note = roundingNote(sheet);
  return [...(note === undefined ? [] : [note]), 'Each entry: --html <file> writes a page to send, --output csv a table.'];
}

function numbersOf({ entries, minutes, amount }: SheetFigures, { hours, rate }: Sheet): string[] {
  return [String(entries), formatHours(minutes, hours), ...(rate === undefined ? [] : [formatAmount(amount)])];
}

function titleOf({ customer, first, last }: Sheet): string {
  return neutraliseLine(`Hours for ${customer}, ${first === last ? first : `${first} to ${last}`}`);
}
