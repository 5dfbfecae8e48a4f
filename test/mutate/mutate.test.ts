import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, test } from 'vitest';
import { EQUIVALENT } from '../../scripts/mutate/equivalent.ts';
import { mutantsOf, mutate } from '../../scripts/mutate/mutants.ts';
import { probe } from '../../scripts/mutate/probes.ts';
import { sample } from '../../scripts/mutate/sample.ts';
import { testsOf } from '../../scripts/mutate/test-files.ts';

const changes = (source: string) => mutantsOf('a.ts', source).map(({ change }) => change);
const mutants = (source: string) => mutantsOf('a.ts', source).map((mutant) => mutate(source, mutant));

describe('the mutations of a source file', () => {
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
  ])('change one operator, operand or value in %s', (source, expected) => {
    expect(mutants(source)).toEqual(expect.arrayContaining(expected));
    // A call that is left out, beside them.
    expect(mutants(source).filter((text) => text !== ';')).toHaveLength(expected.length);
  });

  it('replace a condition with true and with false, and negate the condition once', () => {
    expect(changes('if (a > 1) b;')).toEqual(['a > 1 → true', 'a > 1 → false', 'a > 1 → !(a > 1)', 'a > 1 → a >= 1', '1 → 2', '1 → 0']);
    expect(changes('if (!a) b;')).toEqual(['!a → true', '!a → false', '!a → a']);
    expect(changes('if (a === b) c;')).toEqual(['a === b → true', 'a === b → false', 'a === b → a !== b']);
    expect(changes('while (a) b;')).toEqual(['a → false', 'a → !(a)']);
  });

  it('remove statements that throw, return, call or await, and leave their values unchanged', () => {
    expect(changes('async function f() { throw e; return; await g(); h(); }')).toEqual([
      'throw e; → ;',
      'return; → ;',
      'await g(); → ;',
      'h(); → ;',
    ]);
  });

  it('leave types and comments unchanged, and also strings that no code compares', () => {
    expect(changes('// a === 1\ntype A = 1 | "b" | true; import x from "x"; const y: -1 | A = x as -2;\nx satisfies 3;')).toEqual([]);
    expect(changes('const text = "a < b";')).toEqual([]);
  });

  it('have the line number and the text of the line', () => {
    expect(mutantsOf('a.ts', 'x;\n\n  // “é”\n  y < z;\n')).toEqual([expect.objectContaining({ file: 'a.ts', line: 4, text: 'y < z;' })]);
  });
});

describe('probes', () => {
  const SOURCE = `
    export function sizeOf(count) {
      if (count < 0) throw new RangeError('below zero');
      for (const limit of [1, 5]) if (count <= limit) return limit === 1 ? 'small' : 'middling';
      return later();
      function later(word = 'large' + 1) {
        return count > 100 && 'huge' || word;
      }
    }`;

  afterEach(() => {
    globalThis.svcReached = undefined;
  });

  /** The changes that a call gets to. */
  async function reachedBy(count: number): Promise<[result: unknown, changes: readonly string[]]> {
    const { text, regionOf } = probe('a.ts', SOURCE);
    const reached = new Set<string>();
    globalThis.svcReached = (region) => void reached.add(region);
    const { sizeOf } = await import(`data:text/javascript,${encodeURIComponent(text)}//${count}`);
    const result = sizeOf(count);
    return [result, mutantsOf('a.ts', SOURCE).flatMap((mutant) => (reached.has(regionOf(mutant) ?? '') ? [mutant.change] : []))];
  }

  it.each([
    [1, 'small', ["limit === 1 ? 'small' : 'middling' → 'small'", 'count <= limit → true'], ['return later(); → ;']],
    [5, 'middling', ["limit === 1 ? 'small' : 'middling' → 'small'"], ['return later(); → ;', 'count > 100 → count >= 100']],
    [6, 'large1', ['return later(); → ;', 'count > 100 → count >= 100', "'large' + 1 → 'large' - 1"], ['limit === 1 → limit !== 1']],
    [101, 'huge', ['count > 100 → count >= 100'], ["throw new RangeError('below zero'); → ;"]],
  ])('report which mutations of a function run for the argument %i, and keep its result', async (count, result, run, notRun) => {
    const [given, changes] = await reachedBy(count);
    expect(given).toBe(result);
    expect(changes).toEqual(expect.arrayContaining(run));
    for (const change of notRun) expect(changes).not.toContain(change);
  });
});

test('a mutation runs the tests that import its file, except tests that need a bundle', () => {
  const tests = testsOf('.', ['src/values/text.ts'], ['test/commands/api', 'test/values', 'test/e2e', 'test/sandbox/pages']);
  expect(tests).toEqual(expect.arrayContaining(['test/commands/api.test.ts', 'test/values/dates.test.ts']));
  expect(tests.filter((path) => !path.startsWith('test/commands/api') && !path.startsWith('test/values/'))).toEqual([]);
});

test('a sample is the same for the same seed, in order, and no longer than the list', () => {
  const items = Array.from({ length: 50 }, (_, index) => index);
  const taken = sample(items, 10, 3);
  expect(taken).toEqual(sample(items, 10, 3));
  expect(taken).not.toEqual(sample(items, 10, 4));
  expect(new Set(taken).size).toBe(10);
  expect(taken).toEqual([...taken].sort((one, other) => one - other));
  expect(sample(items, 99, 1)).toEqual(items);
});

test('every mutation that is listed as harmless exists once', () => {
  for (const { file, text, change } of EQUIVALENT) {
    const found = mutantsOf(file, readFileSync(file, 'utf8')).filter((mutant) => mutant.text === text && mutant.change === change);
    expect(found, `${file}: ${change}`).toHaveLength(1);
  }
});
