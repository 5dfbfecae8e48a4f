import { UsageError } from '../errors.ts';

/**
 * Splits a text at blanks outside quotes. A backslash keeps the next character unchanged. Expands no variables and no globs. The text is a
 * command, such as the value of `EDITOR` or `--exec`, or an alias.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, single, double, escaped, plain, blank] of text.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([\s\S])|([^\s'"\\]+)|(\s+)/g)) {
    if (blank !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '');
  }
  if (word !== undefined) words.push(word);
  return words;
}

type Expansion = { readonly words: readonly string[] } | { readonly shell: string };

/** Reads an alias. An alias that starts with `!` is a line for a shell. Any other alias is a list of words, without a leading `svc`. */
export function readAlias(text: string): Expansion {
  const typed = text.trim();
  if (typed.startsWith('!')) return { shell: typed.slice(1).trim() };
  const words = splitWords(typed);
  return { words: words[0] === 'svc' ? words.slice(1) : words };
}

/**
 * Fills an alias with the words after its name. `$1` to `$9`, also inside a word, become the first to ninth argument, unchanged. Other
 * arguments come at the end.
 * @throws UsageError for fewer arguments than the alias needs.
 */
export function fillAlias(name: string, words: readonly string[], args: readonly string[]): string[] {
  const places = new Set(words.flatMap((word) => [...word.matchAll(PLACE)].map(([, digit]) => Number(digit))));
  const needed = Math.max(0, ...places);
  if (args.length < needed) {
    throw new UsageError(`The alias ${name} needs ${needed === 1 ? 'a word' : `${needed} words`} after its name.`, {
      hint: `The alias stands for: svc ${words.join(' ')}`,
    });
  }
  const filled = words.map((word) => word.replace(PLACE, (_, digit: string) => args[Number(digit) - 1] ?? ''));
  return [...filled, ...args.filter((_, index) => !places.has(index + 1))];
}

export function plainWords(words: readonly string[]): string[] {
  return words.filter((word) => word.search(PLACE) < 0);
}

const PLACE = /\$([1-9])/g;

/** Returns the browser command from `SVC_BROWSER`, then `BROWSER`, then the setting. Undefined for the default of the system. */
export function browserCommand(env: Readonly<Record<string, string | undefined>>, configured: string | undefined): string | undefined {
  return env['SVC_BROWSER']?.trim() || env['BROWSER']?.trim() || configured?.trim() || undefined;
}
