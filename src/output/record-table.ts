import type { JsonObject } from '../values/json.ts';
import { dateTimeDisplay, pageText } from './cell.ts';
import { fieldValue } from './fields.ts';
import { GAP, joinCells } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import { loadStyles } from './styles.ts';
import { padToWidth, textWidth } from './text-width.ts';
import type { WriterOptions } from './writer.ts';

/** One record for a person: a name and a value a line; further lines of a text below the first. */
export async function renderRecordTable(record: JsonObject, options: WriterOptions): Promise<string> {
  const styles = await loadStyles(options.color);
  const names = options.fields ?? Object.keys(record);
  const labels = names.map(neutraliseLine);
  const widest = Math.max(0, ...labels.map(textWidth));
  const showDateTime = dateTimeDisplay(options.timeZone);
  return names
    .map((name, index) => {
      const kind = options.columns?.find(({ path }) => path === name)?.kind ?? options.kinds?.[name];
      const text = pageText(fieldValue(record, name), kind, showDateTime);
      return drawEntry(styles.heading(padToWidth(labels[index] ?? '', widest, 'left')), text, widest + GAP);
    })
    .join('');
}

/** A label and the first line of its text; the lines below it stand under that text. */
function drawEntry(label: string, text: string, indent: number): string {
  const [first = '', ...rest] = text.split('\n');
  return joinCells([label, first]) + rest.map((line) => `${' '.repeat(indent)}${line}`.trimEnd().concat('\n')).join('');
}
