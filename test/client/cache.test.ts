import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAnswerCache } from '../../src/client/cache.ts';
import type { Files } from '../../src/deps.ts';
import { type ApiFixture, startApi } from '../support/api-fixture.ts';
import { createManualClock } from '../support/clock.ts';
import { json } from '../support/http-server.ts';

let kept: Map<string, string>;
let api: ApiFixture;
/** Milliseconds by which the clock of the machine was set back or forward. */
let offset = 0;
const fake = createManualClock(Date.UTC(2025, 0, 15, 12), true);
const clock = { ...fake, now: () => fake.now() + offset };
const origin = 'https://acme.example.com';

beforeEach(async () => {
  kept = new Map();
  offset = 0;
  api = await startApi({ clock, cache: async () => cacheOf('1') });
});
afterEach(() => api.close());

const files: Pick<Files, 'readText' | 'writeAtomic' | 'remove' | 'list'> = {
  readText: async (path) => kept.get(path),
  writeAtomic: async (path, text) => void kept.set(path, text),
  remove: async (path) => kept.delete(path),
  list: async (directory) =>
    [...kept.keys()].filter((path) => path.startsWith(`${directory}/`)).map((path) => path.slice(directory.length + 1)),
};
const cacheOf = (account: string) => createAnswerCache({ files, clock, directory: '/cache', origin, account });

const labels = { method: 'GET', path: '/labels' } as const;
const page = (name: string, headers: Record<string, string> = {}) =>
  json(200, { data: [{ id: 1, name }] }, { 'cache-control': 'private, max-age=60', etag: 'W/"1"', ...headers });
const nameIn = (body: unknown) => (body as { data: { name: string }[] }).data[0]?.name;

it('svc does not cache a page that has a next page', async () => {
  const first = (name: string) =>
    json(200, { data: [{ id: 1, name }], links: { next: `${origin}/api/v2/labels?cursor=a` } }, { 'cache-control': 'private, max-age=60' });
  api.server.script(first('old'), first('new'));
  await api.client.send(labels);
  expect(nameIn((await api.client.send(labels)).body())).toBe('new');
});

it('svc caches an answer of up to 1,048,576 characters, and deletes the entry when the next answer is larger', async () => {
  const headers = { 'cache-control': 'private, max-age=60' };
  const text = (length: number) => JSON.stringify('x'.repeat(length - 2));
  const cache = cacheOf('1');
  await cache.keep(`${origin}/api/v2/labels`, { url: `${origin}/api/v2/labels`, headers, body: text(1024 * 1024) });
  expect(kept.size).toBe(1);
  await cache.keep(`${origin}/api/v2/labels`, { url: `${origin}/api/v2/labels`, headers, body: text(1024 * 1024 + 1) });
  expect(kept.size).toBe(0);
});

describe('a cached answer', () => {
  it('is used while fresh, and then revalidated with its ETag', async () => {
    api.server.script(page('old'), json(304, undefined, { 'cache-control': 'private, max-age=60', etag: 'W/"1"' }), page('new'));
    expect(nameIn((await api.client.send(labels)).body())).toBe('old');
    clock.advance(59_000);
    expect(nameIn((await api.client.send(labels)).body())).toBe('old');
    expect(api.server.requests).toHaveLength(1);
    clock.advance(1_000);
    const unchanged = await api.client.send(labels);
    expect(unchanged.status).toBe(200);
    expect(nameIn(unchanged.body())).toBe('old');
    expect(api.server.requests[1]?.headers['if-none-match']).toBe('W/"1"');
    clock.advance(59_000);
    await api.client.send(labels);
    expect(api.server.requests).toHaveLength(2);
    clock.advance(1_000);
    expect(nameIn((await api.client.send(labels)).body())).toBe('new');
  });

  it('is not used for another query', async () => {
    api.server.script(page('all'), page('some'));
    await api.client.send(labels);
    expect(nameIn((await api.client.send({ ...labels, query: [['q', 'x']] })).body())).toBe('some');
  });

  it('is deleted by a write to its own resource, but not by a write to another resource', async () => {
    api.server.script(page('old'), json(200, { id: 9 }), json(201, { id: 2 }), page('new'));
    await api.client.send(labels);
    await api.client.send({ method: 'PATCH', path: '/projects/9', body: { json: {} } });
    expect(nameIn((await api.client.send(labels)).body())).toBe('old');
    await api.client.send({ method: 'POST', path: '/labels', body: { json: { name: 'new' } } });
    expect(nameIn((await api.client.send(labels)).body())).toBe('new');
  });

  it('is not used for another account', async () => {
    api.server.script(page('mine'));
    await api.client.send(labels);
    expect(await cacheOf('2').find(`${api.server.origin}/api/v2/labels`)).toBeUndefined();
    expect(await cacheOf('1').find(`${api.server.origin}/api/v2/labels`)).toBeDefined();
  });

  it('is not used when its file is damaged or the clock was set back', async () => {
    api.server.script(page('one'), page('two'), page('three'));
    await api.client.send(labels);
    for (const path of kept.keys()) kept.set(path, '{"url":');
    expect(nameIn((await api.client.send(labels)).body())).toBe('two');
    offset = -24 * 60 * 60_000;
    expect(nameIn((await api.client.send(labels)).body())).toBe('three');
  });
});

describe('an answer that the cache does not store', () => {
  it.each([
    ['marked no-store', { 'cache-control': 'private, max-age=60, no-store' }],
    ['marked No-Store in capitals', { 'cache-control': 'No-Store, max-age=60' }],
    ['without max-age', { 'cache-control': 'private' }],
  ])('is an answer %s', async (_what, headers) => {
    api.server.script(page('a', headers), page('b', headers));
    await api.client.send(labels);
    expect(nameIn((await api.client.send(labels)).body())).toBe('b');
    expect(kept.size).toBe(0);
  });

  it.each([
    ['a later page of a list', { query: [['cursor', 'abc']] as [string, string][] }],
    ['a request with its own If-None-Match', { ifNoneMatch: 'W/"9"' }],
    ['a request with its own headers', { headers: { 'X-Request-Id': 'mine' } }],
  ])('is the answer to %s', async (_what, extra) => {
    api.server.script(page('a'), page('b'));
    await api.client.send({ ...labels, ...extra });
    await api.client.send({ ...labels, ...extra });
    expect(api.server.requests).toHaveLength(2);
    expect(kept.size).toBe(0);
  });

  it('is the answer to a failed request', async () => {
    api.server.script(json(404, {}, { 'cache-control': 'private, max-age=60' }), page('there'));
    await expect(api.client.send(labels)).rejects.toThrow();
    expect(nameIn((await api.client.send(labels)).body())).toBe('there');
  });
});
