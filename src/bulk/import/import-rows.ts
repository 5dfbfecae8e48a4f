import type { FieldKind, Resource } from '../../catalog/define.ts';
import { isWritable } from '../../catalog/rules.ts';
import { naming } from '../../cli/naming.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import { UsageError } from '../../errors.ts';
import type { Understanding } from '../../records/kinds.ts';
import { readBodyValue } from '../../records/kinds.ts';
import { readRecord } from '../../records/read-record.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { outputFormat, printRecords, printRows, toAsync, viewOf } from '../../session/print.ts';
import type { ShowingProgress } from '../../session/progress.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../values/json.ts';
import { decodeFile } from './decode.ts';
import { digest, nameRows, openJournal } from './journal.ts';
import { runBulk } from './run-bulk.ts';
import { failedRowsText, readRows, type Source, type SourceRow } from './source.ts';
import type { Translation } from './translation.ts';

/** A row that is ready to send. */
interface ReadyRow extends SourceRow {
  readonly body: JsonObject;
}

/** A file to import, and what was said of it. */
export interface ImportRequest {
  /** The collection that the rows go into. */
  readonly path: string;
  /** Its path; `-` is standard input. */
  readonly file: string;
  /** How it is written, when somebody said so. */
  readonly encoding: string | undefined;
  /** The noun's own way to understand files, and the values of its flags. */
  readonly translation: (Omit<Translation, 'description' | 'options'> & { readonly given: Readonly<Record<string, unknown>> }) | undefined;
}

/**
 * Creates a record for each row of a file. Every row is checked before the first is sent.
 *
 * @throws UsageError where a row cannot be sent: nothing was, then.
 */
export async function importRows(
  context: Needs<Printing | Understanding | ShowingProgress | 'argv' | 'files' | 'host' | 'paths' | 'readBytesArgument'>,
  resource: Resource,
  { path, file, encoding, translation }: ImportRequest,
): Promise<void> {
  const { text: content, guessed } = decodeFile(await context.readBytesArgument(file), encoding);
  if (guessed !== undefined)
    await context.notice(`The file is not UTF-8, and was read as ${guessed}. If letters are wrong: --encoding <name>`);
  const source = await readRows(content, translation?.read);
  const rows = translation === undefined ? source.rows : await translation.rows(context, source.rows, translation.given);
  // A translation has said what it left out; a file without a row is a mistake.
  if (rows.length === 0 && source.rows.length > 0) return context.notice('No row is left to send.');
  const ready = await checkRows(context, resource, rows);
  await tellUnknown(context, resource, ready);
  if (context.globals.dryRun) return showRows(context, resource, path, ready, translation?.shows);
  await sendRows(context, resource, path, { file, content, source }, ready);
}

/** What a dry run says: on a terminal a table of what each row becomes, to a program the requests. */
async function showRows(
  context: Needs<Printing | 'host'>,
  resource: Resource,
  path: string,
  ready: readonly ReadyRow[],
  shows: readonly string[] | undefined,
): Promise<void> {
  if ((await outputFormat(context)) !== 'table' || context.globals.jq !== undefined) {
    const descriptions = ready.map(({ body }) => describeWrite(context, resource, { method: 'POST', path, body }));
    return printRows(context, toAsync(await Promise.all(descriptions)));
  }
  const fields = [...new Set(ready.flatMap(({ body }) => Object.keys(body)))];
  const { kinds = {} } = viewOf(resource);
  const table = ready.map(({ line, body, shown }) => ({ ...(shown ?? body), line }));
  await printRecords(context, table, [...(shows ?? fields), 'line'], { line: 'integer', ...(shows === undefined && kinds) });
  await context.notice(`Nothing was sent. Without --dry-run ${counted(ready.length, 'request')} would be.`);
}

/** A column that svc does not know is sent, since the organisation may have such a field, and named, since it may be a slip. */
async function tellUnknown(context: Needs<'notice'>, resource: Resource, ready: readonly ReadyRow[]): Promise<void> {
  const unknown = [...new Set(ready.flatMap(({ body }) => Object.keys(body)))].filter((name) => resource.fields[name] === undefined);
  if (unknown.length > 0) await context.notice(`Columns that svc does not know, and sends as they are: ${unknown.join(', ')}.`);
}

/** The file that is imported. */
interface ImportFile {
  readonly file: string;
  readonly content: string;
  readonly source: Source;
}

