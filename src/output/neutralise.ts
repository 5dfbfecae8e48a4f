import { replaceHidden } from '../values/hidden-characters.ts';

/**
 * Makes a text safe for one line of a terminal. Line breaks and tabs become spaces. Hidden characters (values/hidden-characters.ts) become
 * visible.
 */
export function neutraliseLine(text: string): string {
  return replaceHidden(/[\t\n\v\f\r\u0085\u2028\u2029]/.test(text) ? text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ') : text, picture);
}

/** Makes a text of several lines safe for a terminal. Keeps tabs, and keeps line breaks as `\n`. */
export function neutraliseText(text: string): string {
  return replaceHidden(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n'), picture);
}

/** Replaces unsafe characters with `\uXXXX`. The meaning stays the same, because such characters occur only inside quoted strings. */
export function escapeUnsafe(quoted: string): string {
  return replaceHidden(quoted, escaped);
}

/** Returns a visible form of a control character: a Unicode picture such as `␛`, or an escape such as `\u202e`. */
function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '␡' : escaped(character);
}

function escaped(character: string): string {
  return [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}

/** Escapes a text for an element or a quoted attribute of an HTML page. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);
