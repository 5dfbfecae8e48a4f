/**
 * Text from outside may hold characters that a terminal obeys: escape sequences that move the cursor, retitle the window or write to the
 * clipboard, bidi controls that show text in another order than it is stored, and characters that show nothing at all, behind which text for
 * machines is hidden. They are made visible, so that nothing is hidden and nothing happens.
 */

/** Text for one line of a terminal: line breaks and tabs become a space. */
export function neutraliseLine(text: string): string {
  return visible(/[\t\n\v\f\r\u0085\u2028\u2029]/.test(text) ? text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ') : text);
}

/** Text of several lines: line breaks (as `\n`) and tabs stay. */
export function neutraliseText(text: string): string {
  return visible(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n'));
}

/** JSON or YAML text in which these characters can only stand inside a quoted string: they become `\uXXXX`, which means the same. */
export function escapeUnsafe(quoted: string): string {
  return UNSAFE.test(quoted) ? quoted.replace(EVERY_UNSAFE, escaped) : quoted;
}

/** Whether a text holds something that a terminal would obey, apart from line breaks and tabs. */
export function isUnsafe(text: string): boolean {
  return UNSAFE.test(text) || !text.isWellFormed();
}

/**
 * C0 without `\t` and `\n`, DEL, C1; Arabic letter mark, direction marks, separators, embeddings, overrides, isolates; zero width space,
 * word joiner and invisible operators, byte order mark, and tags (U+E0000 to U+E007F). What joins letters and emoji stays.
 */
const CONTROLS =
  '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff]|\\udb40[\\udc00-\\udc7f]';
const UNSAFE = new RegExp(CONTROLS);
const EVERY_UNSAFE = new RegExp(CONTROLS, 'g');

function visible(text: string): string {
  return (UNSAFE.test(text) ? text.replace(EVERY_UNSAFE, picture) : text).toWellFormed();
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
