import type { JsonObject } from '../values/json.ts';
import { gridDrawer } from './grid.ts';
import { loadStyles } from './styles.ts';
import { recordTexts } from './table-columns.ts';
import { textWidth } from './text-width.ts';
import type { WriterOptions } from './writer.ts';

/** One record for a person: a name and a value a line; further lines of a text below the first. */
export async function renderRecordTable(record: JsonObject, options: WriterOptions): Promise<string> {
  const { heading: style } = await loadStyles(options.color);
  const texts = recordTexts(record, options);
  const draw = gridDrawer([
    { width: Math.max(0, ...texts.map(([name]) => textWidth(name))), align: 'left' },
    { width: 0, align: 'left' },
  ]);
  return texts.map(([name, text]) => draw([{ text: name, style }, { text }])).join('');
}
