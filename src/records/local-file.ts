import { createHash, randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { ByteSource } from '../deps.ts';
import { SvcError, UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { mediaTypeOf } from '../transfer/media-type.ts';
import type { UploadFacts } from '../transfer/plan-upload.ts';

export interface LocalFile extends UploadFacts {
  /** The path that the user typed, or `-`. */
  readonly typed: string;
  readonly source: ByteSource;
  /** Removes the stored file of standard input. Leaves any other file unchanged. */
  close(): Promise<void>;
}

/**
 * Opens a file to upload. svc reads the file once for its digest, and again while sending. svc stores standard input in a file first.
 * @throws UsageError for a file that svc can’t read, and for standard input without a name.
 */
export async function openLocalFile(
  context: Needs<'files' | 'paths' | 'signal' | 'stdio'>,
  typed: string,
  { name, mediaType }: { readonly name?: string | undefined; readonly mediaType?: string | undefined },
): Promise<LocalFile> {
  const { files } = context;
  const isInput = typed === '-';
  if (isInput && name === undefined) throw new UsageError('Standard input has no name.', { hint: 'Add a name: --name notes.txt' });
  const path = isInput ? `${context.paths.state}/uploads/${randomUUID()}.input` : typed;
  const close = async () => void (isInput && (await files.remove(path)));
  try {
    if (isInput) await files.writePieces(path, context.stdio.stdin as AsyncIterable<Uint8Array>, 0);
    const found = await files.stat(path).catch((error: unknown) => {
      throw unreadable(typed, error);
    });
    if (found === undefined) throw new UsageError(`There is no file ${typed}.`, { hint: 'Check the path; - reads standard input.' });
    if (!found.isFile)
      throw new UsageError(`${typed} is not a file.`, { hint: 'Name a file. To send a directory, send an archive of the directory.' });
    const { size, sha256 } = await digestOf(context, typed, path);
    const called = name ?? basename(path);
    const source: ByteSource = { size, open: () => sameBytes(context, typed, path, size) };
    return { typed, name: called, mediaType: mediaType ?? mediaTypeOf(called), size, sha256, source, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function digestOf(
  { files, signal }: Needs<'files' | 'signal'>,
  typed: string,
  path: string,
): Promise<{ readonly size: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of files.read(path)) {
      signal.throwIfAborted();
      hash.update(piece);
      size += piece.byteLength;
    }
  } catch (error) {
    throw unreadable(typed, error);
  }
  return { size, sha256: hash.digest('hex') };
}

/** Yields the bytes of the file, at most `size` bytes. @throws UsageError if the file has another size, or if svc can’t read the file. */
async function* sameBytes({ files }: Needs<'files'>, typed: string, path: string, size: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  const pieces = files.read(path)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await pieces.next().catch((error: unknown) => {
        throw unreadable(typed, error);
      });
      read += next.done ? 0 : next.value.byteLength;
      if (read > size || (next.done && read < size))
        throw new UsageError(`${typed} changed while svc sent it.`, { hint: 'Send the file again when no program writes to the file.' });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
}

function unreadable(typed: string, error: unknown): unknown {
  if (error instanceof SvcError || !(error instanceof Error)) return error;
  return new UsageError(`${typed} cannot be read: ${error.message}`, {
    hint: 'Check the path, and your permission to read the file.',
    cause: error,
  });
}
