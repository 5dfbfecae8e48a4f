import { isSafeWord } from './names.ts';
import { refusedDocument, shown } from './refused-document.ts';

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
