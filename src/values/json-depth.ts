import { UsageError } from '../errors.ts';

/** Levels that an answer of the service may have; its own have fewer than ten. What walks through a value would run out of stack far beyond. */
const MAX_LEVELS = 1_000;

/** Strings, in which brackets mean nothing, and brackets. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;

/** Whether a text of JSON has more levels of lists and objects than svc walks through. */
export function isTooDeep(text: string): boolean {
  // So many brackets have to be there at all: most pages have fewer, which is found out in no time.
  if (!hasMore(text, '[', '{')) return false;
  let level = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') level += 1;
    else if (token === ']' || token === '}') level -= 1;
    if (level > MAX_LEVELS) return true;
  }
  return false;
}

/** @throws UsageError for JSON of a person's own that is too deep to be walked through. @param what Where it is: `--data`. */
export function assertNotTooDeep(text: string, what: string): void {
  if (!isTooDeep(text)) return;
  throw new UsageError(`${what}: this JSON has more than ${MAX_LEVELS} levels of lists and objects.`, {
    hint: 'No record of the service has more than ten.',
  });
}

/** Whether more of these characters than levels are allowed stand anywhere in a text. */
function hasMore(text: string, ...characters: readonly string[]): boolean {
  let left = MAX_LEVELS;
  for (const character of characters) {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
      left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}
