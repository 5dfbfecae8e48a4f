import { UsageError } from '../errors.ts';
import { fullDate } from '../values/dates.ts';
import { formatDuration, parseDuration } from '../values/duration.ts';
import { quote } from '../values/text.ts';

/** The fields that svc understood from the words after `worklogs add`. */
export interface Understood {
  readonly minutes?: number;
  /** The id or key of the work item, as the user typed it: `ABC-12`. */
  readonly workItem?: string;
  /** The id, key or name of the project, as the user typed it. */
  readonly project?: string;
  readonly description?: string;
}

/**
 * Reads `1h30 ABC-12 "Review"`: a duration and a work item or project in any order, then the text. A work item is a key or `item:4711`. A
 * project is `project:3`, `project:WEB` or `"project:Web shop"`.
 *
 * The text begins with the first other word, and takes the rest of the line. A word with spaces was quoted; it is text unless it names a
 * project.
 *
 * @throws UsageError for words with two meanings, with the meaning that svc understood.
 * @throws UsageError for words that name another field of an entry, because the value would be lost in the text.
 */
export function understandWords(words: readonly string[]): Understood {
  const { minutes, target, text } = splitEntryWords(words);
  return result(minutes, target, text.join(' ').trim());
}

/** Finds a word that looks like a mistyped duration (`1h3O`), if no other word is a duration. Returns the position of the word. */
export function findMistypedDuration(words: readonly string[]): number | undefined {
  const { minutes, text } = splitEntryWords(words);
  const isMistyped = minutes === undefined && MISTYPED.test(text[0]?.trim() ?? '');
  return isMistyped ? words.length - text.length : undefined;
}

/**
 * Matches a digit followed by digits, letters of units, look-alikes of digits (`O`, `l`) and separators. Also matches one wrong letter
 * between digits: `1g30`.
 */
const MISTYPED = /^\d(?:[\dhminoursl.,:;']*|\d*[a-z]\d+[a-z]?)$/i;

/** Splits the words of an entry into a duration, a work item or project, and the words of the text. */
export function splitEntryWords(words: readonly string[]): {
  readonly minutes: number | undefined;
  readonly target: Target | undefined;
  readonly text: readonly string[];
} {
  let minutes: { readonly value: number; readonly typed: string } | undefined;
  let target: Target | undefined;
  const joined = withUnits(words);
  for (const [index, word] of joined.entries()) {
    const typed = word.trim();
    if (isDayLike(typed)) {
      throw refused(
        `${quote(typed)} could be the day or the beginning of the text.`,
        `For the day: --date ${typed}. For the text: --description.`,
      );
    }
    if (isDurationLike(typed)) {
      const value = parseDuration(typed);
      if (minutes !== undefined) throw twoDurations(minutes, { value, typed }, target !== undefined);
      minutes = { value, typed };
      continue;
    }
    const named = targetIn(typed);
    if (named === undefined) {
      const text = joined.slice(index);
      refuseNames(text);
      return { minutes: minutes?.value, target, text };
    }
    if (target !== undefined) {
      throw refused(
        `An entry belongs to one work item or project, not to ${target.typed} and ${typed}.`,
        `If ${typed} begins the text, quote all of the text, or use --description.`,
      );
    }
    target = named;
  }
  return { minutes: minutes?.value, target, text: [] };
}

/** Joins a number and its unit if they are two words: `1.5 h`. */
function withUnits(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word, index) => /^\d+(?:[.,]\d+)?$/.test(word) && /^(?:h|hrs?|hours?|m|mins?|minutes?)$/i.test(words[index + 1] ?? ''),
  );
  return at < 0 ? words : [...words.slice(0, at), `${words[at]} ${words[at + 1]}`, ...words.slice(at + 2)];
}

/** The work item or project of an entry, with the word that names it. */
type Target = { readonly typed: string } & ({ readonly workItem: string } | { readonly project: string });

