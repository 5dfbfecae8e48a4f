import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { EQUIVALENT } from '../../scripts/mutate/equivalent.ts';
import { mutantsOf, mutate } from '../../scripts/mutate/mutants.ts';
import { sample } from '../../scripts/mutate/sample.ts';

const changes = (source: string) => mutantsOf('a.ts', source).map(({ change }) => change);
const mutants = (source: string) => mutantsOf('a.ts', source).map((mutant) => mutate(source, mutant));

describe('the changes of a source', () => {
  it.each([
    ['x(a === b);', ['x(a !== b);']],
    ["x(a !== '');", ["x(a === '');", "x(a !== 'mutated');"]],
    ['x(a < b, c >= d);', ['x(a <= b, c >= d);', 'x(a < b, c > d);']],
    ['x((a || b) && c);', ['x(((a || b) || c));', 'x(((a && b)) && c);']],
    ['x((a && b) ?? c);', ['x((a && b));', 'x(c);', 'x(((a || b)) ?? c);']],
    ['x(!(a || b) && c);', ['x((!(a || b) || c));', 'x((a || b) && c);', 'x(!((a && b)) && c);']],
    ['x(a ? b : c);', ['x(b);', 'x(c);']],
    ['x(-1n, 2);', ['x(1n, 2);', 'x(-2n, 2);', 'x(-0n, 2);', 'x(-1n, 3);', 'x(-1n, 1);']],
    ['n += 1;', ['n -= 1;', 'n += 2;', 'n += 0;']],
    ['for (;;) i++;', ['for (;;) i--;']],
    ['x(list.some(y));', ['x(list.every(y));']],
    ['switch (a) { case "b": }', ["switch (a) { case '': }"]],
  ])('%s', (source, expected) => {
    expect(mutants(source)).toEqual(expect.arrayContaining(expected));
    // A call that is left out, beside them.
    expect(mutants(source).filter((text) => text !== ';')).toHaveLength(expected.length);
  });

  it('settle a condition, and turn it round once', () => {
    expect(changes('if (a > 1) b;')).toEqual(['a > 1 → true', 'a > 1 → false', 'a > 1 → !(a > 1)', 'a > 1 → a >= 1', '1 → 2', '1 → 0']);
    expect(changes('if (!a) b;')).toEqual(['!a → true', '!a → false', '!a → a']);
    expect(changes('if (a === b) c;')).toEqual(['a === b → true', 'a === b → false', 'a === b → a !== b']);
    expect(changes('while (a) b;')).toEqual(['a → false', 'a → !(a)']);
  });

  it('leave out what is thrown, returned, called and awaited', () => {
    expect(changes('async function f() { throw e; return; await g(); h(); }')).toEqual([
      'throw e; → ;',
      'return; → ;',
      'await g(); → ;',
      'h(); → ;',
    ]);
  });

  it('leave types, comments and texts that nothing is compared with alone', () => {
    expect(changes('// a === 1\ntype A = 1 | "b" | true; import x from "x"; const y: -1 | A = x as -2;\nx satisfies 3;')).toEqual([]);
    expect(changes('const text = "a < b";')).toEqual([]);
  });

  it('know where they stand', () => {
    expect(mutantsOf('a.ts', 'x;\n\n  // “é”\n  y < z;\n')).toEqual([expect.objectContaining({ file: 'a.ts', line: 4, text: 'y < z;' })]);
  });
});

test('a sample is the same for the same seed, in order, and never longer than what there is', () => {
  const items = Array.from({ length: 50 }, (_, index) => index);
  const taken = sample(items, 10, 3);
  expect(taken).toEqual(sample(items, 10, 3));
  expect(taken).not.toEqual(sample(items, 10, 4));
  expect(new Set(taken).size).toBe(10);
  expect(taken).toEqual([...taken].sort((one, other) => one - other));
  expect(sample(items, 99, 1)).toEqual(items);
});

test('every change that is said to make no difference is still there to be made, once', () => {
  for (const { file, text, change } of EQUIVALENT) {
    const found = mutantsOf(file, readFileSync(file, 'utf8')).filter((mutant) => mutant.text === text && mutant.change === change);
    expect(found, `${file}: ${change}`).toHaveLength(1);
  }
});
