import type { JsonObject } from '../../values/json.ts';
import { FIELD_END, foldedTexts } from '../search/record-words.ts';

/**
 * The column of a table of records with the words of each record, as `tsvector`. The words are in the table itself, so that grants and
 * row-level security of the records also cover the search. svc separates and folds the words, and the server only compares the words.
 */
export const WORDS = 'words';

/** The most words of a record that the server indexes. PostgreSQL counts positions up to 16,383, and limits the size of an entry. */
const MOST_WORDS = 16_000;

/** Returns the words of a record as the text of a `tsvector`. Words that name the record have the weight A. */
export function wordsText(record: JsonObject): string {
  const { title, body } = foldedTexts(record);
  let position = 0;
  let text = '';
  for (const [part, weight] of [
    [title, 'A'],
    [body, ''],
  ] as const) {
    position += 1;
    for (const word of part.toLowerCase().match(WORD) ?? []) {
      position += 1;
      if (word !== FIELD_END && position < MOST_WORDS) text += `${word}:${position}${weight} `;
    }
  }
  return text;
}

/** Matches a word as the tokenizer of the local database does. */
const WORD = /[a-z\d\u0080-\uffff]+/g;

/** Returns the statement that creates the index over the words. svc runs the statement after writing the rows. */
export function wordsIndex(records: string): string {
  return `CREATE INDEX ON ${records} USING gin (${WORDS})`;
}
