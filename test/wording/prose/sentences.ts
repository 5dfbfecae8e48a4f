/** The highest number of words in a sentence. */
const MOST_WORDS = 20;

/** Matches a clause without a subject at the start of a sentence. A question may start so. */
const HEADLESS = /^(?:What|Whoever|Whatever|Whose|Where|Wherever)\b(?!.*\?$)/;

/**
 * Returns the findings of a paragraph: a sentence has at most twenty words, and starts with its subject or its verb. Code counts as one
 * word.
 */
export function sentenceFindings(paragraph: string): string[] {
  return sentencesOf(paragraph).flatMap((sentence) => {
    const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    if (words > MOST_WORDS) return [`${words} words in one sentence: “${sentence}”`];
    return HEADLESS.test(sentence) ? [`No subject at the start: “${sentence}”`] : [];
  });
}

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
