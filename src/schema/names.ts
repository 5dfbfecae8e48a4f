import { UsageError } from '../errors.ts';
import { isPlainLine, plainLine } from '../values/hidden-characters.ts';

/** Returns the error for a document that svc does not import, with the reason. svc stored nothing of it. */
export function refusedDocument(why: string, hint = 'Nothing was changed. Get the document again, or ask its author.'): UsageError {
  return new UsageError(why, { hint });
}

/** Returns a text of a document for an error message: short, and without control characters that a terminal obeys. */
export function shown(text: unknown): string {
  return plainText(String(text), 120) ?? '""';
}

/**
 * The one name that no JavaScript object takes as its own. For names that every object seems to have (`constructor`), see
 * values/json.ts.
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

/** Device names of Windows, which no file can have there, and so no export. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Converts `workItems`, `work_items`, `Work Items` → `work-items`. */
export function kebab(text: string): string {
  return text
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/**
 * Returns a word for the command line.
 *
 * @throws UsageError for a name that is no such word, or a device name.
 */
export function wordOf(text: string): string {
  const word = kebab(text);
  if (isSafeWord(word) && !DEVICES.test(word)) return word;
  throw refusedDocument(
    `The document has a name that svc does not take for a command: ${shown(text)}.`,
    'Nothing was changed. Look at the document before you trust it.',
  );
}

/** `work-items` → `Work items`. */
export function nounTitle(word: string): string {
  const text = word.replaceAll('-', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/**
 * Returns an English singular, as far as names of resources need it: `entries` → `entry`, `branches` → `branch`, `absences` → `absence`.
 */
export function singularOf(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(?:ch|sh|ss|x|z)es$/.test(word)) return word.replace(/es$/, '');
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Returns the plurals that a singular may have. */
export function pluralsOf(word: string): string[] {
  return [`${word}s`, `${word}es`, word.replace(/y$/, 'ies'), word];
}
