import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, decideRetry, isRepeatable, type RetryOptions } from '../../src/client/retry.ts';

const STOP = { action: 'stop' };
const status = (code: number, retryAfterMs?: number): AttemptOutcome => ({ kind: 'status', status: code, retryAfterMs });
const network = (ran: 'no' | 'maybe', failure = 'reset'): AttemptOutcome => ({ kind: 'network', ran, failure }) as AttemptOutcome;

/** Decides with the longest random pause, and a wait of at most a minute. */
function decide(outcome: AttemptOutcome, options: Partial<RetryOptions> = {}) {
  return decideRetry(outcome, { repeatable: true, retries: 0, refusals: 0, maxWaitMs: 60_000, random: () => 1, ...options });
}

describe('a 429 answer', () => {
  it.each([
    [undefined, 0, { action: 'refused', ms: 1_000 }],
    [undefined, 2, { action: 'refused', ms: 2_000 }],
    [undefined, 29, { action: 'refused', ms: 20_000 }],
    [0, 0, { action: 'refused', ms: 1_000 }],
    [1_001, 0, { action: 'refused', ms: 1_001 }],
    [60_000, 0, { action: 'refused', ms: 60_000 }],
  ])('is retried for Retry-After %s ms after %i earlier refusals', (asked, refusals, decision) => {
    // A 429 did not run and is not a failure. Repeatability and earlier retries do not matter.
    expect(decide(status(429, asked), { refusals, retries: 9, repeatable: false })).toEqual(decision);
  });

  it.each([
    [undefined, 30],
    [60_001, 0],
  ])('is not retried for Retry-After %s ms after %i earlier refusals', (asked, refusals) => {
    expect(decide(status(429, asked), { refusals, retries: 0, repeatable: true })).toEqual(STOP);
  });
});

describe('the status of an answer', () => {
  it.each([
    [500, {}, { action: 'retry', ms: 500 }],
    [502, { retries: 1 }, { action: 'retry', ms: 1_000 }],
    [503, { retries: 3 }, { action: 'retry', ms: 4_000 }],
    [504, { retries: 4 }, STOP],
    [500, { repeatable: false }, STOP],
    [501, {}, STOP],
    [404, {}, STOP],
    [200, {}, STOP],
  ])('decides whether svc sends the request again, for %i with %j', (code, options, decision) => {
    expect(decide(status(code), options)).toEqual(decision);
  });

  it('allows a retry after the Retry-After of a 503, up to the longest wait', () => {
    expect(decide(status(503, 0))).toEqual({ action: 'retry', ms: 0 });
    expect(decide(status(503, 60_000))).toEqual({ action: 'retry', ms: 60_000 });
    expect(decide(status(503, 60_001))).toEqual(STOP);
  });
});

describe('a network failure', () => {
  it.each([
    [network('maybe'), {}, { action: 'retry', ms: 500 }],
    [network('no'), { repeatable: false }, { action: 'retry', ms: 500 }],
    // The length does not matter, because the pause is the choice of svc.
    [network('no'), { retries: 3, maxWaitMs: 1 }, { action: 'retry', ms: 4_000 }],
  ])('is retried for %j with %j', (outcome, options, decision) => {
    expect(decide(outcome, options)).toEqual(decision);
  });

  it.each([
    [network('maybe'), { repeatable: false }],
    [network('no', 'tls'), {}],
    [network('maybe', 'too-large'), {}],
    [network('no'), { retries: 4 }],
  ])('is not retried for %j with %j', (outcome, options) => {
    expect(decide(outcome, options)).toEqual(STOP);
  });
});

it('a pause has a random length between zero and its maximum', () => {
  expect(decide(network('no'), { retries: 2, random: () => 0 })).toEqual({ action: 'retry', ms: 0 });
  expect(decide(network('no'), { retries: 2, random: () => 0.25 })).toEqual({ action: 'retry', ms: 500 });
});

it.each(['GET', 'HEAD', 'DELETE'])('svc can repeat an unconfirmed %s with or without a key', (method) => {
  expect(isRepeatable(method, {})).toBe(true);
  expect(isRepeatable(method, { 'idempotency-key': 'a' })).toBe(true);
});

it.each(['PATCH', 'POST'])('svc can repeat an unconfirmed %s only with a key', (method) => {
  expect(isRepeatable(method, {})).toBe(false);
  expect(isRepeatable(method, { 'idempotency-key': 'a' })).toBe(true);
});
