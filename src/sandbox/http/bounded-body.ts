import type { MiddlewareHandler } from 'hono';
import type { SandboxContext, SandboxEnv } from './context.ts';

/** The largest body that is read: a file that is uploaded. In bytes. */
const LARGEST = 32 * 1024 * 1024;

/** Refuses what is larger, before it is in memory; of a body that names no length, as soon as it is too long. */
export function boundedBody(): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    if (Number(c.req.header('content-length') ?? 0) > LARGEST) return refused(c);
    if (c.req.header('transfer-encoding') !== undefined) {
      const text = await readText(c);
      if (text === undefined) return refused(c);
      // Where whoever asks for the body finds it.
      c.req.bodyCache.text = text;
    }
    return next();
  };
}

/** The body; undefined when it is too long. */
async function readText(c: SandboxContext): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of c.req.raw.body ?? []) {
    size += piece.length;
    if (size > LARGEST) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** The rest of it is not waited for. */
function refused(c: SandboxContext): Response {
  return c.text('This is more than the sandbox takes.\n', 413, { Connection: 'close' });
}
