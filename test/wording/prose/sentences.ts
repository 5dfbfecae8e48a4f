/** The part of textlint’s rule context that the rule uses. */
interface RuleContext {
  readonly RuleError: new (message: string) => object;
  getSource(node: object): string;
  report(node: object, error: object): void;
}

/** The highest number of words in a sentence. */
const MOST_WORDS = 20;

/** Matches a clause without a subject at the start of a sentence. A question may start so. */
const HEADLESS = /^(?:What|Whoever|Whatever|Whose|Where|Wherever)\b(?!.*\?$)/;

/**
 * A rule of textlint: a sentence has at most twenty words, and starts with its subject or its verb. Code counts as one word. A table cell
 * and a list item count as a paragraph.
 */
export const sentences = ({ RuleError, getSource, report }: RuleContext) => {
  const check = (node: object): void => {
    for (const sentence of sentencesOf(getSource(node))) {
      const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      if (words > MOST_WORDS) report(node, new RuleError(`${words} words in one sentence: “${sentence}”`));
      else if (HEADLESS.test(sentence)) report(node, new RuleError(`No subject at the start: “${sentence}”`));
    }
  };
  return { Paragraph: check, TableCell: check };
};

/** Returns the sentences of Markdown, without emphasis marks, link addresses and the content of code. */
function sentencesOf(source: string): string[] {
  const text = source
    .replace(/`[^`]*`/g, 'code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_]+(?=\S)|(?<=\S)[*_]+/g, '')
    .replace(/\s+/g, ' ');
  return [...new Intl.Segmenter('en-GB', { granularity: 'sentence' }).segment(text)].flatMap(({ segment }) =>
    segment.split(/(?<=[.:;!?]) /).map((part) => part.trim()),
  );
}
