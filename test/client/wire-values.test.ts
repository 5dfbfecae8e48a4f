import { describe, expect, it } from 'vitest';
import { type CostOptions, requestCost } from '../../src/client/cost.ts';
import { nextPageUrl, redirectUrl, requestUrl } from '../../src/client/origin.ts';
import { parseRateLimit } from '../../src/client/rate-limit.ts';
import { parseHost } from '../../src/values/addresses.ts';
import { parseRetryAfter } from '../../src/values/retry-after.ts';

describe('svc with a RateLimit header', () => {
  const read = (ratelimit: string, policy?: string) =>
    parseRateLimit({ ratelimit, ...(policy === undefined ? {} : { 'ratelimit-policy': policy }) });

  it.each([
    ['limit=100, remaining=7, reset=30', undefined, { limit: 100, remaining: 7, reset: 30, window: undefined }],
    ['LIMIT = 100; Remaining = 0 ;reset=0', '100; w = 60', { limit: 100, remaining: 0, reset: 0, window: 60 }],
    ['remaining=1, reset=1', '100', { limit: undefined, remaining: 1, reset: 1, window: undefined }],
    ['remaining=1000000000, reset=86400', ';w=86400', { limit: undefined, remaining: 1e9, reset: 86_400, window: 86_400 }],
    ['limit=1000000001, remaining=1, reset=1', ';w=86401', { limit: undefined, remaining: 1, reset: 1, window: undefined }],
    ['remaining=1000000001, reset=1', undefined, undefined],
    ['remaining=1, reset=86401', undefined, undefined],
    ['remaining=1', undefined, undefined],
    ['reset=1', undefined, undefined],
    ['remaining=-1, reset=1', undefined, undefined],
    ['remaining, reset=1', undefined, undefined],
    ['', undefined, undefined],
  ])('reads %j with the policy %j as %j', (header, policy, expected) => {
    expect(read(header, policy)).toEqual(expected);
  });

  it('finds no rate limit when the answer has only the policy', () => {
    expect(parseRateLimit({ 'ratelimit-policy': '100;w=60' })).toBeUndefined();
  });
});

it.each([
  ['0', 0],
  [' 7 ', 7_000],
  ['86400', 86_400_000],
  ['86401', 86_400_000],
  ['12345678901', 86_400_000],
  ['1.5', undefined],
  ['Thu, 01 Jan 2026 00:00:07 GMT', 7_000],
  ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
  ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
  ['Fri, 02 Jan 2026 00:00:00 GMT', 86_400_000],
  ['Sat, 03 Jan 2026 00:00:00 GMT', 86_400_000],
  ['2026-01-01T00:00:07Z', undefined],
  ['Thursday', undefined],
  ['', undefined],
  [undefined, undefined],
])('svc reads the Retry-After value %s as %s ms', (value, ms) => {
  expect(parseRetryAfter(value, Date.UTC(2026, 0, 1))).toBe(ms);
});

it.each<[Partial<CostOptions>, number]>([
  [{}, 1],
  [{ query: [['view', 'detail']] }, 3],
  [{ query: [['view', 'list']] }, 1],
  [{ query: [['view', 'detail']], collection: false }, 1],
  [{ query: [['view', 'detail']], method: 'POST' }, 1],
  [{ query: [['q', '']] }, 3],
  [{ query: [['with_total', '1']] }, 3],
  [{ query: [['with_total', '0']] }, 1],
  [{ query: [['include', 'user, ,tags,']] }, 7],
  [{ query: [['include', 'user,tags']], toMany: new Set(['tags']) }, 5],
  [{ query: [['include', ' tags ,tags']], toMany: new Set(['tags']) }, 7],
  [{ query: [['q', 'x']], method: 'DELETE' }, 1],
])('svc calculates the cost of a request with %j as %i rate-limit units', (options, units) => {
  expect(requestCost({ method: 'GET', query: [], ...options })).toBe(units);
});

describe('svc with an address', () => {
  const host = parseHost('acme.example.com');
  const API = 'https://acme.example.com/api/v2';

  it.each([
    ['/worklogs', `${API}/worklogs`],
    ['worklogs?a=1#top', `${API}/worklogs?a=1`],
    ['/api/v2', API],
    ['/api/v2?a=1', `${API}?a=1`],
    ['/api/v2/me', `${API}/me`],
    ['/api/v20', `${API}/api/v20`],
    [`${API}/me`, `${API}/me`],
  ])('reads the path %s as %s', (path, url) => {
    expect(requestUrl(host, path)).toBe(url);
    expect(requestUrl(host, path, [['q', 'x y']])).toBe(`${url}${url.includes('?') ? '&' : '?'}q=x+y`);
  });

  const ELSEWHERE = [
    'https://beta.example.com/api/v2/me',
    'http://acme.example.com/api/v2/me',
    'https://acme.example.com:8443/api/v2/me',
    'https://ada@acme.example.com/api/v2/me',
    'https://:secret@acme.example.com/api/v2/me',
    'https://[',
  ];
  const OUTSIDE = ['https://acme.example.com/oauth/token', 'https://acme.example.com/api/v20', '/api/v2/../admin'];

  it.each([...ELSEWHERE, ...OUTSIDE])('refuses %s for a request and for a next page', (address) => {
    expect(() => requestUrl(host, address)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: `"${address.replace(/\/\/[^/]*@/, '//…@')}" is not an address of the API of acme.example.com.`,
      }),
    );
    expect(() => nextPageUrl(host, `${API}/worklogs`, address)).toThrow(
      `acme.example.com answered with a next page that svc does not follow: ${address}`,
    );
  });

  it('allows a relative next page, and a redirect outside the API but on the same host', () => {
    expect(nextPageUrl(host, `${API}/worklogs?page=1`, '?page=2#x')).toBe(`${API}/worklogs?page=2`);
    expect(redirectUrl(host, `${API}/worklogs`, '/moved#x')).toBe('https://acme.example.com/moved');
    for (const address of ELSEWHERE) {
      expect(() => redirectUrl(host, API, address)).toThrow(
        `acme.example.com answered with a redirect that svc does not follow: ${address}`,
      );
    }
    expect(() => redirectUrl(host, API, undefined)).toThrow('that svc does not follow: nowhere');
    const long = `https://beta.example.com/${'x'.repeat(300)}`;
    expect(() => redirectUrl(host, API, long)).toThrow(
      expect.objectContaining({ message: `acme.example.com answered with a redirect that svc does not follow: ${long.slice(0, 200)}` }),
    );
    expect(() => requestUrl(host, long)).toThrow(`"${long.slice(0, 200)}" is not an address`);
  });
});
