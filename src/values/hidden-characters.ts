/**
 * The one table of the characters that somebody who reads a text does not see as they are: a terminal obeys them, they show text in
 * another order than it is stored, or they show nothing at all and hide text for machines. These are
 *
 * - C0 without tab and line feed, DEL and C1; the line and paragraph separators; the interlinear annotation characters,
 * - `Bidi_Control`: marks, embeddings, overrides and isolates,
 * - `Default_Ignorable_Code_Point`: zero width space, word joiner, soft hyphen, fillers, variation selectors, tags and what Unicode keeps
 *   free for more of them.
 *
 * Some of the last kind are needed to write, and stay where they do that: a joiner or non-joiner behind a letter of a script that joins, a
 * joiner between two pictures of an emoji, a selector behind a picture, a keycap's digit, an ideograph (names are written with it) or a
 * Mongolian letter, and the tags of the three flags that have some. One character carries one of them, so a row of them hides no text.
 *
 * Sources: UAX #44 (properties), UTS #51 (emoji sequences), UAX #31 section 2.3 (joiners).
 */
const HIDDEN = String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]`;

const SCRIPTS_THAT_JOIN = [
  'Arab',
  'Syrc',
  'Nkoo',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Mymr',
  'Khmr',
  'Tibt',
  'Bali',
  'Java',
];
const LETTER = String.raw`(?=[\p{L}\p{M}])(?!${HIDDEN})`;
const PICTURE = String.raw`\p{Extended_Pictographic}`;

const NEEDED = [
  String.raw`(?<=${LETTER}[${SCRIPTS_THAT_JOIN.map((script) => String.raw`\p{scx=${script}}`).join('')}])[\u200c\u200d]`,
  String.raw`(?<=${PICTURE}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=${PICTURE})`,
  String.raw`(?<=${PICTURE})[\ufe0e\ufe0f]`,
  String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Ideographic})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=${LETTER}\p{sc=Mong})[\u180b-\u180f]`,
  // England, Scotland, Wales: `gbeng`, `gbsct`, `gbwls`, each behind a black flag and with an end.
  ...['\u{e0065}\u{e006e}\u{e0067}', '\u{e0073}\u{e0063}\u{e0074}', '\u{e0077}\u{e006c}\u{e0073}'].map(
    (part) => `(?<=\u{1f3f4})\u{e0067}\u{e0062}${part}\u{e007f}`,
  ),
].join('|');

const SOME_HIDDEN = new RegExp(HIDDEN, 'u');
const EVERY_HIDDEN = new RegExp(`(?=${HIDDEN})(?:${NEEDED}|(${HIDDEN}))`, 'gu');

/** The text with another text for each hidden character; half of a surrogate pair becomes U+FFFD. */
export function replaceHidden(text: string, by: (character: string) => string): string {
  if (!SOME_HIDDEN.test(text)) return text.toWellFormed();
  return text
    .replace(EVERY_HIDDEN, (needed: string, hidden: string | undefined) => (hidden === undefined ? needed : by(hidden)))
    .toWellFormed();
}

/** Whether a text holds something hidden; line feeds and tabs are not. */
export function isUnsafe(text: string): boolean {
  return replaceHidden(text, () => '') !== text;
}

/** Whether a text is one line of which nothing is hidden. */
export function isPlainLine(text: string): boolean {
  return !/[\t\n]/.test(text) && !isUnsafe(text);
}

/**
 * What somebody else wrote, as one line of a message: a blank for what is hidden and for any white space, and at most `most` characters, the
 * last of them `…` where some are cut. Empty for what is no text.
 */
export function plainLine(text: unknown, most = 300): string {
  if (typeof text !== 'string') return '';
  const line = replaceHidden(text.slice(0, most * 4), () => ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}
