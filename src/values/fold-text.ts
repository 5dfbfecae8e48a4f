/**
 * Folds a text for comparison: without case, accents, ligatures and width. Accents of Latin, Greek and Cyrillic, and the optional marks of
 * Arabic and Hebrew, do not count. The Turkish i has no special case: `İ`, `ı` and `i` are equal. `ß` equals `ss`.
 */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/[łøđıßæœς’ʼ]/g, (letter) => EQUAL[letter] ?? letter)
    .normalize('NFC');
}

const PLAIN = /^[ -~]*$/;
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;
const EQUAL: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' },
  ...{ ς: 'σ', '’': "'", ʼ: "'" },
};

/** The letters of scripts without spaces between words: the inner part of a character class in the `v` mode. */
export const WITHOUT_SPACES = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]&&[\p{L}\p{N}\p{M}]`;
