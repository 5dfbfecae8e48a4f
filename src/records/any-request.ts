import type { ApiRequest, ApiResponse } from '../client/api-client.ts';
import type { NetworkResponse } from '../deps.ts';
import { NetworkError, UnavailableError } from '../errors.ts';
import type { Needs } from '../session/context.ts';

/**
 * Sends a request to any path of the API. Returns every answer, including an error answer.
 * @param write receives the bytes of a successful answer that is not JSON. The returned response then has no bytes.
 */
export async function sendAny(
  context: Needs<'client'>,
  request: ApiRequest,
  write?: (piece: Uint8Array) => Promise<void>,
): Promise<ApiResponse> {
  const client = await context.client();
  const headers = request.method === 'GET' ? { accept: ANYTHING, ...request.headers } : (request.headers ?? {});
  const receive = write === undefined ? {} : { receive: (response: NetworkResponse) => passOn(response, write) };
  return client.send({ ...request, ...receive, headers, transfer: true, keepProblem: true, asTyped: true });
}

const ANYTHING = 'application/json, application/problem+json, */*;q=0.1';

async function passOn({ headers, body }: NetworkResponse, write: (piece: Uint8Array) => Promise<void>): Promise<boolean> {
  if (/\bjson\b/i.test(headers['content-type'] ?? 'json')) return false;
  try {
    for await (const piece of body) await write(piece);
    return true;
  } catch (error) {
    // svc can’t undo the written part, so svc does not try again.
    if (!(error instanceof NetworkError)) throw error;
    throw new UnavailableError(error.message, {
      hint: 'svc printed only a part of the answer, so discard that part. If the request only reads, run the same command again.',
      details: error.details,
      cause: error,
    });
  }
}
