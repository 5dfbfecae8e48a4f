/**
 * The one table of characters that a reader does not see as they are. A terminal obeys them, they change the order of the text, or they
 * show nothing and hide text for machines:
 *
 * - C0 without tab and line feed, DEL and C1; the line and paragraph separators; the interlinear annotation characters,
 * - `Bidi_Control`: marks, embeddings, overrides and isolates,
 * - `Default_Ignorable_Code_Point`: zero width space, word joiner, soft hyphen, fillers, variation selectors, tags; also code points
 *   reserved for more of them.
 *
 * Some of the last kind are needed in writing, and stay in these places:
 *
 * - a joiner or non-joiner behind a letter of a script that joins,
 * - a joiner between two pictures of an emoji,
 * - a selector behind a picture, a keycap’s digit, an ideograph (in names) or a Mongolian letter,
 * - the tags of the three flags that have tags.
 *
 * One character can carry one of them, so a row of them hides no text.
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
  // England, Scotland, Wales: `gbeng`, `gbsct`, `gbwls`, each behind a black flag and with an end tag.
  ...['\u{e0065}\u{e006e}\u{e0067}', '\u{e0073}\u{e0063}\u{e0074}', '\u{e0077}\u{e006c}\u{e0073}'].map(
    (part) => `(?<=\u{1f3f4})\u{e0067}\u{e0062}${part}\u{e007f}`,
  ),
].join('|');

/** Most text: printable ASCII, Latin letters, dashes and quotes. */
const PLAIN = /^[\t\n -~\xa0-\xac\xae-\u017f\u2010-\u2027]*$/;

/** Made when a text is not {@link PLAIN}: the properties of Unicode take longer to look up than a page of help to write. */
let someHidden: RegExp | undefined;
let everyHidden: RegExp | undefined;

/** Replaces each hidden character of a text; half of a surrogate pair becomes U+FFFD. */
export function replaceHidden(text: string, by: (character: string) => string): string {
  if (PLAIN.test(text)) return text;
  someHidden ??= new RegExp(HIDDEN, 'u');
  if (!someHidden.test(text)) return text.toWellFormed();
  everyHidden ??= new RegExp(`(?=${HIDDEN})(?:${NEEDED}|(${HIDDEN}))`, 'gu');
  return text
    .replace(everyHidden, (needed: string, hidden: string | undefined) => (hidden === undefined ? needed : by(hidden)))
    .toWellFormed();
}

export function isUnsafe(text: string): boolean {
  return replaceHidden(text, () => '') !== text;
}

export function isPlainLine(text: string): boolean {
  return !/[\t\n]/.test(text) && !isUnsafe(text);
}

/**
 * Turns a stranger’s text into one line of a message. Hidden characters and white space become single blanks. At most `most` characters
 * stay, with `…` as the last one after a cut. Empty for a value that is no string.
 */
export function plainLine(text: unknown, most = 300): string {
  if (typeof text !== 'string') return '';
  const line = replaceHidden(text.slice(0, most * 4), () => ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}
