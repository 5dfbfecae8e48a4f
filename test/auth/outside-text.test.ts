import { expect, it } from 'vitest';
import { outsideText } from '../../src/auth/outside-text.ts';

it.each([
  ['plain', 'plain'],
  ['  two\n\tlines \u2028 and\u0000more\u200bhere  ', 'two lines and more here'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['', ''],
  [7, ''],
  [null, ''],
  [undefined, ''],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), `${'x'.repeat(200)}…`],
  ['x'.repeat(9000), `${'x'.repeat(200)}…`],
])('%j becomes %j', (value, text) => {
  expect(outsideText(value)).toBe(text);
});

it('is cut where the caller says', () => {
  expect([outsideText('abcd', 4), outsideText('abcde', 4)]).toEqual(['abcd', 'abcd…']);
});
