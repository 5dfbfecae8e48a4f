import { describe, expect, it } from 'vitest';
import { endsSoon, isPast } from '../../src/auth/expiry.ts';
import { recordFor } from './fixtures/auth-scenario.ts';

const MINUTE = 60_000;

describe('endsSoon', () => {
  it.each([
    ['an hour', 60 * MINUTE, 59 * MINUTE],
    ['ten minutes', 10 * MINUTE, 9 * MINUTE],
    ['five minutes', 5 * MINUTE, 4.5 * MINUTE],
    ['zero seconds', 0, 0],
    ['a negative time', -MINUTE, -MINUTE],
  ])('becomes true a minute, or a tenth of the life, before the end of a life of %s', (_life, life, soon) => {
    const { grant } = recordFor('https://acme.example.com', { issued_at: 1_000_000, expires_at: 1_000_000 + life });
    expect(endsSoon(grant, 1_000_000 + soon - 1)).toBe(false);
    expect(endsSoon(grant, 1_000_000 + soon)).toBe(true);
  });
});

describe('isPast', () => {
  const end = Date.parse('2026-02-01T12:00:00Z');

  it('becomes true after the last day in the westernmost time zone', () => {
    const personal = { token: 'secret', expires: '2026-01-31', added_at: 0 };
    expect(isPast(personal, end)).toBe(false);
    expect(isPast(personal, end + 1)).toBe(true);
  });

  it('stays false for a token without an expiry date', () => {
    expect(isPast({ token: 'secret', added_at: 0 }, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
