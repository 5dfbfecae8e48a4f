import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainLine, isUnsafe, plainLine, replaceHidden } from '../../src/values/hidden-characters.ts';

/** Each hidden character in angle brackets, as its number. */
const shown = (text: string) => replaceHidden(text, (character) => `<${character.codePointAt(0)?.toString(16)}>`);

/** Every code point that Unicode calls ignorable or a control of direction, and the controls. */
const HIDDEN = [...Array(0x110000).keys()]
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cc}]/u.test(character))
  .filter((character) => character !== '\t' && character !== '\n');

describe('a hidden character', () => {
  it('is any control or ignorable character between two Latin letters, except tab and line feed', () => {
    expect(HIDDEN.length).toBeGreaterThan(4_000);
    expect(HIDDEN.filter((character) => isPlainLine(`a${character}b`))).toEqual([]);
  });

  it('is replaced at its position', () => {
    expect(shown('in\u202evoice\u200b \u00ad\u{e0061}\u001b[0m\u009b')).toBe('in<202e>voice<200b> <ad><e0061><1b>[0m<9b>');
  });

  it('is a joiner, selector or tag that the text does not need', () => {
    expect(shown('😀\ufe0f\ufe0e\u{e0100}')).toBe('😀\ufe0f<fe0e><e0100>');
    expect(shown('葛\u{e0100}\u{e0101}')).toBe('葛\u{e0100}<e0101>');
    expect(shown('می\u200c\u200cخواهم')).toBe('می\u200c<200c>خواهم');
    expect(shown('1\ufe0f 🏴\u{e0061}\u{e007f}')).toBe('1<fe0f> 🏴<e0061><e007f>');
    expect(shown('pass\u200dword')).toBe('pass<200d>word');
  });

  it('is absent from any text in which svc replaced hidden characters', () => {
    const piece = fc.oneof(fc.constantFrom(...HIDDEN), fc.constantFrom('😀', '👍🏽', 'a', '1', '\u20e3', '葛', 'ی', 'क', '🏴', 'ᠮ'));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = shown(pieces.join(''));
        expect(isUnsafe(text)).toBe(false);
        expect(shown(text)).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });
});

it('joined emoji, keycaps, flags and scripts contain no hidden character', () => {
  const emoji = '👩‍👩‍👧 👩🏽‍💻 ❤️‍🔥 🏳️‍🌈 🏴‍☠️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿 1️⃣ #️⃣ 🐈‍⬛ 🍄‍🟫 ⛹🏽‍♀️ 👁️‍🗨️ 🙂‍↔️ ©️ ☺︎ 🇳🇱';
  const scripts = ['می‌خواهم', 'ه‍', 'क्‍ष', 'ന്‍', '葛󠄀城', 'ᠮᠣᠩᠭᠣᠯ᠋', 'Zoë', '日本', 'עברית'];
  for (const text of [...emoji.split(' '), ...scripts]) expect(isPlainLine(text), text).toBe(true);
});

it.each([
  ['plain', 'plain'],
  ['  two\n\tlines \u2028 and\u0000more\u200bhere  ', 'two lines and more here'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['\ud800', '\ufffd'],
  ['', ''],
  [7, ''],
  [null, ''],
  [undefined, ''],
  ['x'.repeat(300), 'x'.repeat(300)],
  ['x'.repeat(301), `${'x'.repeat(299)}…`],
  ['x'.repeat(9000), `${'x'.repeat(299)}…`],
])('svc turns %j into the line %j', (value, text) => {
  expect(plainLine(value)).toBe(text);
});

it('svc cuts only a line that is longer than the limit', () => {
  expect([plainLine('abcd', 4), plainLine('abcde', 4)]).toEqual(['abcd', 'abc…']);
});
