import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/bundle.ts';
import { PROMISES } from './promises.ts';

// Each protection in docs/explanation/security.md has a test in test/docs/promises.ts that fails without the protection.

const PAGE = 'docs/explanation/security.md';
const HEADER = ['what comes in', 'from whom', 'what could go wrong', 'what stops it'];

const tables = marked
  .lexer(readFileSync(join(ROOT, PAGE), 'utf8'))
  .filter((token): token is Tokens.Table => token.type === 'table')
  .filter(({ header }) => header[0]?.text === HEADER[0]);

const rows = tables.flatMap((table) => table.rows.map((cells) => cells.map(({ text }) => text)));

it('the tables of docs/explanation/security.md have the same four columns, and more than 35 rows', () => {
  expect(tables.map(({ header }) => header.map(({ text }) => text))).toEqual(tables.map(() => HEADER));
  expect(rows.length).toBeGreaterThan(35);
});

describe.each(rows.map((cells) => [cells[0] ?? '', cells[2] ?? '', cells] as const))('the row about %s (%s)', (_in, _wrong, cells) => {
  it('has no empty cell, and its protection is a promise in test/docs/promises.ts', () => {
    expect(cells.filter((cell) => cell === '')).toEqual([]);
    expect(PROMISES[PAGE]?.map(([sentence]) => sentence)).toContain(cells.at(-1));
  });
});
