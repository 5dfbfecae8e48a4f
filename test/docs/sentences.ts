import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import { ROOT } from '../support/bundle.ts';

/** The pages whose promises need a test. */
export const PAGES: readonly string[] = [
  'README.md',
  ...globSync('docs/{tutorial,guides,explanation}/*.md', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort(),
];

/** Matches words of a sentence that may promise something. */
const PROMISING =
  /\b(?:never|always|only|exactly|at most|at least|nothing|nobody|no|none|twice|within|nowhere|refuses?|refused|guarantees?)\b/i;

/**
 * Returns the sentences of a page that have a promising word outside code, in Markdown with single blanks.
 * A table cell and a list item count as a paragraph. Leaves out headings, code blocks and the tables that security.test.ts checks.
 */
export function promisingSentences(page: string): string[] {
  const texts = [...textsOf(marked.lexer(contentOf(page)))];
  return [...new Set(texts.flatMap(sentencesOf))].filter((sentence) => PROMISING.test(sentence.replace(/`[^`]*`|\]\([^)]*\)/g, '')));
}

function* textsOf(tokens: readonly Token[]): Generator<string> {
  for (const token of tokens) {
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table;
      if (header.at(-1)?.text !== 'what stops it') for (const cell of rows.flat()) yield cell.text;
    } else if (token.type === 'list') yield* textsOf((token as Tokens.List).items.flatMap(({ tokens: within }) => within));
    else if (token.type === 'blockquote') yield* textsOf((token as Tokens.Blockquote).tokens);
    else if (token.type === 'paragraph' || token.type === 'text') yield token.text as string;
  }
}

function sentencesOf(text: string): string[] {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?]\)?\**) (?=[*[(`“A-Z]|svc\b)/)
    .map((part) => part.trim());
}

export function contentOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}
