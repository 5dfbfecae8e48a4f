import type { NetworkResponse } from '../deps.ts';
import { NetworkError } from '../errors.ts';

/** The most svc holds of one answer; a page of 100 records is far below. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * All bytes of an answer's body.
 *
 * @throws NetworkError `too-large` beyond `maxBytes`, `truncated` when the body is cut off.
 */
export async function readBody(response: NetworkResponse, request: string, maxBytes: number = MAX_BODY_BYTES): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body) {
    size += piece.byteLength;
    if (size > maxBytes) {
      throw new NetworkError(`The answer is larger than the ${Math.floor(maxBytes / 1024 / 1024)} MiB that svc reads.`, {
        kind: 'too-large',
        ran: 'maybe',
        hint: 'Ask for less at a time, for example with --per-page.',
        details: { request },
      });
    }
    pieces.push(piece);
  }
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, size);
}
