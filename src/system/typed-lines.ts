import { createInterface } from 'node:readline';
import type { TypedMemory } from '../deps.ts';
import { InterruptedError } from '../errors.ts';

/**
 * Creates a reader of typed lines. Between two lines, the terminal has its original state, so that other programs can use the terminal.
 * Pasted lines arrive one by one. The reader returns undefined at the end of the input, and rejects with InterruptedError at an interrupt.
 * @param isEdited true if Node edits and completes lines. If false, the terminal edits the lines.
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
