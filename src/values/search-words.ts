import { foldText, WITHOUT_SPACES } from './fold-text.ts';
import { union } from './union.ts';

/** A word of a text, folded for comparison, and the range of the text that it stands for. */
export interface SearchWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** The end of the first letter, in a word of a script without spaces. Absent in other words. */
  readonly firstEnd?: number;
}

/** A typed word or quoted phrase: words that follow each other in a text. */
export interface SearchTerm {
  readonly words: readonly string[];
  /**
   * True if the last word may be the beginning of a longer word. False for a quoted phrase, unless the last word is a single letter of a
   * script without spaces.
   */
  readonly isPrefix: boolean;
}

/** The most characters of a word that svc compares. */
const LONGEST_WORD = 64;

/**
 * The fewest letters of a typed word that also finds longer words. A Korean letter is a syllable, so two are enough. In scripts without
 * spaces, one letter is enough.
 */
const LEAST_PREFIX = 3;
const KOREAN = /^\p{sc=Hang}{2}/u;

/** Addresses with a scheme, and long mixtures of letters and digits, such as tokens and digests. svc does not search such texts. */
const SKIPPED = String.raw`[a-zA-Z][a-zA-Z\d+.\-]{1,30}:\/\/\S+|(?=[a-zA-Z]{0,99}\d)(?=\d{0,99}[a-zA-Z])[a-zA-Z\d]{20,}`;
const IGNORED = String.raw`\u00ad\u200b-\u200d\u2060`;
const WORDS = new RegExp(String.raw`${SKIPPED}|([${WITHOUT_SPACES}]+)|([[\p{L}\p{N}\p{M}${IGNORED}]--[${WITHOUT_SPACES}]]+)`, 'gv');
const LETTERS_WITH_MARKS = /[^\p{M}\uff9e\uff9f][\p{M}\uff9e\uff9f]*|[\p{M}\uff9e\uff9f]+/gu;
/** Letters of Chinese and Japanese that folding does not change. */
const SIMPLE = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]+$/;
const NO_LETTER = /[^\p{L}\p{N}\p{M}]+/gu;

/**
 * Returns the words of a text in order. Scripts without spaces have no word boundaries. In such a script, each letter yields a word of two
 * letters: itself and the next letter. The last letter yields itself. Two letters are then enough for a search.
 */
function searchWords(text: string): readonly SearchWord[] {
  const words: SearchWord[] = [];
  for (const { 0: found, 1: run, 2: word, index: start } of text.matchAll(WORDS)) {
    if (run !== undefined) addPairs(words, run, start);
    else if (word !== undefined) {
      const folded = folding(word);
      if (folded !== '') words.push({ word: folded, start, end: start + found.length });
    }
  }
  return words;
}

/** Returns the words of {@link searchWords} without their places. */
export function foldedWords(text: string): readonly string[] {
  return isFolded(text) ? (text.toLowerCase().match(/[a-z\d]+/g) ?? []) : searchWords(text).map(({ word }) => word);
}

/** Returns true if the words of a text are its runs of ASCII letters and digits, in any case. */
export function isFolded(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text) && !/[a-z\d]{20}|:\/\//i.test(text);
}

function addPairs(words: SearchWord[], run: string, from: number): void {
  const letters = SIMPLE.test(run) ? [...run] : (run.match(LETTERS_WITH_MARKS) ?? []);
  const folded = SIMPLE.test(run) ? letters : letters.map(folding);
  let start = from;
  for (const [place, { length }] of letters.entries()) {
    const firstEnd = start + length;
    const word = `${folded[place]}${folded[place + 1] ?? ''}`;
    if (word !== '') words.push({ word, start, end: firstEnd + (letters[place + 1]?.length ?? 0), firstEnd });
    start = firstEnd;
  }
}

function folding(word: string): string {
  const folded = foldText(word);
  return (/^[a-z\d]*$/.test(folded) ? folded : folded.replace(NO_LETTER, '')).slice(0, LONGEST_WORD);
}

/**
 * Reads a search: words, and phrases in double quotes. Apart from these quotes, every character is data, and punctuation only separates
 * words.
 */
export function readSearch(typed: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const [part, phrase] of typed.replace(/[“”„‟＂]/g, '"').matchAll(/"([^"]*)"|[^\s"]+/g)) {
    const found = searchWords(phrase ?? part);
    // In a script without spaces, a text can continue after the last typed letter. The text then has no word of that letter alone.
    const isOpen = found.length > 1 && found.at(-1)?.end === found.at(-2)?.end;
    const wanted = found.slice(0, isOpen ? -1 : undefined);
    const last = wanted.at(-1);
    if (last === undefined) continue;
    const isBeginning = phrase === undefined && (last.word.length >= LEAST_PREFIX || KOREAN.test(last.word));
    terms.push({ words: wanted.map(({ word }) => word), isPrefix: last.firstEnd === undefined ? isBeginning : last.firstEnd === last.end });
  }
  return terms;
}

/** Returns the ranges of a text that match the terms, in order and without overlaps. */
export function matchesIn(text: string, terms: readonly SearchTerm[]) {
  const words = searchWords(text);
  const found: { start: number; end: number }[] = [];
  for (const [place, { word: first, start }] of words.entries())
    for (const { words: wanted, isPrefix } of terms) {
      const [begin = ''] = wanted;
      if (!first.startsWith(begin)) continue;
      const last = words[place + wanted.length - 1];
      const isMatch = wanted.every((word, index) => {
        const there = words[place + index];
        return isPrefix && there === last ? there?.word.startsWith(word) : there?.word === word;
      });
      if (!isMatch || last === undefined) continue;
      found.push({ start, end: last.word === wanted.at(-1) ? last.end : (last.firstEnd ?? last.end) });
    }
  return union(found);
}
