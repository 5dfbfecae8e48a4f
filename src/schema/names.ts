import { isPlainLine, plainLine } from '../values/hidden-characters.ts';

/**
 * The one name that no JavaScript object takes as its own. For names that every object seems to have (`constructor`), see
 * values/own-entry.ts.
 */
const RESERVED = '__proto__';

/** Whether svc takes a name of an API spec for a field, a parameter or a view. */
export function isSafeName(name: string): boolean {
  return name !== '' && name.length <= 200 && name !== RESERVED && isPlainLine(name);
}

/** Whether a name can be a word of a command line: a resource or an operation. */
export function isSafeWord(word: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(word) && word.length <= 100;
}

/**
 * Whether svc sends requests to a path template. It begins with a slash, and each segment is plain text or a `{name}` that leads nowhere
 * else.
 */
export function isSafePath(path: string): boolean {
  if (path.length > 1_000 || !/^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|\{[A-Za-z0-9._-]+\})*)+$/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '.' && segment !== '..');
}

/** Returns a text of an API spec on one line of limited length; undefined if nothing is left of it. */
export function plainText(text: unknown, most?: number): string | undefined {
  return plainLine(text, most) || undefined;
}
