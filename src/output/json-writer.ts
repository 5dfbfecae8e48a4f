import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
import { fieldPicker } from './fields.ts';
import { escapeUnsafe } from './neutralise.ts';
import { loadStyles, type Styles } from './styles.ts';
import { createRowWriter, type RecordWriter, type WriterOptions } from './writer.ts';

export async function createJsonWriter(options: WriterOptions): Promise<RecordWriter> {
  const render = await recordRenderer(options, 'indented');
  const indent = options.pretty ? '  ' : '';
  return createRowWriter(options, {
    begin: '[',
    row: (record, index) => `${index === 0 ? '\n' : ',\n'}${indent}${render(record).replaceAll('\n', `\n${indent}`)}`,
    end: (rows) => (rows === 0 ? ']\n' : '\n]\n'),
  });
}

export async function createNdjsonWriter(options: WriterOptions): Promise<RecordWriter> {
  const render = await recordRenderer(options, 'line');
  return createRowWriter(options, { row: (record) => `${render(record)}\n` });
}

export async function renderJsonRecord(record: JsonObject, options: WriterOptions): Promise<string> {
  return `${(await recordRenderer(options, 'indented'))(record)}\n`;
}

async function recordRenderer(options: WriterOptions, layout: 'indented' | 'line'): Promise<(record: JsonObject) => string> {
  const styles = await loadStyles(options.color);
  const pick = fieldPicker(options.fields);
  return (record) => {
    const shown = pick(record);
    if (options.pretty) return prettyJson(shown, styles, layout);
    return options.color ? prettyJson(shown, styles, 'line') : stringifyJson(shown);
  };
}

/**
 * Returns coloured JSON, indented by two spaces or on one line. Control characters become `\uXXXX`. Without colours, the text parses to the
 * same value.
 */
export function prettyJson(value: JsonValue, styles: Styles, layout: 'indented' | 'line'): string {
  return write(value, styles, layout === 'indented' ? '\n' : undefined);
}

function write(value: JsonValue, styles: Styles, newline: string | undefined): string {
  const inner = newline === undefined ? undefined : `${newline}  `;
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => write(item, styles, inner));
    return enclose('[', items, ']', newline);
  }
  if (isJsonObject(value)) return enclose('{', members(value, styles, inner), '}', newline);
  const text = escapeUnsafe(stringifyJson(value));
  if (typeof value === 'string') return styles.string(text);
  return typeof value === 'boolean' || value === null ? styles.literal(text) : styles.number(text);
}

function members(value: JsonObject, styles: Styles, inner: string | undefined): string[] {
  const colon = inner === undefined ? ':' : ': ';
  return Object.entries(value).map(([key, item]) => `${styles.key(escapeUnsafe(stringifyJson(key)))}${colon}${write(item, styles, inner)}`);
}

function enclose(open: string, items: readonly string[], close: string, newline: string | undefined): string {
  if (items.length === 0) return open + close;
  if (newline === undefined) return open + items.join(',') + close;
  return `${open}${newline}  ${items.join(`,${newline}  `)}${newline}${close}`;
}
