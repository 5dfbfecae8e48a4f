import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { meetingsOf, rowsThatMeet } from './meetings.ts';
import { allPairs } from './pairs.ts';
import { COMBINATIONS, type OptionName } from './table.ts';

const anyAxes = fc
  .array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 7 })
  .map((sizes) => Object.fromEntries(sizes.map((size, index) => [`axis${index}`, Array.from({ length: size }, (_, value) => value)])));

test('the combinations contain each pair of values of two options, and the first combination has the defaults', () => {
  fc.assert(
    fc.property(anyAxes, fc.integer(), (options, seed) => {
      const rows = allPairs(options, seed);
      const names = Object.keys(options);
      const met = new Set(rows.flatMap((row) => meetingsOf(row, names)));
      const all = names.flatMap((a, index) =>
        names.slice(index + 1).flatMap((b) => (options[a] ?? []).flatMap((x) => (options[b] ?? []).map((y) => `${a}=${x} ${b}=${y}`))),
      );
      expect(all.filter((pair) => !met.has(pair))).toEqual([]);
      expect(rows[0]).toEqual(Object.fromEntries(names.map((name) => [name, 0])));
      expect(allPairs(options, seed)).toEqual(rows);
    }),
    { numRuns: 50 },
  );
});

it('fewer than half of the combinations cover all pairs of four options', () => {
  const matters: readonly OptionName[] = ['summary', 'falseInSummary', 'hoursFilters', 'person'];
  const rows = COMBINATIONS as readonly (Record<string, unknown> & (typeof COMBINATIONS)[number])[];
  const chosen = rowsThatMeet(rows, matters);
  const met = (some: typeof rows) => new Set(some.flatMap((row) => meetingsOf(row, matters)));
  expect(met(chosen)).toEqual(met(rows));
  expect(chosen[0]).toBe(rows[0]);
  expect(chosen.length).toBeLessThan(rows.length / 2);
});
