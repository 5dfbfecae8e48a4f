import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';

// Each boundary of docs/security.md names the test that fails without what stops it.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HEADER = ['what comes in', 'from whom', 'what could go wrong', 'what stops it', 'test'];

const tables = marked
  .lexer(readFileSync(join(ROOT, 'docs/security.md'), 'utf8'))
  .filter((token): token is Tokens.Table => token.type === 'table')
  .filter(({ header }) => header.at(-1)?.text === 'test');

const rows = tables.flatMap((table) => table.rows.map((cells) => cells.map(({ text }) => text)));

it('docs/security.md has a table of every boundary', () => {
  expect(tables.map(({ header }) => header.map(({ text }) => text))).toEqual(tables.map(() => HEADER));
  expect(rows.length).toBeGreaterThan(35);
});

describe.each(rows.map((cells) => [cells[0] ?? '', cells[2] ?? '', cells] as const))('%s: %s', (_in, _wrong, cells) => {
  it('has every cell, and names tests that exist', () => {
    expect(cells.filter((cell) => cell === '')).toEqual([]);
    const named = [...(cells.at(-1) ?? '').matchAll(/`([\w/.-]+\.ts)`: `([^`]+)`/g)];
    // Nothing else is in the cell.
    expect(named.map(([text]) => text).join(', ')).toBe(cells.at(-1));
    for (const [, path = '', title = ''] of named) {
      const file = join(ROOT, 'test', path);
      expect(existsSync(file), path).toBe(true);
      expect(titlesOf(readFileSync(file, 'utf8')), path).toContain(title);
    }
  });
});

/** The titles in a file of tests: first arguments before a function or options. Of one that begins with a calculated number, the rest. */
function titlesOf(source: string): string[] {
  return [...source.matchAll(/\(\s*(['"`])((?:(?!\1).)+)\1,\s*(?:async )?[({]/g)].map(([, , title = '']) =>
    title.replace(/^\$\{\w+\} /, ''),
  );
}
