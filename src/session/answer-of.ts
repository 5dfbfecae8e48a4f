import type { ApiRequest, ApiResponse } from '../client/api-client.ts';
import { bytesOf } from '../journal/journaled-client.ts';
import { parseJson } from '../values/json.ts';

/** The answer that a command gets for a write that svc did not send: the body of the write. */
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
