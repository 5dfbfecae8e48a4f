/**
 * Splits a command line into words as a POSIX shell does: at blanks, but not in quotes; a backslash keeps the next character. It expands no
 * variables and no globs: the text comes from `EDITOR`, `PAGER` and others like them.
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
