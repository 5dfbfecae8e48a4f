import type { JsonObject } from '../values/json.ts';
import { dateTimeDisplay, recordText } from './cell.ts';
import { loadStyles, type Styles } from './styles.ts';
import { recordTexts, tableColumns } from './table-columns.ts';
import { createHeldWriter, type Layout, type RecordWriter, type WriterOptions } from './writer.ts';

export type Block = readonly (readonly [label: string, text: string])[];

/**
 * Returns a function that draws a block: one line per field, such as `Project: Web shop`. Further lines of a text are indented. The caller
 * must have neutralised the texts.
 */
export function blockDrawer({ heading }: Styles): (block: Block) => string {
  return (block) =>
    block.map(([label, text]) => `${heading(`${label}:`)} ${text.replaceAll('\n', '\n  ')}`.trimEnd().concat('\n')).join('');
}

export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').toLowerCase();
  return words === 'id' ? 'ID' : words.slice(0, 1).toUpperCase() + words.slice(1);
}

/**
 * Creates a writer for screen readers. Each record is a block with one line per column. The writer cuts no text to the width of the
 * terminal.
 */
export async function createBlocksWriter(options: WriterOptions): Promise<RecordWriter> {
  const styles = await loadStyles(options.color);
  return createHeldWriter(options, (sample) => (sample.length === 0 ? undefined : layOutBlocks(sample, options, styles)));
}

export function layOutBlocks(sample: readonly JsonObject[], options: WriterOptions, styles: Styles): Layout {
  const draw = blockDrawer(styles);
  const showDateTime = dateTimeDisplay(options.timeZone);
  const columns = tableColumns(sample, options).map((column) => ({ ...column, label: labelOf(column.header) }));
  let isFirst = true;
  return {
    header: '',
    row(record) {
      const block = draw(columns.map(({ path, kind, label }) => [label, recordText(record, path, kind, showDateTime)]));
      const text = isFirst ? block : `\n${block}`;
      isFirst = false;
      return text;
    },
  };
}

export async function renderRecordBlock(record: JsonObject, options: WriterOptions): Promise<string> {
  return blockDrawer(await loadStyles(options.color))(recordTexts(record, options).map(([name, text]) => [labelOf(name), text]));
}
