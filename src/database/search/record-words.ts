import { decodeEntities } from '../../values/html-entities.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../values/json.ts';
import { foldedWords, isFolded } from '../../values/search-words.ts';
import { isDay, isDecimal, isTimestamp } from '../value-form.ts';

/** A text of a record that svc searches. `field` has dots for inner fields. */
export interface RecordText {
  readonly field: string;
  readonly text: string;
}

/** The fields that name a record, most important first. Their words count more in the order of the results. */
export const TITLE_FIELDS = ['issue_key', 'name', 'title', 'subject', 'number', 'label', 'first_name', 'last_name', 'file_name', 'email'];

/** Matches fields whose strings are no text for people: addresses, secrets, times, and fixed values such as a status. */
const NO_TEXT =
  /(?:^|_)(?:links?|ur[li]|href|tokens?|secrets?|passwords?|passcode|hash|digest|sha256|etag|cursor|status|state|type|kind|mode|role|colou?r|timezone|time_zone|locale|language|currency|icon|avatar|at|date)$/i;

/** The depth to which svc looks for texts in lists and objects of a record. */
const DEEPEST = 4;

/** The most characters of a record that svc searches. */
const MOST_CHARACTERS = 100_000;
/**
 * Returns the texts of a record that people search, as plain text. Leaves out web addresses, secrets, dates, amounts and the values of
 * fixed lists. An object with an id is another record, so svc leaves out the object. Fields that name the record come first.
 */
export function searchedTexts(record: JsonObject): readonly RecordText[] {
  const found: RecordText[] = [];
  let room = MOST_CHARACTERS;
  const see = (field: string, value: JsonValue, depth: number) => {
    if (typeof value === 'string') {
      if (value === '' || room <= 0 || (value.length <= LONGEST_VALUE && isNoText(value))) return;
      found.push({ field, text: plainText(value.slice(0, room)) });
      room -= value.length;
    } else if (depth === DEEPEST) return;
    else if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) see(field, item, depth + 1);
    else if (isJsonObject(value) && !Object.hasOwn(value, 'id'))
      for (const name of Object.keys(value)) if (!NO_TEXT.test(name)) see(`${field}.${name}`, value[name] ?? null, depth + 1);
  };
  const seeField = (name: string) => {
    const value = record[name];
    if (value === null || (typeof value !== 'string' && typeof value !== 'object')) return;
    // A relation can be a name, with its id in another field: `project` and `project_id`.
    if (!NO_TEXT.test(name) && !Object.hasOwn(record, `${name}_id`)) see(name, value, 0);
  };
  for (const name of TITLE_FIELDS) if (Object.hasOwn(record, name)) seeField(name);
  for (const name of Object.keys(record)) if (!TITLE_FIELDS.includes(name)) seeField(name);
  return found;
}

/** The most characters of a date-time, a time of day or an amount. */
const LONGEST_VALUE = 40;

/** Returns true for a date, a time, or an amount such as `12.50`. An integer is text, because an invoice number can have only digits. */
function isNoText(value: string): boolean {
  if (!/^-?\d/.test(value)) return false;
  return isDay(value) || isTimestamp(value) || (isDecimal(value) && value.includes('.')) || /^\d\d:\d\d(?::\d\d)?$/.test(value);
}

/** The texts of a record, folded for the index. `title`: the fields that name the record. */
export interface FoldedTexts {
  readonly title: string;
  readonly body: string;
}

/** Stands between the words of two fields, so that no phrase spans both fields. No word contains this character. */
export const FIELD_END = '\ue000';

/**
 * Returns the words of a record, separated by blanks. In a text of ASCII, other characters can stand between the words, and letters keep
 * their case.
 */
export function foldedTexts(record: JsonObject): FoldedTexts {
  let title = '';
  let body = '';
  for (const { field, text } of searchedTexts(record)) {
    const folded = isFolded(text) ? text : foldedWords(text).join(' ');
    if (TITLE_FIELDS.includes(field)) title += title === '' ? folded : ` ${FIELD_END} ${folded}`;
    else body += body === '' ? folded : ` ${FIELD_END} ${folded}`;
  }
  return { title, body };
}

/** Removes the tags of rich text. A tag within a line, such as `<b>`, does not separate words. */
function plainText(text: string): string {
  if (!/[<&]/.test(text)) return text;
  return decodeEntities(text.replace(/<\/?([a-z][a-z\d]*)\b[^<>]*>/gi, (_, name: string) => (INLINE.has(name.toLowerCase()) ? '' : ' ')));
}

const INLINE: ReadonlySet<string> = new Set('a abbr b code del em font i ins mark s small span strong sub sup u'.split(' '));
