import type { ApiResponse } from '../client/api-client.ts';
import { unwrapRecord } from '../client/record.ts';
import { UnavailableError } from '../errors.ts';
import type { JsonObject } from '../values/json.ts';

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
