import type { Resource } from '../../catalog/define.ts';
import {
  ConflictError,
  InterruptedError,
  NotFoundError,
  PartialError,
  RateLimitError,
  RefusedError,
  SvcError,
  UsageError,
} from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import type { Context } from '../context.ts';
import { type CommandSpec, defineCommand } from '../define.ts';
import { openJournal } from '../import/journal.ts';
import { failedRowsText, readRows, type SourceRow } from '../import/source.ts';
import { printRows } from '../print.ts';
import { readRecord } from '../read-record.ts';
import { shellWord } from '../shell-word.ts';
import { checkRequired } from './body.ts';
import { readBodyValue } from './kinds.ts';
import { naming } from './query.ts';
import { describeWrite, sendWrite } from './send-write.ts';

/** A row that is ready to send. */
interface ReadyRow extends SourceRow {
  readonly body: JsonObject;
}

/** `svc <noun> import <file>`: creates a record a row; safe to run again after anything. */
export function importCommand(resource: Resource): CommandSpec {
  const { noun } = resource;
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'import',
    summary: `Create ${noun.replaceAll('-', ' ')} from a file`,
    description:
      'Reads CSV (the first line names the fields), NDJSON or a JSON array; - reads standard input. Every row is checked before the first is sent. What was created is noted in a journal beside the file, and each row has an idempotency key of its own, so running it again creates nothing twice and finishes the rest. Rows that the service refuses go to a file of their own, ready to mend and import.',
    args: [{ name: 'file', summary: 'A CSV, NDJSON or JSON file; - reads standard input' }],
    examples: [
      { args: `${noun} import ${noun}.csv --dry-run`, does: 'See what would be sent' },
      { args: `${noun} import ${noun}.csv`, does: 'Send it' },
    ],
    async run(context, { args: [file = ''] }) {
      const content = await context.readFileArgument(file);
      const source = await readRows(content);
      const ready = await checkRows(context, resource, source.rows);
      if (context.globals.dryRun) {
        const descriptions = ready.map(({ body }) => describeWrite(context, resource, { method: 'POST', path: resource.path, body }));
        await printRows(context, toAsync(await Promise.all(descriptions)));
        return;
      }
      await sendRows(context, resource, file, content, source.format, ready);
    },
  });
}

/** Every row as a body. @throws UsageError that names each line that cannot be sent; nothing has been sent then. */
async function checkRows(context: Context, resource: Resource, rows: readonly SourceRow[]): Promise<readonly ReadyRow[]> {
  if (rows.length === 0)
    throw new UsageError('There is no row in it.', { hint: 'A CSV file has a line of field names first, then a line a record.' });
  const ready: ReadyRow[] = [];
  const problems: string[] = [];
  for (const row of rows) {
    try {
      const body = await readRowBody(context, resource, row.values);
      checkRequired(resource, body, `${resource.noun} create`);
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

/** Fields that the service sets itself (id, created_at …) are left out, so that an export can be imported as it is. */
async function readRowBody(context: Context, resource: Resource, values: JsonObject): Promise<JsonObject> {
  const body: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = resource.fields[name];
    if (field !== undefined && field.write !== 'both' && field.write !== 'create') continue;
    body[name] =
      field === undefined || typeof value !== 'string' ? value : await naming(name, () => readBodyValue(context, field.kind, value));
  }
  return body;
}

async function sendRows(
  context: Context,
  resource: Resource,
  file: string,
  content: string,
  format: 'csv' | 'json',
  ready: readonly ReadyRow[],
): Promise<void> {
  const { name: host } = await context.host();
  const journal = await openJournal(context.deps.files, {
    file,
    directory: context.paths.cache,
    subject: `${host} ${resource.noun}`,
    content,
  });
  const failed: { readonly row: SourceRow; readonly error: SvcError }[] = [];
  let created = 0;
  const records = async function* () {
    for (const row of ready) {
      if (journal.done.has(row.line)) continue;
      try {
        const response = await sendWrite(context, {
          method: 'POST',
          path: resource.path,
          body: row.body,
          idempotencyKey: journal.keyOf(row.line),
        });
        const record = readRecord(response);
        await journal.note(row.line);
        created += 1;
        yield record;
      } catch (error) {
        if (!isAboutThisRow(error)) throw stoppedAt(error, row, created, file, resource);
        failed.push({ row, error });
        await context.notice(`line ${row.line}: ${error.message}`);
      }
    }
  };
  await printRows(context, records());
  const before = journal.done.size;
  await context.notice(
    `${created} created${before === 0 ? '' : `, ${before} were there from an earlier run`}${failed.length === 0 ? '' : `, ${failed.length} refused`}.`,
  );
  if (failed.length === 0) return;
  const path = `${file === '-' ? 'stdin' : file}.failed.${format === 'csv' ? 'csv' : 'ndjson'}`;
  await context.deps.files.writeAtomic(
    path,
    await failedRowsText(
      failed.map(({ row }) => row),
      format,
    ),
  );
  throw new PartialError(`${failed.length} of ${ready.length} rows were refused.`, {
    hint: `Mend ${path} and import that.`,
    details: { lines: failed.slice(0, 50).map(({ row, error }) => `line ${row.line}: ${error.message}`) },
  });
}

/** Whether the service refused this row and may well take the next. */
function isAboutThisRow(error: unknown): error is SvcError {
  return error instanceof RefusedError || error instanceof ConflictError || error instanceof NotFoundError;
}

function stoppedAt(error: unknown, row: SourceRow, created: number, file: string, resource: Resource): unknown {
  if (!(error instanceof SvcError)) return error;
  const resume = `svc ${resource.noun} import ${shellWord(file)}`;
  const details = {
    ...error.details,
    resume,
    lines: [...(error.details.lines ?? []), `${created} rows were created; it stopped at line ${row.line}.`],
  };
  if (error instanceof RateLimitError) return new RateLimitError(error.message, { hint: error.hint, details });
  if (error instanceof InterruptedError) return new InterruptedError(error.message, { hint: error.hint, details });
  return Object.assign(error, { details });
}

async function* toAsync<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
