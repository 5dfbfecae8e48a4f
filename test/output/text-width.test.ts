import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitColumns } from '../../src/output/grid.ts';
import { cutToWidth, padToWidth, textWidth } from '../../src/output/text-width.ts';

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['ab cdef', 4, 'ab…'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['a👩‍👩‍👧b', 3, 'a…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ['שלום', 3, 'של…'],
  ['abc', 1, '…'],
  ['abc', 0, ''],
])('svc cuts %j to %d columns as %j', (text, width, cut) => {
  expect(cutToWidth(text, width)).toBe(cut);
});

test('svc cuts and pads text to the exact width', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('left' as const, 'right' as const),
      (text, width, align) => {
        fc.pre(!/\p{Cc}/u.test(text));
        expect(textWidth(padToWidth(cutToWidth(text, width), width, align))).toBe(width);
      },
    ),
  );
});

test.each([
  // natural widths, which stay whole, total, expected
  [[10, 20], [false, false], 80, [10, 20]],
  [[10, 60, 20], [false, false, false], 64, [10, 30, 20]],
  [[10, 60, 60], [true, false, false], 74, [10, 30, 30]],
  [[10, 61, 60], [true, false, false], 75, [10, 31, 30]],
  [[20, 60], [true, false], 30, [20, 8]],
  [[20, 60], [true, false], 22, [14, 6]],
  [[20, 60], [true, false], 10, [6, 6]],
  [[3, 60], [true, false], 5, [3, 6]],
  [[], [], 80, []],
])('svc fits table columns of the widths %j (keeps a width: %j) into %d characters', (naturals, whole, total, widths) => {
  const needs = naturals.map((natural, index) => ({ natural, whole: whole[index] ?? false }));
  expect(fitColumns(needs, total, 2)).toEqual(widths);
});
