import type { MiddlewareHandler } from 'hono';
import type { SandboxContext, SandboxEnv } from './context.ts';

/** The largest body that is read: a file that is uploaded. In bytes. */
const LARGEST = 32 * 1024 * 1024;

/** Refuses what is larger, before it is in memory; of a body that names no length, as soon as it is too long. */
export function boundedBody(): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    if (Number(c.req.header('content-length') ?? 0) > LARGEST) return refused(c);
    if (c.req.header('transfer-encoding') !== undefined) {
      const bytes = await readBytes(c);
      if (bytes === undefined) return refused(c);
      // Hono's readers of the body look for it here: as a promise, although its type says otherwise.
      c.req.bodyCache.arrayBuffer = Promise.resolve(bytes) as never;
    }
    return next();
  };
}

/** The body; undefined when it is too long. */
async function readBytes(c: SandboxContext): Promise<ArrayBuffer | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of c.req.raw.body ?? []) {
    size += piece.length;
    if (size > LARGEST) return undefined;
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces)).buffer;
}

/** The rest is neither awaited nor read: Node would continue to take it in, for as long as somebody sends. */
function refused(c: SandboxContext): Response {
  const { incoming, outgoing } = c.env;
  outgoing.once('finish', () => incoming.socket.destroySoon());
  return c.text('This is more than the sandbox takes.\n', 413, { Connection: 'close' });
}
