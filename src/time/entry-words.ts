import { UsageError } from '../errors.ts';
import { fullDate } from '../values/dates.ts';
import { formatDuration, parseDuration } from '../values/duration.ts';
import { ownEntry } from '../values/json.ts';
import { quote } from '../values/text.ts';

/**
 * Reads the words of an entry: a duration and a place in any order, then the text. A place is a work item (`ABC-12`, `item:4711`) or a
 * project (`project:WEB`, `"project:Web shop"`). A quoted word with spaces is text, unless the word is a duration or a place.
 * @returns the values that the words name. A work item is its id (`4711`), or its key in capitals (`ABC-12`).
 * @throws UsageError for words with two meanings, and for a second duration or place.
 * @throws UsageError for words that name another field, because the text would hide that value.
 */
export function readEntryWords(words: readonly string[]) {
  const { minutes, target, text } = splitEntryWords(words);
  return { minutes, workItem: target?.workItem, project: target?.project, description: text.join(' ').trim() || undefined };
}

/** Refuses a value both in the words and in a flag. @throws UsageError for two values. */
export function refuseTwice(inWords: string | number | undefined, inFlags: unknown, flag: string): void {
  if (inWords === undefined || inFlags === undefined) return;
  const shown = typeof inWords === 'number' ? formatDuration(inWords) : quote(inWords);
  throw refused(`There are two values: ${flag}, and ${shown} in the natural-language entry.`, 'Use one of the two values.');
}

/**
 * Returns the position of the first word of the text, if this word looks like a mistyped duration (`1h3O`). Undefined if another word is a
 * duration. @throws UsageError as {@link readEntryWords} does.
 */
export function findMistypedDuration(words: readonly string[]): number | undefined {
  const { minutes, text } = splitEntryWords(words);
  const isMistyped = minutes === undefined && MISTYPED.test(text[0]?.trim() ?? '');
  return isMistyped ? words.length - text.length : undefined;
}

/**
 * Matches a mistyped duration: a digit, then digits, units, separators and letters that look like digits (`O`, `l`). Also matches one wrong
 * letter: `1g30`.
 */
const MISTYPED = /^\d(?:[\dhminoursl.,:;']*|\d*[a-z]\d+[a-z]?)$/i;

export function splitEntryWords(words: readonly string[]) {
  let minutes: TypedDuration | undefined;
  let target: Target | undefined;
  const joined = withUnits(words);
  for (const [index, word] of joined.entries()) {
    const typed = word.trim();
    if (fullDate(typed) !== undefined || DAY_WORD.test(typed)) {
      throw refused(
        `${quote(typed)} could be the day or the beginning of the text.`,
        `For the day: --date ${typed}. For the text: --description.`,
      );
    }
    if (DURATION.test(typed)) {
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

function withUnits(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word, index) => /^\d+(?:[.,]\d+)?$/.test(word) && /^(?:h|hrs?|hours?|m|mins?|minutes?)$/i.test(words[index + 1] ?? ''),
  );
  return at < 0 ? words : [...words.slice(0, at), `${words[at]} ${words[at + 1]}`, ...words.slice(at + 2)];
}

type Target = Readonly<Record<'typed', string> & Partial<Record<'workItem' | 'project', string>>>;

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

/** The names of fields that have a flag. */
const FIELD_NAMES = /^(?:user|date|from|to|budget|task|minutes|description)$/;
const SYNONYMS: Readonly<Record<string, string>> = { person: 'user', day: 'date', duration: 'minutes' };

/**
 * Refuses words that name a field, and a place within the text. In a quoted text, only the start matters. @throws UsageError with the flag
 * for the field.
 */
function refuseNames([first = '', ...rest]: readonly string[]): void {
  for (const word of [first, ...rest]) {
    const [, name = '', value = ''] = /^([a-z_-]+):(\S.*)$/is.exec(word.trim()) ?? [];
    const field = ownEntry(SYNONYMS, name.toLowerCase()) ?? name.toLowerCase();
    if (FIELD_NAMES.test(field))
      throw refused(
        `${quote(word)} looks like a field, but is part of the text.`,
        `For the field: --${field} ${value}. For text: --description.`,
      );
  }
  const late = rest.find((word) => /^(?:project|item|work[-_]item):\S/i.test(word.trim()));
  if (late !== undefined)
    throw refused(`${quote(late)} is inside the text, so svc does not use it.`, 'Put the word before the text, or quote the whole text.');
}

const DURATION =
  /^[-+]?[\d.,:]*\d[\d.,:]*\s*(?:(?:h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|d|days?|w|weeks?)\s*(?:\d+\s*(?:m|mins?|minutes?)?)?)?$/i;
const KEY = /^[A-Za-z][A-Za-z0-9]*-\d+$/;
const NAMED = /^(project|item|work[-_]item):\s*(.*)$/is;
const DAY_WORD =
  /^(?:today|yesterday|tomorrow|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|[-+]\d+[dwmy])$/i;

interface TypedDuration {
  readonly value: number;
  readonly typed: string;
}

function twoDurations(first: TypedDuration, second: TypedDuration, afterTarget: boolean): UsageError {
  const [a, b] = [formatDuration(first.value), formatDuration(second.value)];
  const bare = /^\d+$/.test(second.typed);
  const meant = bare ? `${b}, or work item ${second.typed}, or the beginning of the text` : b;
  const hint =
    bare && !afterTarget
      ? `For the work item: --work-item ${second.typed}. For text: quote the text, or use --description.`
      : `Write ${formatDuration(first.value + second.value)} for the sum of both durations; quote a text that begins with a number.`;
  return refused(`${quote(first.typed)} is ${a}, and ${quote(second.typed)} could be ${meant}.`, hint);
}

function refused(message: string, hint: string): UsageError {
  return new UsageError(message, { hint });
}
