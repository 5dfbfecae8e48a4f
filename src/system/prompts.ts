import type { Prompts } from '../deps.ts';
import { InterruptedError } from '../errors.ts';
import { neutraliseLine } from '../output/neutralise.ts';

/** Asks on the terminal; questions go to stderr, since stdout is for data. */
export function createPrompts(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Prompts {
  let turn: Promise<void> = Promise.resolve();

  /** One question after the other: names are looked for side by side, and several of them may ask. */
  async function ask<T>(signal: AbortSignal, question: (streams: Streams) => Promise<T>): Promise<T> {
    const before = turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    turn = promise;
    await before;
    try {
      return await askNow(signal, question);
    } finally {
      resolve();
    }
  }

  /** The library takes Ctrl-D for the end of everything and leaves its question open: here it means what Ctrl-C does. */
  async function askNow<T>(signal: AbortSignal, question: (streams: Streams) => Promise<T>): Promise<T> {
    const ended = new AbortController();
    const onKey = (_: unknown, key: { readonly name?: string; readonly ctrl?: boolean } | undefined) => {
      if (key?.ctrl && key.name === 'd') ended.abort();
    };
    stdin.on('keypress', onKey);
    try {
      return await interruptible(question({ input: stdin, output: stderr, signal: AbortSignal.any([signal, ended.signal]) }));
    } finally {
      stdin.off('keypress', onKey);
    }
  }
  return {
    async confirm(question, signal) {
      const { confirm } = await import('@inquirer/prompts');
      return ask(signal, (streams) => confirm({ message: question, default: false }, streams));
    },
    async secret(question, signal) {
      const { password } = await import('@inquirer/prompts');
      return ask(signal, (streams) => password({ message: question, mask: false, toggleMask: false }, streams));
    },
    async line(question, signal) {
      const { input } = await import('@inquirer/prompts');
      return ask(signal, (streams) => input({ message: question }, streams));
    },
    async pick(question, choices, signal) {
      const { search } = await import('@inquirer/prompts');
      const shown = choices.map(({ name, value }) => ({ name: neutraliseLine(name), value }));
      const source = (typed: string | undefined) => shown.filter(({ name }) => name.toLowerCase().includes((typed ?? '').toLowerCase()));
      return ask(signal, (streams) => search({ message: question, source }, streams));
    },
  };
}

interface Streams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
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
