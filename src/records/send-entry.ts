import type { ApiResponse } from '../client/api-client.ts';
import { ConflictError, withMore } from '../errors.ts';
import type { JournalEntry, UnconfirmedWrite } from '../journal/entry.ts';
import { ifUsable } from '../journal/journal-error.ts';
import { bytesOf, journalPath, resendRequest } from '../journal/journaled-client.ts';
import { requestDigest } from '../journal/request-digest.ts';
import { planUndo, type UndoRequest } from '../journal/undo-plan.ts';
import { allowsValues, writtenBody } from '../journal/written-values.ts';
import type { Asking, Needs } from '../session/context.ts';
import { resolveLapsed, resolveLostChange } from '../session/unconfirmed-write.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
import { isStrongEtag } from '../values/request-headers.ts';
import { isStale, readRecord, recordNow } from './record-at.ts';
import type { WriteRequest } from './send-write.ts';

/**
 * Sends a journal entry again, with the same bytes and the same key.
 * svc first searches for the record if the key may have expired, or reads the record that an update changes.
 * @throws ConflictError if the entry is resolved, or if another svc process is sending the entry.
 * @throws ConflictError if the record of an update has changed since the first attempt.
 * @throws ConflictError without a terminal, if the key of an unconfirmed create may have expired; DeclinedError if the user declines.
 */
export async function sendEntry(
  context: Needs<Asking | 'account' | 'client' | 'journal' | 'notice' | 'seen'>,
  unconfirmed: UnconfirmedWrite,
): Promise<ApiResponse> {
  const client = await context.client();
  const { entry } = unconfirmed;
  if (entry.outcome === 'unknown' && entry.method === 'PATCH') {
    const found = await resolveLostChange(context, client, unconfirmed);
    if (found !== undefined) return found;
  }
  if (unconfirmed.lapsed && entry.method === 'POST') {
    const found = await resolveLapsed(context, client, unconfirmed);
    if (found !== undefined) return found;
  }
  return client.send(resendRequest(entry));
}

/**
 * Undoes a write: deletes a created record, or restores the earlier values of a changed record.
 *
 * @throws ConflictError if the record has changed since the write. The error names the fields that differ from the written values.
 */
export async function undoWrite(context: Needs<'client'>, request: UndoRequest): Promise<JsonObject> {
  const { entry, method, path, body, before } = request;
  const item = path.replace(/\/actions\/[^/]+$/, '');
  const ifMatch = request.ifMatch ?? (await etagIfAsWritten(context, item, request));
  try {
    const client = await context.client();
    const response = await client.send({
      method,
      path,
      ...(body !== undefined && { body: { json: body } }),
      ...(ifMatch !== undefined && { ifMatch }),
      note: { undoes: entry.number, ...(before !== undefined && { before }) },
    });
    return method === 'DELETE' ? { id: entry.recordId ?? null, deleted: true } : readRecord(response);
  } catch (error) {
    throw isStale(error) ? touched(request, error, differences((await recordNow(context, item)).record, entry)) : error;
  }
}

function touched({ entry, later }: UndoRequest, error: ConflictError | undefined, lines: readonly string[]): ConflictError {
  const who = later === undefined ? 'Somebody' : `Your entry ${later.number}`;
  const message = `${who} changed the record of entry ${entry.number} after your write, so svc left the record unchanged.`;
  const hint =
    later !== undefined && planUndo(later, () => false).kind === 'request'
      ? `To undo that entry first: svc undo ${later.number}`
      : lines.length === 0
        ? 'Fields that your write did not set have changed. Check the record.'
        : 'Check the differences, and change the record yourself.';
  const conflict = new ConflictError(message, { hint, cause: error, details: error?.details });
  return withMore(conflict, { lines });
}

async function etagIfAsWritten(context: Needs<'client'>, path: string, request: UndoRequest): Promise<string | undefined> {
  const { record, etag } = await recordNow(context, path);
  const lines = differences(record, request.entry);
  if (lines.length > 0) throw touched(request, undefined, lines);
  return etag !== undefined && isStrongEtag(etag) ? etag : undefined;
}

function differences(record: JsonObject, entry: JournalEntry): string[] {
  return Object.entries(writtenBody(entry) ?? {}).flatMap(([name, value]) =>
    allowsValues(record, { [name]: value }) ? [] : [`${name}: you wrote ${shown(value)}, the value is now ${shown(record[name] ?? null)}`],
  );
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/**
 * Returns true if the same write is unconfirmed. The caller then ignores an existing record, because that record can be the result of the
 * write. False without a journal.
 */
export async function isUnconfirmed(context: Needs<'journal'>, { method, path, query = [], body }: WriteRequest): Promise<boolean> {
  const request = { method, path, query, ...(body !== undefined && { body: { json: body } }) };
  const digest = requestDigest(method, journalPath(request), bytesOf(request.body));
  return (await ifUsable(context.journal().then((journal) => journal.unconfirmed(digest)))) !== undefined;
}
