import { type JsonObject, stringifyJson } from '../values/json.ts';
import { pickFields, selectFields } from './fields.ts';
import { prettyJson } from './json-text.ts';
import { createRowWriter } from './row-writer.ts';
import { loadStyles } from './styles.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** One array: a record a line, or indented on a terminal. */
export async function createJsonWriter(options: WriterOptions): Promise<RecordWriter> {
  const render = await recordRenderer(options, 'indented');
  const indent = options.pretty ? '  ' : '';
  return createRowWriter(options, {
    begin: '[',
    row: (record, index) => `${index === 0 ? '\n' : ',\n'}${indent}${render(record).replaceAll('\n', `\n${indent}`)}`,
    end: (rows) => (rows === 0 ? ']\n' : '\n]\n'),
  });
}

/** A record a line. */
export async function createNdjsonWriter(options: WriterOptions): Promise<RecordWriter> {
  const render = await recordRenderer(options, 'line');
  return createRowWriter(options, { row: (record) => `${render(record)}\n` });
}

/** One record by itself. */
export async function renderJsonRecord(record: JsonObject, options: WriterOptions): Promise<string> {
  return `${(await recordRenderer(options, 'indented'))(record)}\n`;
}

/** A record as JSON; its line breaks are all layout, since JSON escapes those inside strings. */
async function recordRenderer(options: WriterOptions, layout: 'indented' | 'line'): Promise<(record: JsonObject) => string> {
  const styles = await loadStyles(options.color);
  const selection = options.fields === undefined ? undefined : selectFields(options.fields);
  return (record) => {
    const shown = selection === undefined ? record : pickFields(record, selection);
    if (options.pretty) return prettyJson(shown, styles, layout);
    return options.color ? prettyJson(shown, styles, 'line') : stringifyJson(shown);
  };
}
