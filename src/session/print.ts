import type { Resource } from '../catalog/define.ts';
import type { Globals } from '../cli/globals.ts';
import { SvcError, UsageError } from '../errors.ts';
import type { CellKind } from '../output/cell.ts';
import { createWriter, renderRecord } from '../output/create-writer.ts';
import { pickFields, selectFields, trackMissing } from '../output/fields.ts';
import { FORMATS, type OutputFormat } from '../output/format.ts';
import { neutraliseLine, neutraliseText } from '../output/neutralise.ts';
import type { Column, RecordWriter, WriterOptions } from '../output/writer.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText, stringifyJson } from '../values/json.ts';
import type { Needs } from './context.ts';
import type { Paging } from './paging.ts';
import { wantsColor } from './presentation.ts';

export type Printing = Paging | 'letGo' | 'noticeToday' | 'presentation' | 'resolvedHost' | 'timeZone';

export interface View {
  readonly columns?: readonly Column[];
  readonly kinds?: Readonly<Record<string, CellKind>>;
  readonly wanted?: readonly string[];
  readonly pager?: string | undefined;
  /** True to write each page before the next request, instead of collecting rows for the layout. */
  readonly atOnce?: boolean;
  readonly unseen?: readonly string[];
  /** Returns true if the list is complete. svc calls the function at the end: a complete table at a terminal has totals. */
  readonly isWhole?: (() => boolean) | undefined;
}

export function viewOf(resource: Resource): View {
  const kinds = Object.fromEntries(
    Object.entries(resource.fields).flatMap(([name, { kind, writeOnly }]) => (writeOnly ? [] : [[name, kind]])),
  );
  return { columns: resource.columns.map((path) => ({ path, ...(kinds[path] && { kind: kinds[path] }) })), kinds };
}

export async function printRecords(
  context: Needs<Printing>,
  records: readonly JsonObject[],
  columns: readonly string[],
  kinds: Readonly<Record<string, CellKind>> = {},
): Promise<void> {
  await printRows(context, toAsync(records), {
    columns: columns.map((path) => ({ path, ...(kinds[path] && { kind: kinds[path] }) })),
    kinds,
  });
}

export type Records = AsyncIterable<JsonObject | readonly JsonObject[]>;

/**
 * Prints records as they arrive. A table first collects rows for its layout. With `--jq`, svc collects all records first, because an
 * expression reads the whole array. If `records` throws, the written part stays.
 * @returns false if the user left the pager before the end.
 */
export async function printRows(context: Needs<Printing>, records: Records, view: View = {}): Promise<boolean> {
  const fields = wantedFields(context) ?? view.wanted;
  if (context.globals.jq !== undefined) {
    await printJqOfRows(context, records, fields, view);
    return true;
  }
  const { format, isScreen } = await context.presentation();
  const writer = await createWriter(format, await writerOptions(context, view, fields));
  const pager = isScreen ? view.pager : undefined;
  const output = texts(records, writer, pager !== undefined || view.atOnce === true);
  if (pager !== undefined) {
    const { showPaged } = await import('./paging.ts');
    if (!(await showPaged(context, pager, output))) return false;
  } else for await (const text of output) await writeOut(context, text, format);
  if (writer.missing.length > 0) await reportMissing(context, writer.missing, view);
  if (writer.dropped.length > 0)
    await context.notice(
      `Later records also have these fields, which are not printed: ${writer.dropped.join(', ')}. To print these fields as columns: --fields`,
    );
  const unseen = isScreen && fields === undefined && writer.unseen !== undefined ? [...writer.unseen, ...(view.unseen ?? [])] : [];
  const flag = view.unseen === undefined ? '--fields' : '--columns';
  if (unseen.length > 0) await context.noticeToday(`The terminal is too narrow for: ${unseen.join(', ')}. To choose the columns: ${flag}`);
  return true;
}

/** Prints records as {@link printRows} does. After an empty table, prints the notice `none`. */
export async function printRowsOr(context: Needs<Printing>, records: Records, view: View, none: string): Promise<void> {
  let isEmpty = true;
  const seen = async function* () {
    for await (const item of records) {
      isEmpty &&= recordsOf(item).length === 0;
      yield item;
    }
  };
  await printRows(context, seen(), view);
  if (isEmpty && (await context.presentation()).format === 'table') await context.notice(none);
}

