import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestCost } from '../../src/client/cost.ts';
import { parseRateLimit } from '../../src/client/rate-limit.ts';
import { parseRetryAfter } from '../../src/values/retry-after.ts';

describe('svc', () => {
  it.each([
    ['limit=600, remaining=599, reset=60', '600;w=60', { limit: 600, remaining: 599, reset: 60, window: 60 }],
    ['LIMIT=120,remaining=0,reset=1', undefined, { limit: 120, remaining: 0, reset: 1, window: undefined }],
    ['remaining=5; reset=2', '600; w = 3', { limit: undefined, remaining: 5, reset: 2, window: 3 }],
    ['limit=600, remaining=-1, reset=60', undefined, undefined],
    ['limit=600, remaining=1, reset=99999999', undefined, undefined],
    ['limit=600, remaining=1e3, reset=60', undefined, undefined],
    ['limit=600, remaining=1', undefined, undefined],
    ['', '', undefined],
  ])('parses the RateLimit header "%s" with the policy "%s" as %j', (ratelimit, policy, expected) => {
    expect(parseRateLimit({ ratelimit, ...(policy === undefined ? {} : { 'ratelimit-policy': policy }) })).toEqual(expected);
  });

  it('reads any RateLimit header as no limit or as numbers of at least zero', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (ratelimit, policy) => {
        const told = parseRateLimit({ ratelimit, 'ratelimit-policy': policy });
        expect(told === undefined || (told.remaining >= 0 && told.reset >= 0)).toBe(true);
      }),
    );
  });
});

describe('svc', () => {
  const now = Date.UTC(2025, 0, 1);
  it.each([
    ['30', 30_000],
    [' 0 ', 0],
    ['9999999999', 86_400_000],
    ['99999999999', 86_400_000],
    ['-1', undefined],
    ['1.5', undefined],
    ['Wed, 01 Jan 2025 00:00:10 GMT', 10_000],
    ['Tue, 31 Dec 2024 23:59:59 GMT', 0],
    ['Wed, 01 Jan 2125 00:00:00 GMT', 86_400_000],
    ['2025-01-02', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('parses the Retry-After header %s as %s ms', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});

describe('the cost of a request', () => {
  const toMany = new Set(['labels', 'comments']);
  it.each([
    [1, 'GET', [], true],
    [3, 'GET', [['view', 'detail']], true],
    [1, 'GET', [['view', 'detail']], false],
    [1, 'POST', [['view', 'detail']], true],
    [2, 'GET', [['include', 'sprint']], true],
    [4, 'GET', [['include', 'labels']], true],
    [6, 'GET', [['include', 'sprint,labels,sprint']], true],
    [3, 'GET', [['q', 'x']], true],
    [3, 'GET', [['with_total', '1']], true],
    [
      12,
      'GET',
      [
        ['view', 'detail'],
        ['include', 'labels,assignee,sprint'],
        ['q', ''],
        ['with_total', '1'],
      ],
      true,
    ],
    [1, 'DELETE', [['include', 'labels']], true],
  ] as const)('is %i rate-limit unit(s) for %s %j (list: %s)', (units, method, query, collection) => {
    expect(requestCost({ method, query, collection, toMany })).toBe(units);
  });

  it('counts a relation as a list of records when svc does not know the relation', () => {
    expect(requestCost({ method: 'GET', query: [['include', 'sprint']] })).toBe(4);
  });
});
