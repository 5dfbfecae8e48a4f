import { UsageError } from '../errors.ts';
import { isPlainLine, plainLine } from '../values/hidden-characters.ts';

/** Creates the error for a document that svc does not import. svc has then stored nothing. */
export function refusedDocument(why: string, hint = 'svc changed nothing. Get the document again, or ask its author.'): UsageError {
  return new UsageError(why, { hint });
}

/** Returns a text of a document for an error message: at most 120 characters, and no control characters. */
export function shown(text: unknown): string {
  return plainText(String(text), 120) ?? '""';
}

/** A name that JavaScript treats specially as an object key. For names like `constructor`, see values/json.ts. */
const RESERVED = '__proto__';

/** Returns true if svc can use a name of an API spec for a field, a parameter or a view. */
export function isSafeName(name: string): boolean {
  return name !== '' && name.length <= 200 && name !== RESERVED && isPlainLine(name);
}

/** Returns true if a name can be a word of a command line, for a resource or an operation. */
export function isSafeWord(word: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(word) && word.length <= 100;
}

/**
 * Returns true if svc can send requests to a path template. The path must start with a slash. Each segment must consist of plain characters
 * and `{name}` parts, and must not be `.` or `..`.
 */
export function isSafePath(path: string): boolean {
  if (path.length > 1_000 || !/^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|\{[A-Za-z0-9._-]+\})*)+$/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '.' && segment !== '..');
}

/**
 * Returns a text of an API spec as one line. Undefined if the line is empty. @param most highest number of characters in the line. Default:
 * 300.
 */
export function plainText(text: unknown, most?: number): string | undefined {
  return plainLine(text, most) || undefined;
}

/** Matches the device names of Windows. On Windows, no file can have such a name. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Converts a name to words with dashes: `workItems`, `work_items` and `Work Items` become `work-items`. */
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
 * Converts a name to a word for the command line.
 *
 * @throws UsageError for a name that svc can’t convert, or that is a Windows device name.
 */
export function wordOf(text: string): string {
  const word = kebab(text);
  if (isSafeWord(word) && !DEVICES.test(word)) return word;
  throw refusedDocument(
    `The document has a name that svc does not accept for a command: ${shown(text)}.`,
    'svc changed nothing. Check the document before you trust it.',
  );
}

/** Converts a word to a title: `work-items` becomes `Work items`. */
export function resourceTitle(word: string): string {
  const text = word.replaceAll('-', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Guesses the English singular of a resource name from its ending: `entries` → `entry`, `branches` → `branch`, `absences` → `absence`. */
export function singularOf(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(?:ch|sh|ss|x|z)es$/.test(word)) return word.replace(/es$/, '');
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Returns the possible plurals of an English singular, and the singular itself. */
export function pluralsOf(word: string): string[] {
  return [`${word}s`, `${word}es`, word.replace(/y$/, 'ies'), word];
}

/** Returns the path of the list for a record’s path: `/absences` for `/absences/{absence}`. Undefined without a path. */
export function collectionOf(itemPath: string | null | undefined): string | undefined {
  return itemPath?.replace(/\/\{[^}]+\}$/, '');
}
