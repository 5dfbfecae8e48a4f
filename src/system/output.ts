import { fstatSync, writeSync } from 'node:fs';
import { type Output, OutputClosed } from '../deps.ts';

/** The smallest pipe buffer of any system, in bytes. A write of this size never blocks for long. */
const PIPE_BYTES = 8 * 1024;

/**
 * Opens stdout or stderr. Node’s own stream costs more time than all other work for a short answer. svc therefore creates the stream only
 * for a terminal, and for more text than fits a pipe. A blocked write would ignore Ctrl-C.
 */
export function openOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream): Output {
  let output: Output | undefined;
  const stream = () => {
    output ??= createOutput(open());
    return output;
  };
  const kind = kindOf(descriptor);
  let room = kind === 'file' ? Number.POSITIVE_INFINITY : kind === 'pipe' ? PIPE_BYTES : 0;
  return {
    get isTTY() {
      return kind === 'device' && stream().isTTY;
    },
    get columns() {
      return kind === 'device' ? stream().columns : undefined;
    },
    get rows() {
      return kind === 'device' ? stream().rows : undefined;
    },
    async write(text) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      // After the stream has received data, all data goes through the stream to keep its order.
      if (output !== undefined || bytes.length > room) return stream().write(bytes);
      room -= bytes.length;
      const written = writeNow(descriptor, bytes);
      if (written < bytes.length) await stream().write(bytes.subarray(written));
    },
  };
}

function kindOf(descriptor: number): 'file' | 'pipe' | 'device' {
  try {
    const found = fstatSync(descriptor);
    if (found.isFile()) return 'file';
    return found.isFIFO() || found.isSocket() ? 'pipe' : 'device';
  } catch {
    return 'device';
  }
}

function writeNow(descriptor: number, bytes: Uint8Array): number {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EPIPE') throw readerStopped();
    if (code !== 'EAGAIN') throw error;
  }
  return written;
}

function readerStopped(): OutputClosed {
  return new OutputClosed('The program that reads the output has stopped.');
}

/** Wraps stdout or stderr of the process. If the reader has stopped, the current or the next write rejects with {@link OutputClosed}. */
function createOutput(stream: NodeJS.WriteStream): Output {
  let failure: Error | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' || error.code === 'EOF' ? readerStopped() : error;
  });
  return {
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.isTTY === true ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY === true ? stream.rows : undefined;
    },
    write(text) {
      return new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        stream.write(text, (error) => {
          // The stream’s own error event may follow this callback with the same error.
          if (error == null) resolve();
          else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? readerStopped() : error);
        });
      });
    },
  };
}
