import { type Output, OutputClosed } from '../deps.ts';

/** Wraps a stream of the process. EPIPE, here or later, becomes {@link OutputClosed} at the next write. */
export function createOutput(stream: NodeJS.WriteStream): Output {
  let failure: Error | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    failure =
      error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' || error.code === 'EOF'
        ? new OutputClosed('The program that reads the output has stopped.')
        : error;
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
          // The stream's own error event may come after this callback; it says the same.
          if (error == null) resolve();
          else
            reject(
              (error as NodeJS.ErrnoException).code === 'EPIPE'
                ? new OutputClosed('The program that reads the output has stopped.')
                : error,
            );
        });
      });
    },
  };
}
