import { shellCommand } from '../cli/shell-word.ts';
import type { ApiRequest, ApiResponse } from '../client/api-client.ts';
import type { Query } from '../client/cost.ts';
import { unwrapRecord } from '../client/record.ts';
import { ConflictError, NotFoundError, SvcError, UnavailableError, UsageError, undefinedFor, withMore } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { digestOf } from '../session/seen-records.ts';
import type { JsonObject } from '../values/json.ts';
import { isStrongEtag } from '../values/request-headers.ts';

/** Returns the record of an answer, at the top level or in `data`. @throws UnavailableError if the answer has no record. */
export function readRecord(response: ApiResponse): JsonObject {
  const record = unwrapRecord(response.body());
  if (record !== undefined) return record;
  throw new UnavailableError('The service answered without a record.', {
    hint: 'To see the answer, request the path of this record with svc api.',
    details: { status: response.status, request_id: response.requestId },
  });
}

export interface CurrentRecord {
  readonly record: JsonObject;
  /** The ETag of the record, for a conditional write (rule 6.8). Undefined if the service sent no ETag. */
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
}

export async function recordAt(
  context: Needs<'client'>,
  path: string,
  query: Query = [],
  how: Pick<ApiRequest, 'assumed' | 'cost' | 'headers'> = {},
): Promise<CurrentRecord> {
  const client = await context.client();
  const response = await client.send({ method: 'GET', path, query, ...how });
  return { record: readRecord(response), etag: response.etag, requestId: response.requestId };
}

/** Reads a record without the cache (rule 7.2), because the record may have changed within the last minute. */
export async function recordNow(context: Needs<'client'>, path: string): Promise<CurrentRecord> {
  return recordAt(context, path, [], { headers: { 'cache-control': 'no-cache' } });
}

/**
 * Reads one record to print. svc remembers the record’s ETag for `--if-unchanged`, except for a summary, with `--max-age`, or from the
 * local database.
 */
export async function recordToSee(
  context: Needs<'client' | 'globals' | 'isOffline' | 'seen'>,
  path: string,
  query: Query,
  how: Pick<ApiRequest, 'assumed' | 'cost'>,
): Promise<CurrentRecord> {
  const found = await recordAt(context, path, query, how);
  if (await readsService(context, query))
    context.seen.see({ path, ...found, included: query.flatMap(([name, value]) => (name === 'include' ? value.split(',') : [])) });
  return found;
}

export async function readsService({ globals, isOffline }: Needs<'globals' | 'isOffline'>, query: Query): Promise<boolean> {
  return !query.some(([name, value]) => name === 'view' && value === 'summary') && globals.maxAge === undefined && !(await isOffline());
}

/**
 * Returns the ETag of the record that the user last saw. For a record from a list, svc knows only the digest, and reads the record.
 * @param read words after `svc` that read the record.
 * @throws UsageError if svc did not print the record within the last day; ConflictError if the record differs; UnavailableError if the
 * service sends no strong ETag.
 */
export async function seenEtag(context: Needs<'client' | 'seen'>, path: string, read: readonly string[]): Promise<string> {
  const seen = await context.seen.find(path);
  if (seen === undefined)
    throw new UsageError('svc does not know how you last saw this record, so svc cannot detect a change.', {
      hint: `svc remembers a record for a day after you read it: ${shellCommand(read)}`,
    });
  if (isStrongEtag(seen)) return seen;
  const found = await recordNow(context, path);
  if (seen === digestOf(found.record)) return usableEtag(found);
  throw new ConflictError('Somebody changed the record since you saw the record, so svc changed nothing.', {
    hint: `Read the record again: ${shellCommand(read)}`,
    details: { etag: found.etag },
  });
}

/** Adds the current ETag of a record to the failure of a conditional write. Returns every other failure unchanged. */
export async function withEtag(context: Needs<'client'>, error: unknown, path: string): Promise<unknown> {
  if (!isStale(error)) return error;
  const found = await recordNow(context, path).catch(undefinedFor(SvcError));
  return found?.etag === undefined ? error : withMore(error, { etag: found.etag });
}

export function usableEtag({ etag, requestId }: Pick<CurrentRecord, 'etag' | 'requestId'>, hint = 'Leave out --if-unchanged.'): string {
  if (etag !== undefined && isStrongEtag(etag)) return etag;
  const what = etag === undefined ? 'no ETag' : 'only a weak ETag';
  throw new UnavailableError(`The service sent ${what} for this record, so svc cannot detect a change by somebody else.`, {
    hint,
    details: { request_id: requestId },
  });
}

/** Returns true if a failure reports a changed record (412). */
export function isStale(error: unknown): error is ConflictError {
  return error instanceof ConflictError && error.details.status === 412;
}

export async function recordThere(context: Needs<'client'>, path: string): Promise<CurrentRecord | undefined> {
  return recordNow(context, path).catch(undefinedFor(NotFoundError));
}

/**
 * Returns true if a record no longer exists. The form of a deleted record is not documented (rule 18.31). The record may be absent, or have
 * a deletion time.
 */
export async function isDeleted(context: Needs<'client'>, path: string): Promise<boolean> {
  const found = await recordThere(context, path);
  return found === undefined || typeof found.record['deleted_at'] === 'string';
}
