import type { Prompts } from '../deps.ts';
import { InterruptedError } from '../errors.ts';

/** Asks on the terminal; questions go to stderr, since stdout is for data. */
export function createPrompts(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Prompts {
  const streams = (signal: AbortSignal) => ({ input: stdin, output: stderr, signal });
  return {
    async confirm(question, signal) {
      const { confirm } = await import('@inquirer/prompts');
      return interruptible(confirm({ message: question, default: false }, streams(signal)));
    },
    async secret(question, signal) {
      const { password } = await import('@inquirer/prompts');
      return interruptible(password({ message: question, mask: false, toggleMask: false }, streams(signal)));
    },
    async line(question, signal) {
      const { input } = await import('@inquirer/prompts');
      return interruptible(input({ message: question }, streams(signal)));
    },
  };
}

/** Ctrl-C at a prompt arrives as an error of the library's own: the terminal is in raw mode, so there is no signal. */
async function interruptible<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError'))
      throw new InterruptedError('Interrupted.');
    throw error;
  }
}
