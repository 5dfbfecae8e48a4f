import type { JsonObject } from '../values/json.ts';
import { type CellKind, dateTimeDisplay, mustStayWhole, pageText } from './cell.ts';
import { fieldValue } from './fields.ts';
import { neutraliseLine } from './neutralise.ts';
import type { Column, WriterOptions } from './writer.ts';

export interface TableColumn {
  readonly path: string;
  readonly header: string;
  readonly kind: CellKind | undefined;
  readonly isUncut: boolean;
  readonly tone: Column['tone'];
}

/**
 * Returns the columns of a table: the fields of `--fields`, or the given columns that any record has. Without such columns, returns the
 * first eight fields that have a string, number or boolean in a record.
 */
export function tableColumns(sample: readonly JsonObject[], { fields, columns = [], kinds = {} }: WriterOptions): TableColumn[] {
  const given = new Map(columns.map((column) => [column.path, column]));
  const had = columns.map(({ path }) => path).filter((path) => sample.some((record) => fieldValue(record, path) !== undefined));
  const paths = fields ?? (had.length > 0 ? had : scalarNames(sample));
  return paths.map((path) => {
    const column: Column = given.get(path) ?? { path };
    const { header = headerOf(path), kind = kinds[path], isUncut = KEYS.has(path) || mustStayWhole(kind), tone } = column;
    return { path, header: neutraliseLine(header), kind, isUncut, tone };
  });
}

/** The fields whose values people use as the name of a record, such as `ABC-12`. */
const KEYS: ReadonlySet<string> = new Set(['number', 'issue_key']);

function headerOf(path: string): string {
  return path === 'noun' ? 'RESOURCE' : path.replaceAll('_', ' ').toUpperCase();
}

const MOST_COLUMNS = 8;

function scalarNames(sample: readonly JsonObject[]): string[] {
  const names = new Set<string>();
  for (const record of sample) for (const [name, value] of Object.entries(record)) if (typeof value !== 'object') names.add(name);
  return [...names].slice(0, MOST_COLUMNS);
}

export function recordTexts(
  record: JsonObject,
  { fields, columns, kinds, timeZone }: WriterOptions,
): (readonly [name: string, text: string])[] {
  const showDateTime = dateTimeDisplay(timeZone);
  return (fields ?? Object.keys(record)).map((name) => {
    const kind = columns?.find(({ path }) => path === name)?.kind ?? kinds?.[name];
    return [neutraliseLine(name), pageText(fieldValue(record, name), kind, showDateTime)] as const;
  });
}
