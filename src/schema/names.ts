import { isPlainLine, plainLine } from '../values/hidden-characters.ts';

/** The one name that no table of JavaScript takes as its own. Those that every table seems to have (`constructor`): values/own-entry.ts. */
const RESERVED = '__proto__';

/** Whether a name of a description may be one of svc's: of a field, a parameter, a view. */
export function isSafeName(name: string): boolean {
  return name !== '' && name.length <= 200 && name !== RESERVED && isPlainLine(name);
}

/** Whether a name may be a word of a command line: a noun, an operation. */
export function isSafeWord(word: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(word) && word.length <= 100;
}

/**
 * Whether a path template is one that svc sends something to: rooted, of segments that are plain text or a `{name}`, none of which leads
 * elsewhere.
 */
export function isSafePath(path: string): boolean {
  if (path.length > 1_000 || !/^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|\{[A-Za-z0-9._-]+\})*)+$/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '.' && segment !== '..');
}

/** A text of a description on one line of bounded length; undefined where nothing is left of it. */
export function plainText(text: unknown, most?: number): string | undefined {
  return plainLine(text, most) || undefined;
}
