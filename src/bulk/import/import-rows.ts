import type { FieldKind, Resource } from '../../catalog/define.ts';
import { isWritable } from '../../catalog/rules.ts';
import { naming } from '../../cli/naming.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import { commandWords } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import { checkRequired } from '../../records/body.ts';
import type { Understanding } from '../../records/kinds.ts';
import { readBodyValue } from '../../records/kinds.ts';
import { readRecord } from '../../records/read-record.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printRows, toAsync, viewOf } from '../../session/print.ts';
import type { ShowingProgress } from '../../session/progress.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../values/json.ts';
import { digest, nameRows, openJournal } from './journal.ts';
import { runBulk } from './run-bulk.ts';
import { failedRowsText, readRows, type Source, type SourceRow } from './source.ts';
import type { Translation } from './translation.ts';

/** A row that is ready to send. */
interface ReadyRow extends SourceRow {
  readonly body: JsonObject;
}

/**
 * Creates a record for each row of a file. Every row is checked before the first is sent.
 *
 * @param path The collection that they go into.
 * @param file Its path; `-` is standard input.
 * @throws UsageError where a row cannot be sent: nothing was, then.
 */
export async function importRows(
  context: Needs<
    Printing | Understanding | ShowingProgress | 'argv' | 'files' | 'host' | 'paths' | 'plan' | 'readFileArgument' | 'settleWrites'
  >,
  resource: Resource,
  path: string,
  file: string,
  translation: (Pick<Translation, 'rows'> & { readonly given: Readonly<Record<string, unknown>> }) | undefined,
): Promise<void> {
  const content = await context.readFileArgument(file);
  const source = await readRows(content);
  const rows = translation === undefined ? source.rows : await translation.rows(context, source.rows, translation.given);
  const ready = await checkRows(context, resource, rows);
  if (context.globals.dryRun) {
    const descriptions = ready.map(({ body }) => describeWrite(context, resource, { method: 'POST', path, body }));
    return printRows(context, toAsync(await Promise.all(descriptions)));
  }
  await sendRows(context, resource, path, { file, content, source }, ready);
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
      const body = await readRowBody(resource, row.values, read);
      checkRequired(resource, body, commandWords(resource, 'create'));
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

/**
 * Fields that the service sets itself (id, created_at …) are left out, so that an export can be imported as it is. A
 * relation is meant by its id: a column `user` sets `user_id`, as the flag `--user` does.
 */
async function readRowBody(resource: Resource, values: JsonObject, read: ReadValue): Promise<JsonObject> {
  const body: Record<string, JsonValue> = {};
  for (const [column, given] of Object.entries(values)) {
    const name = resource.fields[`${column}_id`] !== undefined && !isWritable(resource.fields[column], 'create') ? `${column}_id` : column;
    const value = name === column ? given : idIn(given);
    const field = resource.fields[name];
    if (field !== undefined && !isWritable(field, 'create')) continue;
    if (name !== column && (value === undefined || values[name] !== undefined)) continue;
    if (value === undefined) continue;
    body[name] = field === undefined || typeof value !== 'string' ? value : await naming(column, () => read(field.kind, value));
  }
  return body;
}

/** A relation as its id: typed as such, or the record that svc itself printed there. */
function idIn(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) ? value['id'] : value;
}

async function sendRows(
  context: Needs<Printing | ShowingProgress | 'argv' | 'client' | 'files' | 'host' | 'paths' | 'plan' | 'settleWrites'>,
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
    done: context.plan === undefined ? 'created' : 'planned',
    again: shellCommand(context.argv),
    async keepFailed(failed) {
      const target = `${file === '-' ? 'stdin' : file}.failed.${source.format === 'csv' ? 'csv' : 'ndjson'}`;
      const rows = failed.map(({ item, error }) => ({ values: item.values, error: error.message }));
      await context.files.writeAtomic(target, await failedRowsText(rows, source.format));
      return `Mend ${target} and import that.`;
    },
  });
}
