import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Env, Paged, Programs } from '../deps.ts';
import { splitCommandLine, startProgram } from './programs.ts';

/** The settings for pagers that the user has not configured. git uses the same settings. */
const DEFAULTS: Env = { LESS: 'FRX', LV: '-c' };

/** Returns a function that shows text with a pager. The pager requests further text: see {@link Programs.page}. */
export function createPager(env: Env, platform: NodeJS.Platform): Programs['page'] {
  return async (commandLine, input, signal) => {
    const surroundings = { env: { ...DEFAULTS, ...env }, platform };
    const child = await startProgram(splitCommandLine(commandLine, platform), surroundings, ['pipe', 'inherit', 'inherit']).catch(
      () => undefined,
    );
    if (child === undefined) return 'missing';
    const stdin = child.stdin as Writable;
    const ended = once(child, 'exit');
    const end = () => child.kill('SIGTERM');
    signal.addEventListener('abort', end, { once: true });
    // A child process of the pager may keep the other end of the pipe open.
    child.once('exit', () => stdin.destroy());
    try {
      return await feed(stdin, input);
    } finally {
      // svc waits even if the input fails, because the user decides when the pager ends.
      stdin.end();
      if (signal.aborted) end();
      await ended;
      signal.removeEventListener('abort', end);
    }
  };
}

async function feed(stdin: Writable, input: AsyncIterable<string>): Promise<Paged> {
  const closed = new Promise<undefined>((resolve) => {
    stdin.on('error', () => resolve(undefined));
    stdin.on('close', () => resolve(undefined));
  });
  const pieces = input[Symbol.asyncIterator]();
  for (;;) {
    const piece = pieces.next();
    // The promise may reject after nobody waits for the piece.
    piece.catch(() => undefined);
    const next = await Promise.race([piece, closed]);
    if (next?.done) return 'shown';
    if (next === undefined || !(await pour(stdin, next.value))) {
      // svc does not wait here, because nobody will see the answer of a running request.
      pieces.return?.()?.then(undefined, () => undefined);
      return 'left';
    }
  }
}

const WRITES = 1_500;

/**
 * Writes a text, and resolves after the pager has read nearly the whole text. Returns false if the pager has ended.
 *
 * The pipe to a child process is a pair of sockets. The socket buffer could take twenty screens, and svc could not see how much the pager
 * has read. Each write takes a whole block of the buffer, even if the write is short. Some hundred small writes therefore fill the buffer,
 * and the next write waits for the pager.
 */
async function pour(stdin: Writable, text: string): Promise<boolean> {
  const bytes = Buffer.from(text);
  const size = Math.max(1, Math.floor(bytes.length / WRITES));
  for (let at = 0; at < bytes.length; at += size) {
    // svc writes one piece at a time, because Node would join waiting pieces.
    const failed = await new Promise((resolve) => stdin.write(bytes.subarray(at, at + size), resolve));
    if (failed != null) return false;
  }
  return true;
}
