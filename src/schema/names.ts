/** Names that every object of JavaScript has a meaning for: a table of names must not have one of its own under them. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Line breaks and other controls, what changes the direction of text, and what shows nothing. */
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]/;

/** Whether a name of a description may be one of svc's: of a field, a parameter, a view. */
export function isSafeName(name: string): boolean {
  return name !== '' && name.length <= 200 && !RESERVED.has(name) && !isUnsafe(name);
}

/** Whether a text holds what a terminal would obey, or what shows nothing. */
export function isUnsafe(text: string): boolean {
  return UNSAFE.test(text) || !text.isWellFormed();
}

/** Whether a name may be a word of a command line: a noun, an operation. */
export function isSafeWord(word: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(word) && word.length <= 100 && !RESERVED.has(word);
}

/**
 * Whether a path template is one that svc sends something to: rooted, of segments that are plain text or a `{name}`, none of which leads
 * elsewhere.
 */
export function isSafePath(path: string): boolean {
  if (path.length > 1_000 || !/^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|\{[A-Za-z0-9._-]+\})*)+$/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '.' && segment !== '..');
}

/** A text of a description on one line, of bounded length, without what a terminal obeys. */
export function plainText(text: unknown, most = 300): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = text
    .slice(0, most * 4)
    .toWellFormed()
    .replace(new RegExp(UNSAFE, 'g'), ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}
