import { shellCommand } from '../../cli/shell-word.ts';
import { ConflictError } from '../../errors.ts';
import { readRecord } from '../../records/read-record.ts';
import { recordNow } from '../../records/record-at.ts';
import { sendEntry } from '../../records/send-entry.ts';
import { sendWrite } from '../../records/send-write.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { type Printing, viewOf } from '../../session/print.ts';
import type { ShowingProgress } from '../../session/progress.ts';
import { isStrongEtag } from '../../values/etag.ts';
import type { JsonObject } from '../../values/json.ts';
import { asHolding, correctionOf, isSame, recordPath, shownValue } from './corrections.ts';
import type { ImportPlace } from './place.ts';
import { runBulk } from './run-bulk.ts';
import { failedRowsText, type Source } from './source.ts';
import type { ImportStanding, RowToCorrect, RowToCreate } from './standing.ts';

export type Sending = Printing | ShowingProgress | Asking | 'account' | 'argv' | 'client' | 'files' | 'journal' | 'plan' | 'settleWrites';

/** The file that is imported. */
export interface ImportFile {
  /** Its path; `-` is standard input. */
  readonly file: string;
  readonly format: Source['format'];
}

/** Creates what is new, corrects what `corrections` has, in the file's order, and prints the records. */
export async function sendRows(
  context: Needs<Sending>,
  place: ImportPlace,
  { file, format }: ImportFile,
  { creates, known }: ImportStanding,
  corrections: readonly RowToCorrect[],
): Promise<void> {
  const items = [...creates, ...corrections].sort((one, other) => one.row.line - other.row.line);
  const words = [...(creates.length > 0 || corrections.length === 0 ? ['created'] : []), ...(corrections.length > 0 ? ['corrected'] : [])];
  await runBulk(context, {
    items,
    all: items.length + known,
    labelOf: ({ row }) => `line ${row.line}`,
    oneByOne: place.resource.reorderable,
    send: (item) => ('as' in item ? correct(context, place, item) : create(context, place, item)),
    view: viewOf(place.resource),
    done: context.plan === undefined ? words.join(' or ') : 'planned',
    again: shellCommand(context.argv),
    async keepFailed(failed) {
      const target = `${file === '-' ? 'stdin' : file}.failed.${format === 'csv' ? 'csv' : 'ndjson'}`;
      const rows = failed.map(({ item: { row }, error }) => ({ values: row.values, error: error.message }));
      await context.files.writeAtomic(target, failedRowsText(rows, format));
      return `Mend ${target} and import that.`;
    },
  });
}

async function create(
  context: Needs<Asking | 'account' | 'client' | 'journal' | 'notice' | 'plan'>,
  { path }: ImportPlace,
  { row, key, note, earlier }: RowToCreate,
): Promise<JsonObject> {
  if (earlier !== undefined && context.plan === undefined) return readRecord(await sendEntry(context, earlier));
  return readRecord(await sendWrite(context, { method: 'POST', path, body: row.body, idempotencyKey: key, note: { row: note } }));
}

/**
 * Writes to the record what the file says by now, unless somebody else wrote something third there meanwhile.
 *
 * @throws ConflictError that says what it holds, where somebody did.
 */
async function correct(
  context: Needs<'client' | 'journal' | 'plan'>,
  place: ImportPlace,
  { as, fields, holding, note }: RowToCorrect,
): Promise<JsonObject> {
  if (as.recordId === undefined) {
    throw new ConflictError('An earlier form of it was created, and nobody here knows under which id.', {
      hint: 'Find that record, and correct it by hand.',
    });
  }
  const path = recordPath(place, as.recordId);
  const { record, etag } = await recordNow(context, path);
  const third = Object.keys(fields).filter((name) => {
    const [now, before] = [record[name], holding?.fields[name]];
    return now !== undefined && before !== undefined && !isSame(now, before) && !isSame(now, fields[name] ?? null);
  });
  if (third.length > 0) {
    const what = third.map((name) => `${name} ${shownValue(record[name] ?? null)} there, ${shownValue(fields[name] ?? null)} in the file`);
    throw new ConflictError(`Somebody changed record ${as.recordId} meanwhile: ${what.join(', ')}.`, {
      hint: 'Change it by hand, or the file.',
    });
  }
  const body = correctionOf(fields, asHolding(record));
  if (Object.keys(body).length === 0) {
    await (await context.journal()).adoptRows(place.path, [{ ...note, recordId: as.recordId }]);
    return record;
  }
  const before = Object.fromEntries(Object.keys(body).map((name) => [name, record[name] ?? null]));
  const ifMatch = etag !== undefined && isStrongEtag(etag) ? etag : undefined;
  const response = await sendWrite(context, {
    method: 'PATCH',
    path,
    body,
    ifMatch,
    note: { row: note, collection: place.path, before },
  });
  return readRecord(response);
}
