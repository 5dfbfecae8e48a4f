import type { Transform } from 'node:stream';
import type { AnswerBody } from './answer-body.ts';

/**
 * Undoes a Content-Encoding (RFC 9110 §8.4): `gzip`, `deflate` and `br`. Node's zlib is loaded only when an answer is compressed.
 * The stream decodes as it is read. So a reader that stops at a size is safe from a small body that unpacks to a huge one.
 *
 * @throws UnknownEncoding when the body is encoded in a way that was not asked for.
 */
export async function decodeBody(body: AnswerBody, encoding: string | undefined): Promise<AsyncIterable<Uint8Array>> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return body;
  const decoder = await createDecoder(name);
  if (decoder === undefined) {
    await body.return();
    throw new UnknownEncoding(name);
  }
  const { pipeline } = await import('node:stream');
  // Errors of either end show on the decoder, which is what the caller reads.
  pipeline(body, decoder, () => {});
  // A pipeline does not end a source that it waits for.
  decoder.once('close', () => void body.return());
  return decoder;
}

class UnknownEncoding extends Error {
  readonly code = 'SVC_ENCODING';

  constructor(name: string) {
    super(`Content-Encoding "${name.slice(0, 40)}"`);
  }
}

async function createDecoder(name: string): Promise<Transform | undefined> {
  const zlib = await import('node:zlib');
  if (name === 'gzip' || name === 'x-gzip') return zlib.createGunzip();
  if (name === 'deflate') return zlib.createInflate();
  if (name === 'br') return zlib.createBrotliDecompress();
  return undefined;
}
