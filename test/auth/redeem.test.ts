import { describe, expect, it } from 'vitest';
import { redeemRefreshToken } from '../../src/auth/redeem.ts';
import type { Network, NetworkResponse } from '../../src/deps.ts';
import { NetworkError } from '../../src/errors.ts';
import { recordFor } from './fixtures/auth-scenario.ts';

/** An answer of the token endpoint, or the failure to get one. */
type Attempt = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown } | Error;

const FRESH: Attempt = { status: 200, body: { token_type: 'bearer', access_token: 'new', refresh_token: 'newer', expires_in: 60 } };
const lost = (ran: 'no' | 'maybe') => new NetworkError('Lost.', { ran, kind: 'reset' });
const refused = (error: string): Attempt => ({ status: 400, body: { error } });

/**
 * Requests new tokens with these answers, on a clock that only records.
 * @returns the outcome, the pauses and the number of requests.
 */
async function redeem(...attempts: readonly Attempt[]) {
  const left = [...attempts];
  const pauses: number[] = [];
  let requests = 0;
  const network: Network = {
    async request(): Promise<NetworkResponse> {
      requests += 1;
      const next = left.shift() ?? new Error('Nothing more was to be asked.');
      if (next instanceof Error) throw next;
      const body = typeof next.body === 'string' ? next.body : JSON.stringify(next.body ?? {});
      const headers = { 'content-type': 'application/json', ...next.headers };
      return { status: next.status, headers, text: async () => body } as unknown as NetworkResponse;
    },
    warm: () => undefined,
    close: async () => undefined,
  };
  const clock = { now: () => 5_000, monotonic: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
  const { grant } = recordFor('https://acme.example.com');
  const outcome = await redeemRefreshToken(grant, { network, clock });
  return { outcome, pauses, requests };
}

describe('the second request for new tokens', () => {
  it.each([
    ['a request that may have run', lost('maybe'), [500]],
    ['a request that never left', lost('no'), [500]],
    ['a 500', { status: 500 }, [500]],
    ['a 200 without a token', { status: 200, body: 'hello' }, [500]],
    ['a 429', { status: 429 }, [500]],
    ['a 429 with Retry-After', { status: 429, headers: { 'retry-after': '3' } }, [3_000]],
    ['a 503 with Retry-After 0', { status: 503, headers: { 'retry-after': '0' } }, [0]],
    ['a Retry-After of five seconds', { status: 503, headers: { 'retry-after': '5' } }, [5_000]],
    ['a Retry-After above five seconds', { status: 503, headers: { 'retry-after': '6' } }, [5_000]],
    ['a Retry-After with a date', { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:08 GMT' } }, [3_000]],
    ['a Retry-After in the past', { status: 503, headers: { 'retry-after': '-1' } }, [500]],
  ])('is sent after %s', async (_name, first, expected) => {
    const { outcome, pauses, requests } = await redeem(first, FRESH);
    expect(outcome).toMatchObject({
      kind: 'fresh',
      grant: { access_token: 'new', refresh_token: 'newer', issued_at: 5_000, expires_at: 65_000 },
    });
    expect({ pauses, requests }).toEqual({ pauses: expected, requests: 2 });
  });

  it('is sent after an error code with a 500, but not with a 499', async () => {
    const named = { error: 'unsupported_grant_type' };
    expect((await redeem({ status: 500, body: named }, FRESH)).requests).toBe(2);
    const { outcome, requests } = await redeem({ status: 499, body: named });
    expect([outcome.kind, requests]).toEqual(['failed', 1]);
  });

  it.each([
    ['an answer with new tokens', FRESH, { kind: 'fresh' }],
    ['invalid_grant', refused('invalid_grant'), { kind: 'refused', code: 'invalid_grant', afterUnknown: false }],
    ['invalid_client', refused('invalid_client'), { kind: 'refused', code: 'invalid_client', afterUnknown: false }],
    [
      'another error code',
      refused('odd'.repeat(30)),
      { kind: 'failed', error: { name: 'SignInError', message: `acme.example.com refuses to renew your sign-in: ${'odd'.repeat(20)}.` } },
    ],
    ['an API that is switched off', { status: 404, body: { error: 'odd' } }, { kind: 'failed', error: { name: 'NotFoundError' } }],
  ])('is not sent after %s', async (_name, first, expected) => {
    const { outcome, requests } = await redeem(first);
    expect(outcome).toMatchObject(expected);
    expect(requests).toBe(1);
  });

  it.each([
    ['a request that may have run', lost('maybe'), true],
    ['a request that never left', lost('no'), false],
    ['a 500', { status: 500 }, true],
    ['a 429', { status: 429 }, false],
  ])('records, when refused after %s, whether the first request may have run', async (_name, first, afterUnknown) => {
    expect((await redeem(first, refused('invalid_grant'))).outcome).toEqual({ kind: 'refused', code: 'invalid_grant', afterUnknown });
  });

  it.each([
    [{ status: 429 }, 'RateLimitError', 'acme.example.com accepts no more sign-in requests for now (429).'],
    [{ status: 200, body: 'hello' }, 'UnavailableError', 'acme.example.com answered without a token when svc renewed your sign-in.'],
    [{ status: 400 }, 'UnavailableError', 'acme.example.com answered with the status 400 when svc renewed your sign-in.'],
    [
      { status: 500, body: { error: 'odd' } },
      'UnavailableError',
      'acme.example.com answered with the status 500 when svc renewed your sign-in.',
    ],
    [
      { status: 399, body: { error: 'odd' } },
      'UnavailableError',
      'acme.example.com answered with the status 399 when svc renewed your sign-in.',
    ],
    [lost('maybe'), 'NetworkError', 'Lost.'],
  ])('fails when the second answer is unusable, as in %j', async (attempt, name, message) => {
    const { outcome, requests } = await redeem(attempt, attempt);
    expect(outcome).toMatchObject({ kind: 'failed', error: { name, message } });
    expect(requests).toBe(2);
  });

  it('is not sent after a failure inside svc', async () => {
    await expect(redeem(new TypeError('broken'))).rejects.toThrow('broken');
  });
});
