import { UsageError } from '../errors.ts';
import { formatDuration, parseDuration } from '../values/duration.ts';
import { quote } from '../values/quote.ts';

/** What somebody meant by the words after `worklogs add`. */
export interface Understood {
  readonly minutes?: number;
  /** An id or key, as it is typed: `ABC-12`. */
  readonly workItem?: string;
  readonly project?: number;
  readonly description?: string;
}

/**
 * Reads `1h30 ABC-12 "Review"`: a duration and a work item (its key, or `project:3`), in any order, then the text, which begins with
 * the first word that is neither and takes the rest of the line. A word that has spaces in it was quoted, and is text.
 *
 * @throws UsageError for what could be meant in two ways, saying what was understood.
 */
export function understandWords(words: readonly string[]): Understood {
  let minutes: { readonly value: number; readonly typed: string } | undefined;
  let target: { readonly typed: string; readonly project?: number } | undefined;
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
    } else if (KEY.test(typed) || PROJECT.test(typed)) {
      if (target !== undefined) {
        throw refused(
          `There are two of them, ${target.typed} and ${typed}: an entry belongs to one.`,
          `If ${typed} begins the text, quote all of the text, or use --description.`,
        );
      }
      const project = PROJECT.exec(typed)?.[1];
      target = project === undefined ? { typed: typed.toUpperCase() } : { typed, project: Number(project) };
    } else {
      const description = words.slice(index).join(' ').trim();
      return result(minutes?.value, target, description);
    }
  }
  return result(minutes?.value, target, '');
}

/** A text that somebody means as a duration, right or wrong: digits, and units of time. */
function isDurationLike(text: string): boolean {
  return DURATION.test(text);
}

const DURATION =
  /^[-+]?[\d.,:]*\d[\d.,:]*\s*(?:(?:h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|d|days?|w|weeks?)\s*(?:\d+\s*(?:m|mins?|minutes?)?)?)?$/i;
const KEY = /^[A-Za-z][A-Za-z0-9]*-\d+$/;
const PROJECT = /^project:(\d{1,15})$/i;
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

function result(
  minutes: number | undefined,
  target: { readonly typed: string; readonly project?: number } | undefined,
  description: string,
): Understood {
  return {
    ...(minutes !== undefined && { minutes }),
    ...(target !== undefined && (target.project === undefined ? { workItem: target.typed } : { project: target.project })),
    ...(description !== '' && { description }),
  };
}

function refused(message: string, hint: string): UsageError {
  return new UsageError(message, { hint });
}
