import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { INTERPRETATIONS } from '../../src/sandbox/interpretations.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

/** The rows of the tables of options: names, their questions of chapter 18, and values. */
const ROWS = readFileSync(join(DOCS, 'guides/sandbox.md'), 'utf8')
  .split('\n')
  .map((line) => /^\| (`\w+`(?:, `\w+`)*) \| (—|18\.\d+(?:, 18\.\d+)*) \| (.*) \|$/.exec(line)?.slice(1) ?? [])
  .filter((row) => row.length > 0)
  .map(([names = '', questions = '', values = '']) => ({
    names: names.replaceAll('`', '').split(', '),
    questions: questions.split(', '),
    values,
  }));

/** RFC 8414 and RFC 9207 say more than the service's own documentation, and its API spec is named there and not shown. */
const BEYOND: readonly string[] = ['issuer', 'issParameter', ...Object.keys(INTERPRETATIONS).filter((name) => name.startsWith('openapi'))];

test('every open question of the service rules has an option of the sandbox (rules 18.1 to 18.36)', () => {
  const chapter = readFileSync(join(DOCS, 'service-rules.md'), 'utf8');
  const questions = [...chapter.matchAll(/^\| (18\.\d+) \|/gm)].map(([, number]) => number);
  const answered = new Set(ROWS.flatMap((row) => row.questions));
  expect(questions.filter((question) => question === undefined || !answered.has(question))).toEqual([]);
});

test('docs/guides/sandbox.md lists every option, and its question except for OAuth metadata and the API spec', () => {
  const named = ROWS.flatMap(({ names }) => names);
  expect(named.toSorted()).toEqual(Object.keys(INTERPRETATIONS).toSorted());
  const unasked = ROWS.filter(({ questions }) => questions.includes('—')).flatMap(({ names }) => names);
  expect(unasked.toSorted()).toEqual(BEYOND.toSorted());
});

describe('the values of each option in docs/guides/sandbox.md', () => {
  test.each(Object.entries(INTERPRETATIONS))('start with the default for the option %s', (name, values) => {
    const row = ROWS.find(({ names }) => names.includes(name));
    const places = values.map((value) => row?.values.indexOf(`\`${String(value)}\``) ?? -1);
    expect(places).not.toContain(-1);
    expect(places[0]).toBe(Math.min(...places));
  });
});
