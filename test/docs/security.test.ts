import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/bundle.ts';
import { faultOfNamed } from './named-tests.ts';

// Each boundary of docs/explanation/security.md names the test that fails without what stops it.

const HEADER = ['what comes in', 'from whom', 'what could go wrong', 'what stops it', 'test'];

const tables = marked
  .lexer(readFileSync(join(ROOT, 'docs/explanation/security.md'), 'utf8'))
  .filter((token): token is Tokens.Table => token.type === 'table')
  .filter(({ header }) => header.at(-1)?.text === 'test');

const rows = tables.flatMap((table) => table.rows.map((cells) => cells.map(({ text }) => text)));

it('docs/explanation/security.md has a table of every boundary', () => {
  expect(tables.map(({ header }) => header.map(({ text }) => text))).toEqual(tables.map(() => HEADER));
  expect(rows.length).toBeGreaterThan(35);
});

describe.each(rows.map((cells) => [cells[0] ?? '', cells[2] ?? '', cells] as const))('%s: %s', (_in, _wrong, cells) => {
  it('has every cell, and names tests that exist', () => {
    expect(cells.filter((cell) => cell === '')).toEqual([]);
    const named = [...(cells.at(-1) ?? '').matchAll(/`([\w/.-]+\.ts)`: `([^`]+)`/g)];
    // Nothing else is in the cell.
    expect(named.map(([text]) => text).join(', ')).toBe(cells.at(-1));
    expect(named.flatMap(([, path = '', title = '']) => faultOfNamed(path, title) ?? [])).toEqual([]);
  });
});
