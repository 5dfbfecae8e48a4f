import type { ApiRequest, ApiResponse } from '../client/api-client.ts';
import type { Query } from '../client/cost.ts';
import { unwrapRecord } from '../client/record.ts';
import { ConflictError, NotFoundError, UnavailableError, undefinedFor } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { isStrongEtag } from '../values/request-headers.ts';

/**
 * The record of an answer, bare or wrapped in `data`.
 *
 * @throws UnavailableError when the answer holds none.
 */
export function readRecord(response: ApiResponse): JsonObject {
  const record = unwrapRecord(response.body());
  if (record !== undefined) return record;
  throw new UnavailableError('The service answered without a record.', {
    hint: 'See what it answers with: svc api <path>',
    details: { status: response.status, request_id: response.requestId },
  });
}

/** A record as the service has it now. */
export interface CurrentRecord {
  readonly record: JsonObject;
  /** The version for a conditional write (rule 6.8); undefined where the service gave none. */
  readonly etag: string | undefined;
  /** The service's own id of the request. */
  readonly requestId: string | undefined;
}

/**
 * One record, by its path: one request.
 *
 * @throws NotFoundError when it is not there, or the person can’t see it.
 */
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

/**
 * One record as the service has it now, not from the cache (rule 7.2). A conditional write needs that: a record may have changed since it
 * was read a minute ago.
 */
export async function recordNow(context: Needs<'client'>, path: string): Promise<CurrentRecord> {
  return recordAt(context, path, [], { headers: { 'cache-control': 'no-cache' } });
}

/** The ETag that a record has now, asked of the service. @throws UnavailableError when it gives none that a write can name. */
export async function currentEtag(context: Needs<'client'>, path: string): Promise<string> {
  return usableEtag(await recordNow(context, path));
}

/** The ETag of a record that was read just now. @throws UnavailableError when it is none that a write can name. */
export function usableEtag({ etag, requestId }: Pick<CurrentRecord, 'etag' | 'requestId'>): string {
  if (etag !== undefined && isStrongEtag(etag)) return etag;
  const what = etag === undefined ? 'no ETag' : 'only a weak ETag';
  throw new UnavailableError(`The service gave ${what} for this record, so it cannot be kept from changing.`, {
    hint: 'Leave out --if-unchanged.',
    details: { request_id: requestId },
  });
}

/** Whether a failure says that the record was changed since it was read (412). */
export function isStale(error: unknown): error is ConflictError {
  return error instanceof ConflictError && error.details.status === 412;
}

/** The same; undefined where it is not there. */
export async function recordThere(context: Needs<'client'>, path: string): Promise<CurrentRecord | undefined> {
  return recordNow(context, path).catch(undefinedFor(NotFoundError));
}

/** Whether a record no longer exists. How a deleted one shows is not documented: as missing, or with the time of its end (rule 18.31). */
export async function isGone(context: Needs<'client'>, path: string): Promise<boolean> {
  const found = await recordThere(context, path);
  return found === undefined || typeof found.record['deleted_at'] === 'string';
}
