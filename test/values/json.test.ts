import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, isRawNumber, parseJson, scalarText, stringifyJson } from '../../src/values/json.ts';

describe('a number that JavaScript would change', () => {
  test.each([
    '12345678901234567890',
    '-12345678901234567890',
    '9007199254740993',
    '1.10',
    '1.0',
    '-0',
    '-0.0',
    '1e400',
    '-1E+5',
    '0.1000000000000000055511151231257827',
    '0.0000001',
    '123456789012345.67',
    '52.3702160',
    '1e2',
  ])('stays unchanged, such as %s', (number) => {
    for (const text of [number, `[${number}]`, `{"a":${number}}`, `{"a":[1,{"b":${number}}]}`]) {
      expect(stringifyJson(parseJson(text))).toBe(text);
      expect(stringifyJson(parseJson(text.replace(/([:,[])/g, '$1 \n\t')))).toBe(text);
    }
  });

  test('stays unchanged in any form that JSON allows', () => {
    const digits = fc.stringMatching(/^\d{0,25}$/);
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.constantFrom('0', '1', '10', '9007199254740991'),
        digits,
        digits,
        fc.constantFrom('', 'e5', 'E-12', 'e+400'),
      )
      .map(
        ([sign, first, more, decimals, exponent]) => `${sign}${first === '0' ? '0' : first + more}${decimals && `.${decimals}`}${exponent}`,
      );
    fc.assert(fc.property(fc.array(number, { minLength: 1 }), (numbers) => stringifyJson(parseJson(`[${numbers}]`)) === `[${numbers}]`));
  });
});

test('svc parses JSON to the same value as JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      // JSON.stringify takes both to one spelling; a kept number keeps its own, so it is compared by value.
      expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text));
    }),
  );
});

test('svc parses ordinary numbers as JavaScript numbers', () => {
  expect(parseJson('{"a":1,"b":-2.5,"c":0.25,"d":"1.10","e":999999999999999}')).toEqual({
    a: 1,
    b: -2.5,
    c: 0.25,
    d: '1.10',
    e: 999999999999999,
  });
  // The string beside it makes the parser look closely; the number must not become a kept one for that.
  expect(parseJson('{"text":"it took 1.10 hours","a":1}')).toEqual({ text: 'it took 1.10 hours', a: 1 });
});

test('svc parses a field named __proto__ as a field', () => {
  const value = parseJson('{"__proto__":{"x":1.10}}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(stringifyJson(value)).toBe('{"__proto__":{"x":1.10}}');
});

test('svc throws a SyntaxError for broken JSON', () => {
  for (const text of ['', '{', '[1.10', 'nul']) expect(() => parseJson(text)).toThrow(SyntaxError);
});

test('svc distinguishes exact numbers from objects with the same shape', () => {
  expect(isRawNumber(parseJson('1.10'))).toBe(true);
  expect(isRawNumber({ rawJSON: '1.10' })).toBe(false);
  expect(isJsonObject({ rawJSON: '1.10' })).toBe(true);
  expect([parseJson('1.10'), null, [], 'a', undefined].some(isJsonObject)).toBe(false);
});

test.each([
  ['"a\\nb"', 'a\nb'],
  ['null', ''],
  ['true', 'true'],
  ['1.10', '1.10'],
  ['5', '5'],
  ['{"a":[1.10]}', '{"a":[1.10]}'],
  ['[]', '[]'],
])('svc turns the JSON %s into the text %j', (json, text) => {
  expect(scalarText(parseJson(json))).toBe(text);
});
