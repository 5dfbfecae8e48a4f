import type { Deps } from '../deps.ts';
import { UsageError } from '../errors.ts';
import { isToken } from '../values/request-headers.ts';
import type { Asking, Needs } from './context.ts';

export function createArgumentReader({
  files,
  stdio,
}: Pick<Deps, 'files' | 'stdio'>): Needs<'readBytesArgument' | 'readFileArgument' | 'readStdin'> {
  const stdin = () => collect(stdio.stdin as AsyncIterable<Uint8Array>);
  const readStdin = async () => (await stdin()).toString('utf8');
  return {
    readStdin,
    async readFileArgument(path) {
      if (path === '-') return readStdin();
      const text = await files.readText(path).catch((error: unknown) => {
        throw unreadable(path, error);
      });
      if (text === undefined) throw unreadable(path);
      return text;
    },
    async readBytesArgument(path) {
      if (path === '-') return stdin();
      return collect(files.read(path)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? unreadable(path) : unreadable(path, error);
      });
    },
  };
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const piece of pieces) chunks.push(Buffer.from(piece));
  return Buffer.concat(chunks);
}

function unreadable(path: string, error?: unknown): UsageError {
  if (error === undefined) return new UsageError(`There is no file ${path}.`, { hint: 'Check the path; - reads standard input.' });
  return new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, { hint: 'Check the path.' });
}

/** Reads a secret from a hidden prompt or stdin, because other users could see an argument. @throws UsageError */
export async function readSecret(context: Needs<Asking | 'readStdin' | 'stdio'>, question: string, command: string): Promise<string> {
  const hint = `Send the token to standard input, for example: ${command} < token.txt`;
  if (!context.interactive && context.stdio.stdin.isTTY === true)
    throw new UsageError('The token is missing, and svc cannot ask here.', { hint });
  const typed = context.interactive ? await context.prompts.secret(question, context.signal) : await context.readStdin();
  const token = typed.trim();
  if (token === '') throw new UsageError('You gave no token.', { hint });
  if (!isToken(token))
    throw new UsageError('The input is not a token: it has spaces or characters that no token has.', {
      hint: 'Copy the whole token again, and nothing else.',
    });
  return token;
}
