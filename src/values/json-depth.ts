import { UsageError } from '../errors.ts';

/** The most levels of an answer; answers of the service have fewer than ten. A recursive function runs out of stack far beyond. */
const MAX_LEVELS = 1_000;

/** Strings, in which brackets have no meaning, and brackets. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;

/** Whether a JSON text has more levels of lists and objects than svc reads. */
export function isTooDeep(text: string): boolean {
  // A quick test first: most pages have fewer brackets than that.
  if (!hasMore(text, '[', '{')) return false;
  let level = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') level += 1;
    else if (token === ']' || token === '}') level -= 1;
    if (level > MAX_LEVELS) return true;
  }
  return false;
}

/** Refuses a user’s JSON that is too deep. @param what source: `--data`. @throws UsageError */
export function assertNotTooDeep(text: string, what: string): void {
  if (!isTooDeep(text)) return;
  throw new UsageError(`${what}: this JSON has more than ${MAX_LEVELS} levels of lists and objects.`, {
    hint: 'No record of the service has more than ten.',
  });
}

/** Whether a text has more of these characters than the limit of levels. */
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
