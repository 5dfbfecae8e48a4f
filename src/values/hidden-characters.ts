/**
 * Matches the characters that a reader can’t see as they are. Some characters control a terminal, some change the order of the text, and
 * some hide text that only machines read:
 * - C0 (except tab and line feed), DEL and C1; the line and paragraph separators; the interlinear annotation characters.
 * - `Bidi_Control`: marks, embeddings, overrides and isolates.
 * - `Default_Ignorable_Code_Point`: zero width space, word joiner, soft hyphen, fillers, variation selectors, tags. The property includes
 * reserved code points. Some ignorable characters are needed in writing, and stay in these places:
 * - a joiner or non-joiner after a letter of a script that joins,
 * - a joiner between two pictures of an emoji,
 * - a selector after a picture, a keycap’s digit, an ideograph (in names) or a Mongolian letter,
 * - the tags of the three flags that have tags. Except in flags, each visible character can have at most two such characters, so a longer
 * row can’t hide text. Sources: UAX #44 (properties), UTS #51 (emoji sequences), UAX #31 section 2.3 (joiners).
 */
const HIDDEN = String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]`;

const SCRIPTS_THAT_JOIN = 'Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Tibt Bali Java'.split(' ');
const LETTER = String.raw`(?=[\p{L}\p{M}])(?!${HIDDEN})`;
const PICTURE = String.raw`\p{Extended_Pictographic}`;

const NEEDED = [
  String.raw`(?<=${LETTER}[${SCRIPTS_THAT_JOIN.map((script) => String.raw`\p{scx=${script}}`).join('')}])[\u200c\u200d]`,
  String.raw`(?<=${PICTURE}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=${PICTURE})`,
  String.raw`(?<=${PICTURE})[\ufe0e\ufe0f]`,
  String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Ideographic})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=${LETTER}\p{sc=Mong})[\u180b-\u180f]`,
  // The flags of England, Scotland and Wales: `gbeng`, `gbsct`, `gbwls`, each after a black flag and with an end tag.
  ...['\u{e0065}\u{e006e}\u{e0067}', '\u{e0073}\u{e0063}\u{e0074}', '\u{e0077}\u{e006c}\u{e0073}'].map(
    (part) => `(?<=\u{1f3f4})\u{e0067}\u{e0062}${part}\u{e007f}`,
  ),
].join('|');

/** Matches most texts: printable ASCII, Latin letters, dashes and quotes. */
const PLAIN = /^[\t\n -~\xa0-\xac\xae-\u017f\u2010-\u2027]*$/;

/**
 * The expression for texts that are not {@link PLAIN}. svc creates the expression late, because looking up Unicode properties takes longer
 * than writing a page of help.
 */
let someHidden: RegExp | undefined;
let everyHidden: RegExp | undefined;

/** Replaces each hidden character of a text. Half of a surrogate pair becomes U+FFFD. */
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
 * Converts a text from outside to one line of a message. Hidden characters and white space become single blanks. Cuts a text longer than
 * `most` characters (default: 300), with `…` at the end. Empty for a value that is not a string.
 */
export function plainLine(text: unknown, most = 300): string {
  if (typeof text !== 'string') return '';
  const line = replaceHidden(text.slice(0, most * 4), () => ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}