/**
 * Yields the text of each page.
 * @param atOnce true to show each page before the next page, instead of holding rows back for the layout.
 */
async function* texts(records: Records, writer: RecordWriter, atOnce: boolean): AsyncGenerator<string> {
  let text = writer.begin();
  let started = false;
  try {
    for await (const item of records) {
      for (const record of recordsOf(item)) text += writer.row(record);
      if (atOnce) text += writer.flush();
      yield text;
      started = true;
      text = '';
    }
  } catch (error) {
    // svc prints the rows that it collected for the layout. The output has no end, such as `]`, so no program treats a part as the whole.
    if (started) yield writer.flush();
    throw error;
  }
  yield text + writer.end();
}

export async function printRecord(context: Needs<Printing>, record: JsonObject, view: View = {}): Promise<void> {
  const fields = wantedFields(context);
  const seen = trackMissing(fields ?? (await fieldsOfJq(context, view)));
  seen.see(record);
  if (context.globals.jq === undefined) {
    const { format } = await context.presentation();
    await writeOut(context, await renderRecord(record, format, await writerOptions(context, view, fields)), format);
  } else await printJq(context, narrowed(record, fields));
  if (seen.missing.length > 0) await reportMissing(context, seen.missing, view);
}

export async function printOneOrMany(
  context: Needs<Printing>,
  records: readonly JsonObject[],
  many: boolean,
  view: View = {},
): Promise<void> {
  const [only] = records;
  if (!many && only !== undefined) await printRecord(context, only, view);
  else await printRows(context, toAsync(records), view);
}

export async function printJq(context: Needs<'env' | 'globals' | 'letGo' | 'stdio'>, value: JsonValue | string): Promise<void> {
  const { runJq } = await import('../output/jq.ts');
  const json = typeof value === 'string' ? value : stringifyJson(value);
  const options = { color: wantsColor(context), pretty: context.stdio.stdout.isTTY, alone: context.letGo };
  const results = await runJq(json, context.globals.jq ?? '.', options).catch((error: unknown) => {
    throw error instanceof UsageError ? failedOnResult(error, value) : error;
  });
  await writeOut(context, results, 'json');
}

/** Returns the error for a result that svc can’t print. The error shows that svc sent the request, and names the record. */
function failedOnResult(error: UsageError, value: JsonValue | string): SvcError {
  const id = isJsonObject(value) ? scalarText(value['id']) : '';
  const lines = id === '' ? undefined : [`The id of the record is ${id}.`];
  return new SvcError(error.message, {
    hint: 'The request succeeded; only the jq expression failed.',
    details: { ...error.details, lines },
  });
}

/** Prints text for people without styles, at a terminal and in a pipe. Escape codes of colours become visible characters. */
export async function printText(context: Needs<'stdio'>, text: string): Promise<void> {
  await writeOut(context, neutraliseText(text), 'table');
}

/** Prints one line about the result for a person, wrapped at the width of the terminal. */
export async function printLine(context: Needs<'stdio'>, text: string): Promise<void> {
  const line = neutraliseLine(text);
  const { wrap } = await import('../output/wrap.ts');
  await printText(context, `${wrap(line, context.stdio.stdout.columns ?? line.length)}\n`);
}

function recordsOf(item: JsonObject | readonly JsonObject[]): readonly JsonObject[] {
  return Array.isArray(item) ? item : [item as JsonObject];
}

async function printJqOfRows(
  context: Needs<'env' | 'globals' | 'letGo' | 'notice' | 'stdio'>,
  records: Records,
  fields: readonly string[] | undefined,
  view: View,
): Promise<void> {
  const items: string[] = [];
  const seen = trackMissing(fields ?? (await fieldsOfJq(context, view)));
  for await (const item of records) {
    for (const record of recordsOf(item)) {
      seen.see(record);
      items.push(stringifyJson(narrowed(record, fields)));
    }
  }
  await printJq(context, `[${items.join(',')}]`);
  if (seen.missing.length > 0) await reportMissing(context, seen.missing, view);
}

