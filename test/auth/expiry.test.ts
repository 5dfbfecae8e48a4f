import { describe, expect, it } from 'vitest';
import { endsSoon, isPast } from '../../src/auth/expiry.ts';
import { recordFor } from './fixtures/auth-scenario.ts';

const MINUTE = 60_000;

describe('an access token', () => {
  it.each([
    ['an hour', 'one minute before its end', 60 * MINUTE, 59 * MINUTE],
    ['ten minutes', 'one minute before its end', 10 * MINUTE, 9 * MINUTE],
    ['five minutes', '30 seconds before its end', 5 * MINUTE, 4.5 * MINUTE],
    ['zero seconds', 'at its end', 0, 0],
    ['minus one minute', 'at its end', -MINUTE, -MINUTE],
  ])('with a lifetime of %s needs a renewal %s', (_life, _when, life, soon) => {
    const { grant } = recordFor('https://acme.example.com', { issued_at: 1_000_000, expires_at: 1_000_000 + life });
    expect(endsSoon(grant, 1_000_000 + soon - 1)).toBe(false);
    expect(endsSoon(grant, 1_000_000 + soon)).toBe(true);
  });
});

describe('a personal access token', () => {
  const end = Date.parse('2026-02-01T12:00:00Z');

  it('expires after its last day in the westernmost time zone', () => {
    const personal = { token: 'secret', expires: '2026-01-31', added_at: 0 };
    expect(isPast(personal, end)).toBe(false);
    expect(isPast(personal, end + 1)).toBe(true);
  });

  it('never expires without an expiry date', () => {
    expect(isPast({ token: 'secret', added_at: 0 }, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
