import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked, type Token, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';

// How the documents read in a browser: what Markdown makes of them, where links lead, and whether each page is found at all.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name).replaceAll('\\', '/')),
];

interface Page {
  readonly headings: readonly Tokens.Heading[];
  readonly tables: readonly Tokens.Table[];
  readonly links: readonly (Tokens.Link | Tokens.Image)[];
  /** What passes through as HTML, so that a browser takes it for tags. */
  readonly html: readonly string[];
  /** What a link may name behind its #. */
  readonly anchors: ReadonlySet<string>;
}

const read = new Map<string, Page>();

function pageOf(path: string): Page {
  const known = read.get(path);
  if (known !== undefined) return known;
  const all: Token[] = [];
  const tokens = marked.lexer(readFileSync(join(ROOT, path), 'utf8'));
  marked.walkTokens(tokens, (token) => void all.push(token));
  const of = <T extends Token>(type: string) => all.filter((token) => token.type === type) as T[];
  const headings = tokens.filter((token) => token.type === 'heading') as Tokens.Heading[];
  const page: Page = {
    headings,
    tables: of<Tokens.Table>('table'),
    links: all.filter((token) => token.type === 'link' || token.type === 'image') as (Tokens.Link | Tokens.Image)[],
    html: of<Tokens.HTML>('html').map(({ text }) => text.trim()),
    anchors: anchorsOf(headings),
  };
  read.set(path, page);
  return page;
}

/** The anchors that the usual forges give headings: lower case, without punctuation, dashes for blanks, a number for the second of a kind. */
function anchorsOf(headings: readonly Tokens.Heading[]): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { tokens } of headings) {
    const slug = plain(tokens)
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ('tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? String(token.text) : ''))
    .join('');
}

function isInside(href: string): boolean {
  return !/^[a-z][a-z+.-]*:/i.test(href);
}

/** The path below the project that a link of a page leads to, and what stands behind its #. */
function targetOf(page: string, href: string): { readonly path: string; readonly anchor: string | undefined } {
  const [path = '', anchor] = decodeURI(href).split('#');
  return { path: path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path)), anchor };
}

function isThere(path: string): boolean {
  return !path.startsWith('..') && statSync(join(ROOT, path), { throwIfNoEntry: false }) !== undefined;
}

describe.each(PAGES)('%s', (path) => {
  it('has one title, and headings that skip no level', () => {
    const { headings } = pageOf(path);
    expect(headings[0]?.depth).toBe(1);
    expect(headings.filter(({ depth }) => depth === 1)).toHaveLength(1);
    for (const [index, { depth, text }] of headings.entries()) {
      expect(text.trim()).not.toBe('');
      expect(depth, text).toBeLessThanOrEqual((headings[index - 1]?.depth ?? 0) + 1);
    }
  });

  it('has links whose pages and headings exist', () => {
    const faults = pageOf(path).links.flatMap(({ href, text, type }) => {
      if (text.trim() === '') return `${type} ${href} says nothing`;
      if (!isInside(href)) return [];
      const { path: target, anchor } = targetOf(path, href);
      if (!isThere(target)) return `${href} is not there`;
      return anchor === undefined || pageOf(target).anchors.has(anchor) ? [] : `${href} names no heading`;
    });
    expect(faults).toEqual([]);
  });

  it('has tables with rows of equal length, and no text that looks like an HTML tag', () => {
    const { html, tables } = pageOf(path);
    const torn = tables.flatMap(({ raw, header }) =>
      raw
        .trim()
        .split('\n')
        .filter((row) => row.replaceAll('\\|', '').trim().replace(/^\|/, '').replace(/\|$/, '').split('|').length !== header.length),
    );
    expect(torn).toEqual([]);
    expect(html.filter((text) => !/^<!--[\s\S]*-->$/.test(text))).toEqual([]);
  });
});

describe('the README', () => {
  it('shows no line of code that is too wide for common forges', () => {
    const tokens = marked.lexer(readFileSync(join(ROOT, 'README.md'), 'utf8'));
    const lines = tokens.flatMap((token) => (token.type === 'code' ? (token as Tokens.Code).text.split('\n') : []));
    expect(lines.filter((line) => line.length > 98)).toEqual([]);
  });
});

describe('all pages', () => {
  it('can be reached from the README', () => {
    const found = new Set(['README.md']);
    for (const path of found) {
      for (const { href } of pageOf(path).links) {
        const target = isInside(href) ? targetOf(path, href).path : '';
        // Of a directory a browser shows its README.
        const page = PAGES.find((known) => known === target || known === join(target, 'README.md'));
        if (page !== undefined) found.add(page);
      }
    }
    expect(PAGES.filter((page) => !found.has(page))).toEqual([]);
  });
});
