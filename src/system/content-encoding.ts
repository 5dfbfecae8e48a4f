import type { Transform } from 'node:stream';
import type { AnswerBody } from './answer-body.ts';

/**
 * Decodes `gzip`, `deflate` and `br` (RFC 9110 §8.4) while the caller reads the answer. A small body can unpack to a huge body.
 * @throws UnknownEncoding for any other encoding.
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
  // The caller reads the decoder, so errors of both ends appear at the decoder.
  pipeline(body, decoder, () => {});
  // A pipeline that waits for its source does not end the source.
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