/** Returns the work item or project that a word names. Returns undefined for any other word. */
function targetIn(typed: string): Target | undefined {
  if (KEY.test(typed)) return { typed: typed.toUpperCase(), workItem: typed.toUpperCase() };
  const [, name = '', value = ''] = NAMED.exec(typed) ?? [];
  switch (name.toLowerCase()) {
    case 'project':
      if (value !== '') return { typed, project: value };
      throw refused(
        `${quote(typed)} names no project.`,
        'Write project:3, or quote its name: "project:Web shop". For text: --description.',
      );
    case 'item':
    case 'work-item':
    case 'work_item':
      if (/^\d{1,15}$/.test(value) || KEY.test(value)) return { typed, workItem: value.toUpperCase() };
      throw refused(`${quote(typed)} names no work item by its id or key.`, 'Write ABC-12 or item:4711. For text: --description.');
    default:
      return undefined;
  }
}

/** Names of other fields of an entry, each with its flag. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['user', '--user'],
  ['person', '--user'],
  ['date', '--date'],
  ['day', '--date'],
  ['from', '--from'],
  ['to', '--to'],
  ['budget', '--budget'],
  ['task', '--task'],
  ['minutes', '--minutes'],
  ['duration', '--minutes'],
  ['description', '--description'],
]);

/**
 * Refuses text that looks like another field, such as `date:friday`. In a quoted text only the start matters.
 *
 * @throws UsageError with the flag for the field.
 */
function refuseNames([first = '', ...rest]: readonly string[]): void {
  for (const word of [first, ...rest]) {
    const [, name = '', value = ''] = /^([a-z_-]+):(\S.*)$/is.exec(word.trim()) ?? [];
    const flag = FLAGS.get(name.toLowerCase());
    if (flag !== undefined)
      throw refused(
        `${quote(word)} looks like a field, but is part of the text.`,
        `For the field: ${flag} ${value}. For text: --description.`,
      );
  }
  const late = rest.find((word) => /^(?:project|item|work[-_]item):\S/i.test(word.trim()));
  if (late !== undefined)
    throw refused(`${quote(late)} is inside the text, so svc does not use it.`, 'Put it before the text, or quote the whole text.');
}

/** Whether a text looks like a duration, valid or not: digits and units of time. */
function isDurationLike(text: string): boolean {
  return DURATION.test(text);
}

const DURATION =
  /^[-+]?[\d.,:]*\d[\d.,:]*\s*(?:(?:h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|d|days?|w|weeks?)\s*(?:\d+\s*(?:m|mins?|minutes?)?)?)?$/i;
const KEY = /^[A-Za-z][A-Za-z0-9]*-\d+$/;
const NAMED = /^(project|item|work[-_]item):\s*(.*)$/is;
const DAY_WORD =
  /^(?:today|yesterday|tomorrow|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|[-+]\d+[dwmy])$/i;

function isDayLike(text: string): boolean {
  return fullDate(text) !== undefined || DAY_WORD.test(text);
}

function twoDurations(
  first: { readonly value: number; readonly typed: string },
  second: { readonly value: number; readonly typed: string },
  afterTarget: boolean,
): UsageError {
  const [a, b] = [formatDuration(first.value), formatDuration(second.value)];
  const bare = /^\d+$/.test(second.typed);
  const meant = bare ? `${b}, or work item ${second.typed}, or the beginning of the text` : b;
  const hint =
    bare && !afterTarget
      ? `For the work item: --work-item ${second.typed}. For text: quote it, or --description.`
      : `Write ${formatDuration(first.value + second.value)} for both together; quote a text that begins with a number.`;
  return refused(`${quote(first.typed)} is ${a}, and ${quote(second.typed)} could be ${meant}.`, hint);
}

function result(minutes: number | undefined, target: Target | undefined, description: string): Understood {
  return {
    ...(minutes !== undefined && { minutes }),
    ...(target !== undefined && ('project' in target ? { project: target.project } : { workItem: target.workItem })),
    ...(description !== '' && { description }),
  };
}

function refused(message: string, hint: string): UsageError {
  return new UsageError(message, { hint });
}
