/**
 * Splits a command line into words as a POSIX shell does: blanks part words, quotes keep them together, a backslash
 * takes the next character as it is. No variables, no globs: the text comes from `EDITOR`, `PAGER` and the like.
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
