import { setTimeout } from 'node:timers/promises';
import type { Prompts } from '../deps.ts';
import { InterruptedError } from '../errors.ts';
import { createTypedLines } from './typed-lines.ts';

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

  /** The library takes Ctrl-D for the end of everything and leaves its question open, and knows no Esc: here both mean what Ctrl-C does. */
  async function askNow<T>(signal: AbortSignal, question: (streams: Streams) => Promise<T>): Promise<T> {
    const ended = new AbortController();
    const onKey = (_: unknown, key: { readonly name?: string; readonly ctrl?: boolean } | undefined) => {
      if ((key?.ctrl && key.name === 'd') || key?.name === 'escape') ended.abort();
    };
    stdin.on('keypress', onKey);
    try {
      return await interruptible(question({ input: stdin, output: stderr, signal: AbortSignal.any([signal, ended.signal]) }));
    } finally {
      stdin.off('keypress', onKey);
    }
  }
  return {
    async confirm(question, signal, byDefault = false) {
      const { confirm } = await import('@inquirer/prompts');
      return ask(signal, (streams) => confirm({ message: question, default: byDefault }, streams));
    },
    async secret(question, signal) {
      const { password } = await import('@inquirer/prompts');
      return ask(signal, (streams) => password({ message: question, mask: false, toggleMask: false }, streams));
    },
    async line(question, signal) {
      const { input } = await import('@inquirer/prompts');
      return ask(signal, (streams) => input({ message: question }, streams));
    },
    typed: createTypedLines(stdin, stderr, true),
    async pick(question, choices, signal, more) {
      const { search } = await import('@inquirer/prompts');
      const known = new Map(choices.map((choice) => [choice.value, choice]));
      const source = async (typed: string | undefined, { signal: over }: { readonly signal: AbortSignal }) => {
        const text = (typed ?? '').trim().toLowerCase();
        const fitting = () => [...known.values()].filter(({ name }) => name.toLowerCase().includes(text));
        if (more === undefined || text.length < SEARCHED || fitting().length >= SCREENFUL) return fitting();
        // Every letter starts a new request, and ends that of the letter before it.
        await setTimeout(TYPING_MS, undefined, { signal: over }).catch(() => undefined);
        if (!over.aborted) for (const found of await more(text)) known.set(found.value, found);
        return fitting();
      };
      return ask(signal, (streams) => search({ message: question, source }, streams));
    },
  };
}

const SEARCHED = 2;

const SCREENFUL = 7;

const TYPING_MS = 250;

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
