import type { JsonObject } from '../values/json.ts';
import { layOutBlocks } from './blocks-writer.ts';
import { alignsRight, dateTimeDisplay, recordText } from './cell.ts';
import { fitColumns, GAP, type GridColumn, gridDrawer, widthOf } from './grid.ts';
import { loadStyles, type Style, type Styles } from './styles.ts';
import { recordTexts, type TableColumn, tableColumns } from './table-columns.ts';
import { createTotals } from './table-totals.ts';
import { textWidth } from './text-width.ts';
import { createHeldWriter, type Layout, type RecordWriter, type WriterOptions } from './writer.ts';

/**
 * Creates a writer for a table. The first page of rows decides the widths. At a terminal, a row has at most two lines. If the columns do
 * not fit, records become blocks.
 */
export async function createTableWriter(options: WriterOptions): Promise<RecordWriter> {
  const styles = await loadStyles(options.color);
  return createHeldWriter(options, (sample) => (sample.length === 0 ? undefined : layOut(sample, options, styles)));
}

function layOut(sample: readonly JsonObject[], options: WriterOptions, styles: Styles): Layout {
  const all = tableColumns(sample, options);
  const showDateTime = dateTimeDisplay(options.timeZone);
  const marks = options.width !== undefined;
  const cellsIn = (columns: readonly TableColumn[]) => (record: JsonObject) =>
    columns.map(({ path, kind, tone }) => {
      const text = recordText(record, path, kind, showDateTime);
      return marks && tone?.(record) === 'late' ? `${text} late` : text;
    });
  const allNaturals = [all.map(({ header }) => header), ...sample.map(cellsIn(all))].reduce<number[]>(
    (widest, row) => row.map((text, index) => Math.max(widest[index] ?? 0, textWidth(text))),
    [],
  );
  const isChosen = options.fields !== undefined || options.width === undefined;
  const remaining = isChosen ? all.map((_, index) => index) : withRoom(all, allNaturals, options.width);
  const columns = remaining.flatMap((index) => all[index] ?? []);
  const naturals = remaining.map((index) => allNaturals[index] ?? 0);
  const cells = cellsIn(columns);
  const headers = columns.map(({ header }) => header);
  const widths = options.width === undefined ? naturals : terminalWidths(columns, naturals, options.width);
  // A table whose lines the terminal breaks is unreadable, so svc prints blocks.
  if (options.width !== undefined && widthOf(widths, GAP) > options.width) return layOutBlocks(sample, options, styles);
  const grid = columns.map(({ kind }, index): GridColumn => ({ width: widths[index] ?? 0, align: alignsRight(kind) ? 'right' : 'left' }));
  const draw = gridDrawer(grid, { lines: options.width === undefined ? undefined : LINES });
  const totals = options.width === undefined || options.isWhole === undefined ? undefined : createTotals(columns);
  return {
    unseen: all.filter((column) => !columns.includes(column)).map(({ header }) => header),
    header: draw(headers.map((text) => ({ text, style: styles.heading }))),
    row(record) {
      totals?.see(record);
      return draw(cells(record).map((text, index) => ({ text, style: toneOf(columns[index], record, styles) })));
    },
    end() {
      const sums = options.isWhole?.() ? totals?.cells(widths) : undefined;
      return sums === undefined ? '' : gridDrawer(grid)(sums.map((cell) => ({ ...cell, style: styles.heading })));
    },
  };
}

const LINES = 2;

function toneOf({ tone }: Partial<TableColumn> = {}, record: JsonObject, { tones }: Styles): Style | undefined {
  const means = tone?.(record);
  return means && tones[means];
}

/** Fields that best describe a record. The first of these columns becomes the main column, which gets the most space. */
const MAIN = ['title', 'name', 'what', 'description'];

function mainOf(columns: readonly TableColumn[]): number {
  return MAIN.map((field) => columns.findIndex(({ path }) => path === field)).find((index) => index >= 0) ?? -1;
}

const LEAST_MAIN = 12;
const LEAST_TEXT = 8;

/**
 * Returns the columns that fit, as indexes. Leaves out the last columns first. Keeps the first column, the main column, durations and
 * amounts.
 */
function withRoom(columns: readonly TableColumn[], naturals: readonly number[], total: number): readonly number[] {
  const main = mainOf(columns);
  const least = (index: number) => {
    const natural = naturals[index] ?? 0;
    return columns[index]?.isUncut ? natural : Math.min(natural, index === main ? LEAST_MAIN : LEAST_TEXT);
  };
  let remaining = columns.map((_, index) => index);
  const mayGo = (index: number) => index !== 0 && index !== main && !['duration', 'money'].includes(columns[index]?.kind ?? '');
  while (widthOf(remaining.map(least), GAP) > total) {
    const last = remaining.findLast(mayGo);
    if (last === undefined) break;
    remaining = remaining.filter((index) => index !== last);
  }
  // If half of the columns or more would be missing, svc keeps all columns. If all columns together do not fit, svc prints blocks.
  return remaining.length * 2 > columns.length ? remaining : columns.map((_, index) => index);
}

/** Returns the widths of the columns. A text in the last column gets the remaining width, because later rows can be longer. */
function terminalWidths(columns: readonly TableColumn[], naturals: readonly number[], total: number): number[] {
  const main = mainOf(columns);
  const needs = columns.map((column, index) => ({ natural: naturals[index] ?? 0, whole: column.isUncut, main: index === main }));
  const widths = fitColumns(needs, total, GAP);
  const last = columns.length - 1;
  const rest = total - widths.reduce((sum, width) => sum + width, 0) - GAP * last;
  return widths.map((width, index) => (index === last && rest > 0 && !alignsRight(columns[index]?.kind) ? width + rest : width));
}

export async function renderRecordTable(record: JsonObject, options: WriterOptions): Promise<string> {
  const { heading: style } = await loadStyles(options.color);
  const texts = recordTexts(record, options);
  const draw = gridDrawer([{ width: Math.max(0, ...texts.map(([name]) => textWidth(name))) }, { width: 0 }]);
  return texts.map(([name, text]) => draw([{ text: name, style }, { text }])).join('');
}
