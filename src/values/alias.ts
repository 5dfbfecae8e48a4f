import { UsageError } from '../errors.ts';
import { splitWords } from './split-words.ts';

/** What an alias stands for: words of svc, or a line for a shell. */
export type Expansion = { readonly words: readonly string[] } | { readonly shell: string };

/** An alias as it was set: with `!` before it, it is for a shell; else words, of which a leading `svc` is nothing. */
export function readAlias(text: string): Expansion {
  const typed = text.trim();
  if (typed.startsWith('!')) return { shell: typed.slice(1).trim() };
  const words = splitWords(typed);
  return { words: words[0] === 'svc' ? words.slice(1) : words };
}

/**
 * The words of an alias with what was typed after it: `$1` to `$9` inside of a word become the first to ninth argument, as it
 * is, and what no place takes comes at the end.
 *
 * @throws UsageError when there are fewer arguments than places.
 */
export function fillAlias(name: string, words: readonly string[], args: readonly string[]): string[] {
  const places = new Set(words.flatMap((word) => [...word.matchAll(PLACE)].map(([, digit]) => Number(digit))));
  const needed = Math.max(0, ...places);
  if (args.length < needed) {
    throw new UsageError(`The alias ${name} needs ${needed === 1 ? 'a word' : `${needed} words`} after it.`, {
      hint: `It stands for: svc ${words.join(' ')}`,
    });
  }
  const filled = words.map((word) => word.replace(PLACE, (_, digit: string) => args[Number(digit) - 1] ?? ''));
  return [...filled, ...args.filter((_, index) => !places.has(index + 1))];
}

/** The words of an alias as far as they lead to a command: those that hold no place. */
export function plainWords(words: readonly string[]): string[] {
  return words.filter((word) => word.search(PLACE) < 0);
}

const PLACE = /\$([1-9])/g;
