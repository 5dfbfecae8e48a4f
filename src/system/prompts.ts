import { setTimeout } from 'node:timers/promises';
import type { Prompts } from '../deps.ts';
import { InterruptedError } from '../errors.ts';
import { createTypedLines } from './typed-lines.ts';

/** Creates prompts at the terminal. Questions go to stderr, because stdout is for data. */
export function createPrompts(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Prompts {
  let turn: Promise<void> = Promise.resolve();

  /** Asks one question after another. svc looks up several names at once, and several lookups may ask. */
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

  /** Asks one question. The library treats Ctrl-D as the end of all input, and ignores Esc. In svc, both keys mean the same as Ctrl-C. */
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
        // Each typed letter starts a new request, and cancels the previous request.
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

/**
 * Converts the library’s error for Ctrl-C or an abort at a prompt to an InterruptedError. The terminal is in raw mode, so the system sends
 * no signal.
 */
async function interruptible<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError'))
      throw new InterruptedError('Interrupted.');
    throw error;
  }
}