/** Returns the fields that `--jq` reads and the resource has. jq prints null for a field that no record has, so svc reports such fields. */
async function fieldsOfJq({ globals: { jq } }: Needs<'globals'>, { kinds = {} }: View): Promise<readonly string[]> {
  if (jq === undefined) return [];
  const { fieldsInJq } = await import('../output/jq.ts');
  return fieldsInJq(jq).filter((name) => Object.hasOwn(kinds, name));
}

function narrowed(record: JsonObject, fields: readonly string[] | undefined): JsonObject {
  return fields === undefined ? record : pickFields(record, selectFields(fields));
}

/** Checks the output flags before a write, because a failed output would look like a failed write. @throws UsageError */
export async function checkOutputFlags({ fields, jq, output }: Globals): Promise<void> {
  if (jq !== undefined && output !== undefined && output !== 'json') {
    throw new UsageError('--jq chooses the output itself, so you cannot use --jq with --output.', {
      hint: 'Leave out --output. For CSV, use @csv or @tsv in the jq expression.',
    });
  }
  if (fields !== undefined && fieldNames(fields).includes(''))
    throw new UsageError('--fields: a name is empty.', { hint: 'For example: --fields id,name,user.name' });
  if (jq !== undefined) await (await import('../output/jq.ts')).checkJq(jq);
}

/** Checks `--raw` and `--bom` before a command runs. @throws UsageError for another format than CSV, and with `--jq`. */
export async function checkCsvFlags(context: Needs<'globals' | 'presentation'>): Promise<void> {
  const { raw, jq } = context.globals;
  if (jq === undefined && (await context.presentation()).format === 'csv') return;
  throw new UsageError(`You can use ${raw ? '--raw' : '--bom'} only with CSV.`, {
    hint: jq === undefined ? 'Use the flag with --output csv.' : 'Leave out the flag. For CSV, use @csv in the jq expression.',
  });
}

function wantedFields(context: Needs<'globals'>): readonly string[] | undefined {
  const { fields } = context.globals;
  return fields === undefined ? undefined : fieldNames(fields);
}

function fieldNames(fields: string): string[] {
  return fields.split(',').map((name) => name.trim());
}

async function writerOptions(
  context: Needs<'globals' | 'presentation' | 'stdio' | 'timeZone'>,
  view: View,
  fields: readonly string[] | undefined,
): Promise<WriterOptions> {
  const { color, width, isSpoken, format } = await context.presentation();
  // A command without a host or a sign-in prints times unchanged.
  const timeZone = context.stdio.stdout.isTTY || format === 'md' ? await context.timeZone().catch(() => undefined) : undefined;
  return {
    fields,
    columns: view.columns,
    kinds: view.kinds,
    color,
    pretty: context.stdio.stdout.isTTY,
    width,
    blocks: isSpoken,
    raw: context.globals.raw === true,
    bom: context.globals.bom === true,
    timeZone,
    isWhole: view.isWhole,
  };
}

/** Reports the fields that no record has, and suggests other fields. For example, svc suggests `issue_key` for the column heading KEY. */
async function reportMissing(context: Needs<'notice'>, missing: readonly string[], { kinds = {}, columns = [] }: View): Promise<void> {
  const meant = missing.flatMap((name) => {
    if (Object.hasOwn(kinds, name)) return [];
    const column = columns.find(({ header }) => header?.toLowerCase() === name.toLowerCase());
    if (column !== undefined) return column.path;
    const typed = name.toLowerCase().replaceAll(' ', '_');
    const isMeant = (field: string) => field === typed || field.endsWith(`_${typed}`) || field === `${typed}_id`;
    return Object.keys(kinds).find((field) => !missing.includes(field) && isMeant(field)) ?? [];
  });
  const hint =
    meant.length === 0 ? 'The service returns some fields only with --include or --view detail.' : `Did you mean ${meant.join(', ')}?`;
  await context.notice(`No record has: ${missing.join(', ')}. ${hint}`);
}

/** Writes text to stdout. svc neutralises text for people in a pipe too. Data for a program goes into a pipe unchanged. */
async function writeOut({ stdio: { stdout } }: Needs<'stdio'>, text: string, format: OutputFormat): Promise<void> {
  if (text !== '') await (FORMATS[format].reader === 'person' ? stdout.write(text) : stdout.writeData(text));
}

export async function* toAsync<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