/** Every row as a body. @throws UsageError that names each line that cannot be sent; nothing has been sent then. */
async function checkRows(context: Needs<Understanding>, resource: Resource, rows: readonly SourceRow[]): Promise<readonly ReadyRow[]> {
  if (rows.length === 0)
    throw new UsageError('There is no row in it.', { hint: 'A CSV file has a line of field names first, then a line a record.' });
  const ready: ReadyRow[] = [];
  const problems: string[] = [];
  const read = onceEach((kind, text) => readBodyValue(context, kind, text));
  for (const row of rows) {
    try {
      const body = await readRowBody(resource, row, read);
      checkColumns(resource, body);
      if (Object.keys(body).length === 0) throw new UsageError('No field of this row can be written.');
      ready.push({ ...row, body });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(`line ${row.line}: ${error.message}`);
    }
  }
  if (problems.length === 0) return ready;
  throw new UsageError(`${problems.length} of ${rows.length} rows cannot be sent, so nothing was.`, {
    hint: 'Mend these lines and run it again.',
    details: { lines: problems.slice(0, 50) },
  });
}

type ReadValue = (kind: FieldKind, text: string) => Promise<JsonValue>;

/** Reads each value once: a work item's key costs a request, and stands in many rows. */
function onceEach(read: ReadValue): ReadValue {
  const known = new Map<string, Promise<JsonValue>>();
  return (kind, text) => {
    const key = `${kind} ${text}`;
    const value = known.get(key) ?? read(kind, text);
    known.set(key, value);
    return value;
  };
}

/** @throws UsageError for a row without a field that the service is known to require. */
function checkColumns(resource: Resource, body: JsonObject): void {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.required && field.assumed !== true && body[name] === undefined) throw new UsageError(`it has no ${name}.`);
  }
}

/**
 * Fields that the service sets itself (id, created_at …) are left out, so that an export can be imported as it is. A
 * relation is meant by its id: a column `user` sets `user_id`, as the flag `--user` does. `Due Date` is `due_date`.
 */
async function readRowBody(resource: Resource, { values, columns }: SourceRow, read: ReadValue): Promise<JsonObject> {
  const body: Record<string, JsonValue> = {};
  for (const [column, given] of Object.entries(values)) {
    const own = fieldNamed(resource, column);
    const name = resource.fields[`${own}_id`] !== undefined && !isWritable(resource.fields[own], 'create') ? `${own}_id` : own;
    const value = name === own ? given : idIn(given);
    const field = resource.fields[name];
    if (field !== undefined && !isWritable(field, 'create')) continue;
    // What stands under the field's very name counts.
    if (name !== column && (value === undefined || values[name] !== undefined)) continue;
    if (value === undefined) continue;
    const said = `column "${columns?.[column] ?? column}"`;
    body[name] = field === undefined || typeof value !== 'string' ? value : await naming(said, () => read(field.kind, value));
  }
  return body;
}

/** The field that a column means, in any letters and with spaces for underscores; the column itself where there is none. */
function fieldNamed(resource: Resource, column: string): string {
  if (resource.fields[column] !== undefined) return column;
  const plain = column
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return resource.fields[plain] !== undefined || resource.fields[`${plain}_id`] !== undefined ? plain : column;
}

/** A relation as its id: typed as such, or the record that svc itself printed there. */
function idIn(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) ? value['id'] : value;
}

async function sendRows(
  context: Needs<Printing | ShowingProgress | 'argv' | 'client' | 'files' | 'host' | 'paths'>,
  resource: Resource,
  path: string,
  { file, content, source }: ImportFile,
  ready: readonly ReadyRow[],
): Promise<void> {
  const { name: host } = await context.host();
  const journal = await openJournal(context.files, {
    file,
    directory: context.paths.cache,
    subject: `${host} ${path}`,
    content,
  });
  // By what the file says, however it was understood.
  const names = nameRows(source.rows.map(({ values }) => stringifyJson(values)));
  const nameOfLine = new Map(source.rows.map(({ line }, index) => [line, names[index] ?? '']));
  const nameOf = ({ line }: SourceRow) => nameOfLine.get(line) ?? digest(String(line));
  await runBulk(context, {
    items: ready,
    journal,
    nameOf,
    labelOf: ({ line }) => `line ${line}`,
    send: async (row) =>
      readRecord(await sendWrite(context, { method: 'POST', path, body: row.body, idempotencyKey: journal.keyOf(nameOf(row)) })),
    view: viewOf(resource),
    done: 'created',
    again: shellCommand(context.argv),
    async keepFailed(failed) {
      const target = `${file === '-' ? 'stdin' : file}.failed.${source.format === 'csv' ? 'csv' : 'ndjson'}`;
      const rows = failed.map(({ item, error }) => ({ values: item.values, error: error.message }));
      await context.files.writeAtomic(target, await failedRowsText(rows, source.format));
      return `Mend ${target} and import that.`;
    },
  });
}

/** `1 row`, `2 rows`. */
function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
