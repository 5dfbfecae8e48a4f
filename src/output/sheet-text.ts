import { formatAmount } from '../values/amount.ts';
import { formatHours } from '../values/hours.ts';
import { type Block, blockDrawer } from './blocks.ts';
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

const LEAST_WORK = 16;
const MOST_PERSON = 20;

/** Hours for a customer at a terminal: a line an entry, subtotals and the total below. */
export async function renderSheet(sheet: Sheet, { color, width }: SheetTextOptions): Promise<string> {
  const styles = await loadStyles(color);
  const title = styles.heading(titleOf(sheet));
  if (sheet.rows.length === 0) return `${title}\n\nNo hours were logged.\n`;
  const head: Cells = { day: 'DATE', person: 'PERSON', work: 'WORK', numbers: sheet.rate === undefined ? ['HOURS'] : ['HOURS', 'AMOUNT'] };
  const shown = sheet.rows.map((row) => cellsOf(row, sheet));
  const total = sumCells('Total', sheet.total, sheet);
  const part = sheet.total.notBillable === 0 ? [] : [{ ...partCells(sheet) }];
  const all = [head, ...shown, total, ...part];
  const wide = (cellOf: (cells: Cells) => string | undefined) => Math.max(0, ...all.map((cells) => textWidth(cellOf(cells) ?? '')));
  const [day, person] = [
    wide((cells) => cells.day),
    Math.min(
      MOST_PERSON,
      wide((cells) => cells.person),
    ),
  ];
  const numbers = head.numbers.map((_, index) => wide((cells) => cells.numbers[index]));
  const taken = [day, person, ...numbers].reduce((sum, column) => sum + column + 2, 0);
  const natural = wide((cells) => cells.work);
  const work = width === undefined ? natural : Math.max(LEAST_WORK, Math.min(natural, width - taken));
  const line = (cells: Cells) => {
    const left =
      cells.whole === undefined
        ? [pad(cells.day, day), pad(cells.person, person), pad(cells.work, work)]
        : [pad(cells.whole, day + person + work + 4)];
    return joinCells([...left, ...numbers.map((column, index) => padToWidth(cells.numbers[index] ?? '', column, 'right'))]);
  };
  const rows = sheet.rows.map((row, index) => {
    const drawn = line(shown[index] ?? head);
    return row.kind === 'line' ? drawn : styles.heading(drawn.trimEnd()).concat('\n');
  });
  return [
    `${title}\n\n`,
    styles.heading(line(head).trimEnd()).concat('\n'),
    ...rows,
    styles.dim('─'.repeat(taken + work)).concat('\n'),
    styles.heading(line(total).trimEnd()).concat('\n'),
    ...part.map(line),
    ...noteLines(sheet).map((text) => `\n${styles.dim(wrap(text, width ?? 80))}\n`),
  ].join('');
}

/** The same for somebody who hears it: a block for each entry and each sum, none of which needs the one above to be understood. */
export async function sheetBlocks(sheet: Sheet, color: boolean): Promise<string> {
  const draw = blockDrawer(await loadStyles(color));
  const figures = (minutes: number, amount: bigint | undefined): Block => [
    ['Hours', formatHours(minutes, sheet.hours)],
    ...(sheet.rate === undefined ? [] : [['Amount', amount === undefined ? 'none' : formatAmount(amount)] as const]),
  ];
  const blocks = sheet.rows.flatMap((row) => {
    if (row.kind === 'group') return [];
    if (row.kind === 'sum') return [`${neutraliseLine(row.label)}\n${draw(figures(row.figures.minutes, row.figures.amount))}`];
    return [draw([['Date', row.date], ['Person', neutraliseLine(row.person)], ['Work', workOf(row)], ...figures(row.minutes, row.amount)])];
  });
  const { minutes, amount, notBillable } = sheet.total;
  const end = sheet.rows.length === 0 ? ['No hours were logged.\n'] : [`Total\n${draw(figures(minutes, amount))}`];
  const part = notBillable === 0 ? [] : [draw([['Of which not billable', formatHours(notBillable, sheet.hours)]])];
  return [`${titleOf(sheet)}\n`, ...blocks, ...end, ...part, ...noteLines(sheet).map((text) => `${text}\n`)].join('\n');
}

function noteLines(sheet: Sheet): string[] {
  const note = roundingNote(sheet);
  return note === undefined ? [] : [note];
}

/** A row's cells; `whole` runs over the first three. */
interface Cells {
  readonly day: string;
  readonly person: string;
  readonly work: string;
  readonly whole?: string;
  readonly numbers: readonly string[];
}

function cellsOf(row: SheetRow, sheet: Sheet): Cells {
  if (row.kind === 'group') return { ...EMPTY, whole: '  '.repeat(row.depth) + neutraliseLine(row.label), numbers: [] };
  if (row.kind === 'sum') return sumCells('  '.repeat(row.depth) + neutraliseLine(row.label), row.figures, sheet);
  return { day: row.date, person: neutraliseLine(row.person), work: workOf(row), numbers: numbersOf(row, sheet) };
}

const EMPTY = { day: '', person: '', work: '' };

function sumCells(label: string, figures: SheetFigures, sheet: Sheet): Cells {
  return { ...EMPTY, whole: label, numbers: numbersOf(figures, sheet) };
}

function partCells(sheet: Sheet): Cells {
  return { ...EMPTY, whole: 'Of which not billable', numbers: numbersOf({ minutes: sheet.total.notBillable, amount: undefined }, sheet) };
}

function numbersOf(
  { minutes, amount }: { readonly minutes: number; readonly amount: bigint | undefined },
  { hours, rate }: Sheet,
): string[] {
  return [formatHours(minutes, hours), ...(rate === undefined ? [] : [amount === undefined ? '–' : formatAmount(amount)])];
}

/** What was done, and on which work item. */
function workOf({ text, workItem, isNotBillable }: Extract<SheetRow, { readonly kind: 'line' }>): string {
  const parts = [text, workItem, isNotBillable ? 'not billable' : ''].filter(Boolean);
  return neutraliseLine(parts.join(' · ')) || '–';
}

function titleOf({ customer, first, last }: Sheet): string {
  return neutraliseLine(`Hours for ${customer}, ${first === last ? first : `${first} to ${last}`}`);
}

function pad(text: string, width: number): string {
  return padToWidth(cutToWidth(text, width), width, 'left');
}
