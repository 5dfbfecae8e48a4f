import { shellCommand } from '../../cli/shell-word.ts';
import { ConflictError } from '../../errors.ts';
import { readRecord, recordNow } from '../../records/record-at.ts';
import { sendEntry } from '../../records/send-entry.ts';
import { sendWrite } from '../../records/send-write.ts';
import type { Asking, Context, Needs } from '../../session/context.ts';
import { viewOf } from '../../session/print.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { isStrongEtag } from '../../values/request-headers.ts';
import type { FileComparison, RowToCorrect, RowToCreate } from './compare-file.ts';
import { fieldsToCorrect, type ImportTarget, isSameValue, recordPath, valueText } from './row-records.ts';
import { runBulk } from './run-bulk.ts';
import { failedRowsText, type Source } from './source.ts';

export async function sendRows(
  context: Context,
  target: ImportTarget,
  { file, format }: { readonly file: string; readonly format: Source['format'] },
  { creates, known, recordIds }: FileComparison,
  corrections: readonly RowToCorrect[],
): Promise<void> {
  const items = [...creates, ...corrections].sort((one, other) => one.row.line - other.row.line);
  const taken = new Set(recordIds);
  const words = [...(creates.length > 0 || corrections.length === 0 ? ['created'] : []), ...(corrections.length > 0 ? ['corrected'] : [])];
  await runBulk(context, {
    items,
    all: items.length + known,
    labelOf: ({ row }) => `line ${row.line}`,
    oneByOne: target.resource.reorderable,
    send: (item) => ('as' in item ? correct(context, target, item) : create(context, target, item, taken)),
    view: viewOf(target.resource),
    done: context.plan === undefined ? words.join(' or ') : 'planned',
    again: shellCommand(context.argv),
    async saveFailed(failed) {
      const path = `${file === '-' ? 'stdin' : file}.failed.${format === 'csv' ? 'csv' : 'ndjson'}`;
      const rows = failed.map(({ item: { row }, error }) => ({ values: row.values, error: error.message }));
      await context.files.writeAtomic(path, failedRowsText(rows, format));
      return `Fix the rows in ${path}, then import that file.`;
    },
  });
}

/**
 * Creates the record of a row. The service can answer with the record of an equal row, because that row was sent under the same key. svc
 * then sends the row again under a further key.
 *
 * @param taken the ids of the records that rows of the file have. `create` adds the id of the new record.
 * @throws ConflictError if the service answers both requests with the record of another row.
 */
async function create(
  context: Needs<Asking | 'account' | 'client' | 'journal' | 'notice' | 'plan' | 'seen'>,
  { path }: ImportTarget,
  { row, key, note, earlier }: RowToCreate,
  taken: Set<string>,
): Promise<JsonObject> {
  const send = (idempotencyKey: string) =>
    sendWrite(context, { method: 'POST', path, body: row.body, idempotencyKey, note: { row: note } });
  if (context.plan !== undefined) return readRecord(await send(key));
  const first = readRecord(await (earlier === undefined ? send(key) : sendEntry(context, earlier)));
  const idOf = (record: JsonObject) => scalarText(record['id'] ?? null);
  const record = taken.has(idOf(first)) ? readRecord(await send(`${key}-again`)) : first;
  const id = idOf(record);
  if (taken.has(id)) {
    throw new ConflictError(`The service answered with record ${id}, which belongs to another row.`, {
      hint: 'Compare the file with the service: run the same command with --check-existing.',
    });
  }
  // A record without an id cannot be the record of another row.
  if (id !== '') taken.add(id);
  return record;
}

/**
 * Corrects the record of a row.
 *
 * @throws ConflictError if somebody else has changed the record since svc logged the row. ConflictError if svc does not know the id of the
 * record.
 */
async function correct(
  context: Needs<'client' | 'journal' | 'plan'>,
  target: ImportTarget,
  { as, fields, known, note }: RowToCorrect,
): Promise<JsonObject> {
  if (as.recordId === undefined) {
    throw new ConflictError('svc created a record from an earlier version of the row, and does not know the id of that record.', {
      hint: 'Find that record, then correct the record with svc.',
    });
  }
  const path = recordPath(target, as.recordId);
  const { record, etag } = await recordNow(context, path);
  const foreign = Object.keys(fields).filter((name) => {
    const [now, before] = [record[name], known?.fields[name]];
    return now !== undefined && before !== undefined && !isSameValue(now, before) && !isSameValue(now, fields[name]);
  });
  if (foreign.length > 0) {
    const what = foreign.map((name) => `${name} ${valueText(record[name])} in the service, ${valueText(fields[name])} in the file`);
    throw new ConflictError(`Somebody else changed record ${as.recordId}: ${what.join(', ')}.`, {
      hint: 'Change the record or the file.',
    });
  }
  const body = fieldsToCorrect(fields, { fields: record });
  if (Object.keys(body).length === 0) {
    await (await context.journal()).adoptRows(target.path, [{ ...note, recordId: as.recordId }]);
    return record;
  }
  const before = Object.fromEntries(Object.keys(body).map((name) => [name, record[name] ?? null]));
  const ifMatch = etag !== undefined && isStrongEtag(etag) ? etag : undefined;
  const options = { body, ifMatch, note: { row: note, collection: target.path, before } };
  return readRecord(await sendWrite(context, { method: 'PATCH', path, ...options }));
}
