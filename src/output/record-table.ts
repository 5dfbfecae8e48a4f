import type { JsonObject } from '../values/json.ts';
import { dateTimeDisplay, pageText } from './cell.ts';
import { fieldValue } from './fields.ts';
import { gridDrawer } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import { loadStyles } from './styles.ts';
import { textWidth } from './text-width.ts';
import type { WriterOptions } from './writer.ts';

/** One record for a person: a name and a value a line; further lines of a text below the first. */
export async function renderRecordTable(record: JsonObject, options: WriterOptions): Promise<string> {
  const { heading: style } = await loadStyles(options.color);
  const names = options.fields ?? Object.keys(record);
  const labels = names.map(neutraliseLine);
  const showDateTime = dateTimeDisplay(options.timeZone);
  const draw = gridDrawer([
    { width: Math.max(0, ...labels.map(textWidth)), align: 'left' },
    { width: 0, align: 'left' },
  ]);
  return names
    .map((name, index) => {
      const kind = options.columns?.find(({ path }) => path === name)?.kind ?? options.kinds?.[name];
      return draw([{ text: labels[index] ?? '', style }, { text: pageText(fieldValue(record, name), kind, showDateTime) }]);
    })
    .join('');
}
