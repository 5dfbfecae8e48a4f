import type { JsonObject } from '../values/json.ts';
import { blockDrawer, labelOf } from './blocks.ts';
import { cellText, dateTimeDisplay } from './cell.ts';
import { fieldValue } from './fields.ts';
import { createHeldWriter, type Layout } from './held-rows.ts';
import { loadStyles, type Styles } from './styles.ts';
import { recordTexts, tableColumns } from './table-columns.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** A table for somebody who hears it: a block a record, its columns a line each, nothing cut, and an empty line between two. */
export async function createBlocksWriter(options: WriterOptions): Promise<RecordWriter> {
  const styles = await loadStyles(options.color);
  return createHeldWriter(options, (sample) => (sample.length === 0 ? undefined : layOutBlocks(sample, options, styles)));
}

/** The same for whoever's terminal is too narrow for the table. */
export function layOutBlocks(sample: readonly JsonObject[], options: WriterOptions, styles: Styles): Layout {
  const draw = blockDrawer(styles);
  const showDateTime = dateTimeDisplay(options.timeZone);
  const columns = tableColumns(sample, options).map((column) => ({ ...column, label: labelOf(column.header) }));
  let isFirst = true;
  return {
    header: '',
    row(record) {
      const block = draw(columns.map(({ path, kind, label }) => [label, cellText(fieldValue(record, path), kind, showDateTime)]));
      const text = isFirst ? block : `\n${block}`;
      isFirst = false;
      return text;
    },
  };
}

/** One record in the same way, with all of its text. */
export async function renderRecordBlock(record: JsonObject, options: WriterOptions): Promise<string> {
  return blockDrawer(await loadStyles(options.color))(recordTexts(record, options).map(([name, text]) => [labelOf(name), text]));
}
