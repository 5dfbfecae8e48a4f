import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeUnsafe, neutraliseLine, neutraliseText } from '../../src/output/neutralise.ts';
import { isUnsafe } from '../../src/values/hidden-characters.ts';

/** Everything a terminal acts on, that reorders text or shows nothing wherever it stands; written apart from the code it checks. */
const DANGEROUS =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e001f}]/u;

test.each([
  ['plain ünïcode 日本 👩‍👩‍👧', 'plain ünïcode 日本 👩‍👩‍👧'],
  ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
  ['\u001b]0;title\u0007', '␛]0;title␇'],
  ['a\tb\r\nc\u2028d', 'a b c d'],
  ['\u009b2J', '\\u009b2J'],
  ['invoice\u202efdp.exe', 'invoice\\u202efdp.exe'],
  ['\u0000\u007f', '␀␡'],
  ['no\u200bthing \u{e0061}to see', 'no\\u200bthing \\udb40\\udc61to see'],
  ['\ud800', '\ufffd'],
])('svc prints %j on one line', (text, expected) => {
  expect(neutraliseLine(text)).toBe(expected);
});

test('svc keeps the lines and tabs of a text, and escapes characters that rewrite a line', () => {
  expect(neutraliseText('a\r\nb\rc\n\td\u001b[1A')).toBe('a\nb\nc\n\td␛[1A');
});

test('svc leaves no control or hidden character in any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.integer({ min: 0, max: 0x2070 }).map((code) => String.fromCharCode(code))).map((a) => a.join('')),
  );
  fc.assert(
    fc.property(text, (typed) => {
      expect(neutraliseLine(typed)).not.toMatch(DANGEROUS);
      expect(neutraliseText(typed).replace(/[\n\t]/g, '')).not.toMatch(DANGEROUS);
      expect(isUnsafe(neutraliseText(typed))).toBe(false);
      expect(neutraliseLine(neutraliseLine(typed))).toBe(neutraliseLine(typed));
    }),
    { numRuns: 500 },
  );
});

test('JSON with escaped hidden characters parses to the original text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeUnsafe(JSON.stringify(text));
      expect(escaped).not.toMatch(DANGEROUS);
      expect(JSON.parse(escaped)).toBe(text);
    }),
  );
});
