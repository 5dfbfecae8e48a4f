// The examples of RFC 8785, and numbers that the RFC excludes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/values/canonical-json.ts';
import { parseJson, stringifyJson } from '../../src/values/json.ts';

const canonical = (text: string) => canonicalJson(parseJson(text));

/** Returns the double with these 64 bits, as in appendix B of the RFC. */
function doubleOf(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE();
}

describe('canonical JSON', () => {
  it('equals the example of section 3.2.2 of RFC 8785', () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonical(text)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts keys by UTF-16 code units, as the example of section 3.2.3 of RFC 8785 does', () => {
    const text = String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
      "\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`;
    expect([...canonical(text).matchAll(/:"([A-Z][a-z]+)/g)].map(([, word]) => word)).toEqual([
      'Carriage',
      'One',
      'Control',
      'Latin',
      'Euro',
      'Emoji',
      'Hebrew',
    ]);
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('has the double %s of appendix B of RFC 8785 as %s', (bits, expected) => {
    const double = doubleOf(bits);
    expect(canonicalJson(double)).toBe(expected);
    // Another program can write the same double with other digits.
    expect([canonical(expected), canonical(`[${double.toExponential()}]`)]).toEqual([expected, `[${expected}]`]);
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['12345678901234567890123', '12345678901234567890123e0'],
    ['1e400', '1e400'],
    ['10.0e+399', '1e400'],
    ['4e-999', '4e-999'],
    ['0.1234567890123456789', '1234567890123456789e-19'],
    ['9007199254740992.5', '90071992547409925e-1'],
    ['1.10', '1.1'],
    ['-0.00', '0'],
  ])('keeps the exact value of %s', (source, expected) => {
    expect(canonical(`{"n":${source}}`)).toBe(`{"n":${expected}}`);
  });

  it('keeps an unpaired surrogate apart from other texts', () => {
    expect(canonical(String.raw`["\ud800","\ufffd"]`)).toBe('["\\ud800","\ufffd"]');
  });

  it('gives equal values the same text, and different values different texts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const text = canonicalJson(parseJson(stringifyJson(one as never)));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(one)));
        expect(canonical(text)).toBe(text);
        expect(text === canonicalJson(parseJson(stringifyJson(other as never)))).toBe(
          isEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))),
        );
      }),
    );
  });
});

function isEqual(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}
