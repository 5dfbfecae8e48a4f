import type { ApiRequest, ApiResponse } from '../client/api-client.ts';
import { bytesOf } from '../journal/journaled-client.ts';
import { parseJson } from '../values/json.ts';

/** What a command is given in place of an answer to a write that was not sent: what it would have written. */
export function answerOf(request: ApiRequest, status: number): ApiResponse {
  const bytes = () => bytesOf(request.body) ?? new Uint8Array();
  const text = () => Buffer.from(bytes()).toString();
  return {
    status,
    url: request.path,
    headers: {},
    etag: undefined,
    requestId: undefined,
    error: undefined,
    bytes,
    text,
    body: () => (text() === '' ? undefined : parseJson(text())),
  };
}
