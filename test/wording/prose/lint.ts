import { lexer, type Token, type Tokens } from 'marked';
import { sentenceFindings } from './sentences.ts';
import { TERMS } from './terms.ts';

/** A character after a word. A hyphen or a dot belongs to a longer name. */
const PUNCTUATION = `[.,;:!?'"’”)]`;
const PATTERNS = TERMS.map(([pattern, replacement]) => ({
  pattern: new RegExp(`(?<![-\\w.])\\b${pattern}\\b(?=\\s|${PUNCTUATION}(?:\\s|${PUNCTUATION}|$)|$)`, 'giu'),
  replacement,
}));

/** Returns the findings of a Markdown text by docs/contributing/style.md: the line of the block and the change, in order. */
export function proseFindings(text: string): string[] {
  let line = 1;
  return lexer(text).flatMap((block) => {
    const at = line;
    line += block.raw.split('\n').length - 1;
    return findingsOf(block).map((finding) => `${at} ${finding}`);
  });
}

/** Returns the findings of a block and of all blocks in it. A table cell and a list item count as a paragraph. */
function findingsOf(token: Token): string[] {
  switch (token.type) {
    case 'list':
      return (token as Tokens.List).items.flatMap((item) => item.tokens.flatMap(findingsOf));
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [...header, ...rows.flat()].flatMap(({ text, tokens }) => [...termFindings(tokens), ...sentenceFindings(text)]);
    }
    case 'blockquote':
      return (token as Tokens.Blockquote).tokens.flatMap(findingsOf);
    case 'paragraph':
    case 'text':
      return [...termFindings([token]), ...sentenceFindings(token.raw)];
    default:
      return termFindings([token]);
  }
}

/** Returns the wrong terms of inline tokens, except in code and HTML. */
function termFindings(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if ('tokens' in token && token.tokens !== undefined) return termFindings(token.tokens);
    if (token.type !== 'text') return [];
    return PATTERNS.flatMap(({ pattern, replacement }) =>
      [...token.raw.matchAll(pattern)].map(([term]) => `Incorrect term: “${term}”, use “${replacement}”`),
    );
  });
}
