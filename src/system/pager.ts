import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Env, Paged, Programs } from '../deps.ts';
import { splitCommandLine, startProgram } from './programs.ts';

/** Settings for pagers that the person has not configured; git uses the same. */
const DEFAULTS: Env = { LESS: 'FRX', LV: '-c' };

/** Shows text with a pager, which pulls: see {@link Programs.page}. */
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
    // A child that it left behind may hold the other side open.
    child.once('exit', () => stdin.destroy());
    try {
      return await feed(stdin, input);
    } finally {
      // Also when the input fails half way: the terminal is the pager's until the person leaves it.
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
    // It may fail when nobody looks any more.
    piece.catch(() => undefined);
    const next = await Promise.race([piece, closed]);
    if (next?.done) return 'shown';
    if (next === undefined || !(await pour(stdin, next.value))) {
      // Not waited for: a request may be under way, and nobody will see its answer.
      pieces.return?.()?.then(undefined, () => undefined);
      return 'left';
    }
  }
}

const WRITES = 1_500;

/**
 * Writes a text and resolves once the pager has taken all but a small part of it; false when the pager has ended.
 *
 * A pipe to a child is a pair of sockets here. Its buffer would take twenty screens, and nothing shows how much of that was read.
 * But each write takes up a whole block of the buffer, however short. In small pieces a few hundred writes fill it, and the next
 * has to wait for the reader.
 */
async function pour(stdin: Writable, text: string): Promise<boolean> {
  const bytes = Buffer.from(text);
  const size = Math.max(1, Math.floor(bytes.length / WRITES));
  for (let at = 0; at < bytes.length; at += size) {
    // One at a time: those that wait would go out as one.
    const failed = await new Promise((resolve) => stdin.write(bytes.subarray(at, at + size), resolve));
    if (failed != null) return false;
  }
  return true;
}
