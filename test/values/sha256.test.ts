import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from '../../src/values/sha256.ts';

it('is what the engine has', () => {
  const same = (text: string) => {
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  };
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000]) same('x'.repeat(length));
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), same));
});
