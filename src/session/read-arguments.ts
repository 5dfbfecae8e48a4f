import type { Deps } from '../deps.ts';
import { UsageError } from '../errors.ts';
import type { Needs } from './context.ts';

/** Reads the files that arguments name, `-` being stdin. */
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

/** The error for a file that is missing, or that cannot be read for the reason in `error`. */
function unreadable(path: string, error?: unknown): UsageError {
  if (error === undefined) return new UsageError(`There is no file ${path}.`, { hint: 'Check the path; - reads standard input.' });
  return new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, { hint: 'Check the path.' });
}
