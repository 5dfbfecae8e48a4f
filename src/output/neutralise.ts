import { replaceHidden } from '../values/hidden-characters.ts';

/** Text for one line of a terminal: line breaks and tabs become a space, and what is hidden (values/hidden-characters.ts) is seen. */
export function neutraliseLine(text: string): string {
  return replaceHidden(/[\t\n\v\f\r\u0085\u2028\u2029]/.test(text) ? text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ') : text, picture);
}

/** Text of several lines: line breaks (as `\n`) and tabs stay. */
export function neutraliseText(text: string): string {
  return replaceHidden(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n'), picture);
}

/** JSON or YAML text in which hidden characters can only stand inside a quoted string: they become `\uXXXX`, which means the same. */
export function escapeUnsafe(quoted: string): string {
  return replaceHidden(quoted, escaped);
}

/** `␛` for ESC and its like, which have pictures in Unicode; `\u202e` for the rest. */
function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '␡' : escaped(character);
}

function escaped(character: string): string {
  return [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}

/** Text inside an element or a quoted attribute of a page. */
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
