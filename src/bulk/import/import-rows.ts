import type { Resource } from '../../catalog/define.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import type { Understanding } from '../../records/kinds.ts';
import { readRecord } from '../../records/read-record.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { outputFormat, printRecords, printRows, toAsync, viewOf } from '../../session/print.ts';
import type { ShowingProgress } from '../../session/progress.ts';
import { stringifyJson } from '../../values/json.ts';
import { checkRows, type ReadyRow } from './check-rows.ts';
import { decodeFile } from './decode.ts';
import { digest, nameRows, openJournal } from './journal.ts';
import { runBulk } from './run-bulk.ts';
import { failedRowsText, readRows, type Source, type SourceRow } from './source.ts';
import type { Translation } from './translation.ts';

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
  context: Needs<
    Printing | Understanding | ShowingProgress | 'argv' | 'files' | 'host' | 'paths' | 'plan' | 'readBytesArgument' | 'settleWrites'
  >,
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
    oneByOne: resource.reorderable,
    send: async (row) =>
      readRecord(await sendWrite(context, { method: 'POST', path, body: row.body, idempotencyKey: journal.keyOf(nameOf(row)) })),
    view: viewOf(resource),
    done: context.plan === undefined ? 'created' : 'planned',
    again: shellCommand(context.argv),
    async keepFailed(failed) {
      const target = `${file === '-' ? 'stdin' : file}.failed.${source.format === 'csv' ? 'csv' : 'ndjson'}`;
      const rows = failed.map(({ item, error }) => ({ values: item.values, error: error.message }));
      await context.files.writeAtomic(target, failedRowsText(rows, source.format));
      return `Mend ${target} and import that.`;
    },
  });
}

/** `1 row`, `2 rows`. */
function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
