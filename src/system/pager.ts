import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Env, Paged, Programs } from '../deps.ts';
import { splitCommandLine, startProgram } from './programs.ts';

/** What pagers are told where the person has not: as git tells them. */
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

/** Writes all of `input`, or as much as the pager takes: leaving it early is no failure. */
async function feed(stdin: Writable, input: AsyncIterable<string>): Promise<Paged> {
  const gone = new Promise<undefined>((resolve) => {
    stdin.on('error', () => resolve(undefined));
    stdin.on('close', () => resolve(undefined));
  });
  const pieces = input[Symbol.asyncIterator]();
  for (;;) {
    const piece = pieces.next();
    // It may fail when nobody looks any more.
    piece.catch(() => undefined);
    const next = await Promise.race([piece, gone]);
    if (next?.done) return 'shown';
    if (next === undefined || !(await pour(stdin, next.value))) {
      // Not waited for: a request may be under way, of which nobody will see the answer.
      pieces.return?.()?.then(undefined, () => undefined);
      return 'left';
    }
  }
}

/** A text goes out in so many writes. */
const WRITES = 1_500;

/**
 * Writes a text and resolves once the pager has taken all but a small part of it; false when the pager is gone.
 *
 * A pipe to a child is a pair of sockets here, whose buffer would hold twenty screens, and nobody tells how much of that is read. But each
 * write takes up a whole block of it, however short: in small pieces a few hundred fill it, and the next has to wait for the reader.
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
