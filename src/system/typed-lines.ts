import { createInterface } from 'node:readline';
import type { TypedMemory } from '../deps.ts';
import { InterruptedError } from '../errors.ts';

/**
 * Lines that are typed one after the other. Between two of them the terminal is as it was, so that other programs can use it.
 * Lines that were pasted together are given one by one.
 *
 * @param isEdited Whether lines are edited, called back and completed here; otherwise the terminal does what it does.
 */
export function createTypedLines(
  stdin: NodeJS.ReadStream,
  stderr: NodeJS.WriteStream,
  isEdited: boolean,
): (prompt: string, signal: AbortSignal, memory?: TypedMemory) => Promise<string | undefined> {
  const pasted: string[] = [];
  let started = '';
  return async (prompt, signal, memory) => {
    if (signal.aborted) throw new InterruptedError('Interrupted.');
    const next = pasted.shift();
    if (next !== undefined) return next;
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const reader = createInterface({
      input: stdin,
      output: stderr,
      terminal: isEdited,
      signal,
      prompt,
      history: [...(memory?.history ?? [])],
      historySize: memory === undefined ? 0 : memory.history.length + 1,
      removeHistoryDuplicates: true,
      ...(memory && {
        completer: (text: string) => {
          const { choices, of } = memory.complete(text);
          return [choices, of];
        },
      }),
    });
    const lines: string[] = [];
    reader.on('line', (line) => {
      lines.push(line);
      resolve(line);
    });
    reader.once('SIGINT', () => reject(new InterruptedError('Interrupted.')));
    reader.once('close', () => (signal.aborted ? reject(new InterruptedError('Interrupted.')) : resolve(undefined)));
    reader.prompt();
    if (started !== '') reader.write(started);
    started = '';
    try {
      const line = await promise;
      pasted.push(...lines.slice(1));
      if (lines.length > 0) started = reader.line;
      else stderr.write('\n');
      return line;
    } catch (error) {
      stderr.write('\n');
      throw error;
    } finally {
      reader.close();
    }
  };
}
