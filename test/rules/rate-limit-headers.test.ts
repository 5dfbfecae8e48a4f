import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RateLimitError } from '../../src/errors.ts';
import { type ApiFixture, startApi } from '../support/api-fixture.ts';
import { json } from '../support/http-server.ts';

// What svc's client makes of the headers and bodies that tell of the budget: chapters 14, 15 and 17 of docs/service-rules.md.

let api: ApiFixture;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const GET = { method: 'GET', path: '/me' };
const PATCH = { method: 'PATCH', path: '/worklogs/1', body: { json: { minutes: 5 } } };
const told = (limit: number, remaining: number, reset: number) => ({ ratelimit: `limit=${limit}, remaining=${remaining}, reset=${reset}` });

describe('the RateLimit header', () => {
  test('applies in a failure too, so svc waits when no rate-limit unit is left (rules 15.32, 15.34)', async () => {
    api.server.script(json(200, {}, told(600, 500, 20)), json(404, {}, told(600, 0, 20)), json(200, {}, told(600, 599, 60)));
    await api.client.send(GET);
    await api.client.send({ ...GET, keepProblem: true });
    expect(api.clock.slept).toEqual([]);
    await api.client.send(GET);
    await api.client.send(GET);
    expect(api.clock.slept).toEqual([20_000]);
  });

  test('makes svc wait for the limit of the organisation too, and svc lists both limits (rule 15.33)', async () => {
    api.server.script(json(200, {}, told(600, 500, 20)), json(200, {}, told(3000, 0, 40)));
    await api.client.send(GET);
    await api.client.send(GET);
    await api.client.send(GET);
    expect(api.clock.slept).toEqual([40_000]);
    expect(api.client.limits()).toMatchObject([{ limit: 600 }, { limit: 3000 }]);
  });

  test('delays a write after a read only when no rate-limit unit for reading is left (rules 15.6 to 15.9)', async () => {
    api.server.script(json(200, {}, told(600, 1, 20)), json(200, {}, told(120, 100, 50)));
    await api.client.send(GET);
    await api.client.send({ ...PATCH, cost: 7 });
    expect(api.clock.slept.filter((ms) => ms >= 1000)).toEqual([]);
    await api.client.send({ ...PATCH, cost: 7 });
    expect(api.clock.monotonic()).toBeGreaterThanOrEqual(20_000);
    expect(api.clock.monotonic()).toBeLessThan(21_000);
  });

  test('delays writes after a write, but not reads (rules 15.6, 15.7)', async () => {
    api.server.script(json(200, {}, told(120, 0, 30)));
    await api.client.send(PATCH);
    await api.client.send(GET);
    expect(api.clock.slept).toEqual([]);
    await api.client.send(PATCH);
    expect(api.clock.slept).toEqual([30_000]);
  });

  test('applies after a refresh too, because the limit belongs to the app (rule 15.14)', async () => {
    api.server.script(json(401, {}, told(600, 0, 25)), json(200, {}));
    await api.client.send(GET);
    expect(api.server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer first-secret', 'Bearer second-secret']);
    expect(api.clock.slept).toEqual([25_000]);
  });

  test('gets its window from the policy header (rules 15.35, 15.36)', async () => {
    api.server.script(json(200, {}, { ...told(600, 599, 60), 'ratelimit-policy': '600;w=60' }));
    await api.client.send(GET);
    expect(api.client.limits()).toEqual([{ kind: 'read', limit: 600, remaining: 599, reset: 60, window: 60 }]);
  });

  test.each([
    ['in the syntax of the present draft', { ratelimit: '"default";r=0;t=50', 'ratelimit-policy': '"default";q=600;w=60' }],
    ['with invalid contents', { ratelimit: 'none' }],
    ['when absent', {}],
    ['when only the old headers are present (rules 15.37 to 15.39)', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' }],
  ])('has no effect %s (rules 15.36, 18.14)', async (_, headers: Record<string, string>) => {
    api.server.fallback(json(200, {}, headers));
    for (let count = 0; count < 3; count++) await api.client.send(GET);
    expect([api.clock.slept, api.client.limits()]).toEqual([[], []]);
  });

  test('takes precedence over the deprecated headers (rules 15.37, 15.38, 17.7)', async () => {
    const old = { 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' };
    api.server.fallback(json(200, {}, { ...told(600, 400, 30), ...old }));
    await api.client.send(GET);
    await api.client.send(GET);
    expect([api.clock.slept, api.client.limits()]).toMatchObject([[], [{ remaining: 400 }]]);
  });
});

describe('a 429', () => {
  test('makes svc wait even for a limit that no header shows (rules 15.10 to 15.13)', async () => {
    api.server.script(json(200, {}, told(600, 580, 30)), json(429, {}, { 'retry-after': '12' }), json(200, {}));
    await api.client.send(GET);
    await api.client.send(GET);
    expect(api.clock.slept).toEqual([12_000]);
  });

  test.each([
    ['the header Retry-After', { 'retry-after': '7' }, {}],
    ['the body, without Retry-After', {}, { rate_limit: { limit: 600, retry_after: 7 } }],
    ['Retry-After, even if the body has another time', { 'retry-after': '7' }, { rate_limit: { limit: 600, retry_after: 50 } }],
  ])('makes svc wait for the time in %s (rules 14.10, 14.28)', async (_, headers: Record<string, string>, body) => {
    api.server.script(json(429, body, headers), json(200, {}));
    await api.client.send(PATCH);
    expect(api.clock.slept).toEqual([7000]);
    expect(api.server.requests).toHaveLength(2);
  });

  test('makes svc report the seconds and stop when the wait is longer than five minutes (rules 14.10, 14.27)', async () => {
    api.server.script(json(429, { rate_limit: { limit: 600, retry_after: 301 } }));
    const failure = await api.client.send(GET).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RateLimitError);
    expect(failure).toMatchObject({ details: { status: 429, retry_after: 301 } });
    expect(api.clock.slept).toEqual([]);
  });
});
