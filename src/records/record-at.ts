import type { Query } from '../client/cost.ts';
import { ConflictError, NotFoundError, UnavailableError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { readRecord } from './read-record.ts';

/** A record as the service has it now. */
export interface Found {
  readonly record: JsonObject;
  /** What a conditional write names (rule 6.8); undefined where the service gave none. */
  readonly etag: string | undefined;
  /** The service's own id of the request. */
  readonly requestId: string | undefined;
}

/** One record, by its path: one request. `cost`: its units, where the query does not tell. @throws NotFoundError when it is not there, or may not be seen. */
export async function recordAt(context: Needs<'client'>, path: string, query: Query = [], cost?: number): Promise<Found> {
  const client = await context.client();
  const response = await client.send({ method: 'GET', path, query, ...(cost !== undefined && { cost }) });
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

/** The ETag that a record has now. @throws UnavailableError when the service gives none. */
export async function currentEtag(context: Needs<'client'>, path: string): Promise<string> {
  const client = await context.client();
  const { etag, requestId } = await client.send({ method: 'GET', path });
  if (etag !== undefined) return etag;
  throw new UnavailableError('The service gave no ETag for this record, so it cannot be kept from changing.', {
    hint: 'Leave out --if-unchanged.',
    details: { request_id: requestId },
  });
}

/** Whether a failure says that the record changed meanwhile (412). */
export function isStale(error: unknown): error is ConflictError {
  return error instanceof ConflictError && error.details.status === 412;
}
