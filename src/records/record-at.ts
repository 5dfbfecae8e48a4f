import type { Query } from '../client/cost.ts';
import { ConflictError, NotFoundError, UnavailableError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { isStrongEtag } from '../values/etag.ts';
import type { JsonObject } from '../values/json.ts';
import { readRecord } from './read-record.ts';

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
 * @param how `cost`: its rate-limit units, default calculated from the query. `assumed`: as `ApiRequest.assumed`.
 * @throws NotFoundError when it is not there, or the person can’t see it.
 */
export async function recordAt(
  context: Needs<'client'>,
  path: string,
  query: Query = [],
  how: { readonly cost?: number; readonly assumed?: readonly string[] } = {},
): Promise<CurrentRecord> {
  const client = await context.client();
  const response = await client.send({ method: 'GET', path, query, ...how });
  return { record: readRecord(response), etag: response.etag, requestId: response.requestId };
}

/** Whether there is a record at a path. */
export async function isThere(context: Needs<'client'>, path: string): Promise<boolean> {
  const client = await context.client();
  try {
    await client.send({ method: 'GET', path });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/**
 * Keeps cached answers (rule 7.2) away from a write that depends on them. With it the service itself answers: a record may have
 * changed since it was read a minute ago.
 */
const FROM_THE_SERVICE = { 'cache-control': 'no-cache' };

/** One record as the service has it now, not from the cache: a conditional write needs that. */
export async function recordNow(context: Needs<'client'>, path: string): Promise<CurrentRecord> {
  const client = await context.client();
  const response = await client.send({ method: 'GET', path, headers: FROM_THE_SERVICE });
  return { record: readRecord(response), etag: response.etag, requestId: response.requestId };
}

/** The ETag that a record has now, asked of the service. @throws UnavailableError when it gives none that a write can name. */
export async function currentEtag(context: Needs<'client'>, path: string): Promise<string> {
  const client = await context.client();
  const { etag, requestId } = await client.send({ method: 'GET', path, headers: FROM_THE_SERVICE });
  return usableEtag({ etag, requestId });
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
  try {
    return await recordNow(context, path);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Whether a record no longer exists. How a deleted one shows is not documented: as missing, or with the time of its end (rule 18.31). */
export async function isGone(context: Needs<'client'>, path: string): Promise<boolean> {
  const found = await recordThere(context, path);
  return found === undefined || typeof found.record['deleted_at'] === 'string';
}
