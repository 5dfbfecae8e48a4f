import { UsageError } from '../errors.ts';
import { formatDuration, parseDuration } from '../values/duration.ts';
import { quote } from '../values/quote.ts';

/** What somebody meant by the words after `worklogs add`. */
export interface Understood {
  readonly minutes?: number;
  /** An id or key, as it is typed: `ABC-12`. */
  readonly workItem?: string;
  /** An id, key or name, as it is typed. */
  readonly project?: string;
  readonly description?: string;
}

/**
 * Reads `1h30 ABC-12 "Review"`: a duration and a work item (its key, or `item:4711`) or project (`project:3`, `project:WEB`,
 * `"project:Web shop"`), in any order, then the text, which begins with the first word that is none of these and takes the rest of the
 * line. A word that has spaces in it was quoted, and is text, unless it names a project.
 *
 * @throws UsageError for what could be meant in two ways, saying what was understood, and for what names something else that an entry
 *   has: as text it would be lost.
 */
export function understandWords(words: readonly string[]): Understood {
  let minutes: { readonly value: number; readonly typed: string } | undefined;
  let target: Target | undefined;
  for (const [index, word] of words.entries()) {
    const typed = word.trim();
    if (isDayLike(typed)) {
      throw refused(
        `${quote(typed)} could be the day, or the beginning of the text.`,
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
      const text = words.slice(index);
      refuseNames(text);
      return result(minutes?.value, target, text.join(' ').trim());
    }
    if (target !== undefined) {
      throw refused(
        `There are two of them, ${target.typed} and ${typed}: an entry belongs to one.`,
        `If ${typed} begins the text, quote all of the text, or use --description.`,
      );
    }
    target = named;
  }
  return result(minutes?.value, target, '');
}

/** What an entry belongs to, and the word that says so. */
type Target = { readonly typed: string } & ({ readonly workItem: string } | { readonly project: string });

/** A work item or project that a word names; undefined for another word. */
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

/** Names of what an entry has besides, and the flag that says it. */
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

/** Words of a text that look as if they were meant for svc; of a quoted text only its beginning does. */
function refuseNames([first = '', ...rest]: readonly string[]): void {
  for (const word of [first, ...rest]) {
    const [, name = '', value = ''] = /^([a-z_-]+):(\S.*)$/is.exec(word.trim()) ?? [];
    const flag = FLAGS.get(name.toLowerCase());
    if (flag !== undefined)
      throw refused(
        `${quote(word)} would be text, and say nothing to the service.`,
        `If it is meant: ${flag} ${value}. For text: --description.`,
      );
  }
  const late = rest.find((word) => /^(?:project|item|work[-_]item):\S/i.test(word.trim()));
  if (late !== undefined)
    throw refused(
      `${quote(late)} stands within the text, where it is only text.`,
      'Put it before the text; if it is text, quote all of it.',
    );
}

/** A text that somebody means as a duration, right or wrong: digits, and units of time. */
function isDurationLike(text: string): boolean {
  return DURATION.test(text);
}

const DURATION =
  /^[-+]?[\d.,:]*\d[\d.,:]*\s*(?:(?:h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|d|days?|w|weeks?)\s*(?:\d+\s*(?:m|mins?|minutes?)?)?)?$/i;
const KEY = /^[A-Za-z][A-Za-z0-9]*-\d+$/;
const NAMED = /^(project|item|work[-_]item):\s*(.*)$/is;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_WORD =
  /^(?:today|yesterday|tomorrow|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|[-+]\d+[dwmy])$/i;

function isDayLike(text: string): boolean {
  return DATE.test(text) || DAY_WORD.test(text);
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
