import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PageOptions, pages, rows } from '../../src/client/pages.ts';
import { UnavailableError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { type ApiFixture, startApi } from '../support/api-fixture.ts';
import { type Answer, hang, json } from '../support/http-server.ts';

let api: ApiFixture;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const list = { method: 'GET', path: '/worklogs' } as const;

/** A resource of `size` records with pages like those of the service, by cursor or by page number. */
function collection(size: number): Answer {
  return (request, response, socket) => {
    const { query } = request;
    const perPage = Number(query.get('per_page') ?? 25);
    const number = query.get('page');
    const from = number === null ? Number((query.get('cursor') ?? 'c0').slice(1)) : (Number(number) - 1) * perPage;
    const data = Array.from({ length: Math.max(0, Math.min(perPage, size - from)) }, (_, index) => ({ id: from + index + 1 }));
    const next = new URLSearchParams(query);
    if (number === null) next.set('cursor', `c${from + perPage}`);
    else next.set('page', String(Number(number) + 1));
    const link = from + perPage < size ? `${api.server.origin}${request.path}?${next}` : null;
    json(200, { data, meta: { page: { per_page: perPage, total: size } }, links: { next: link } })(request, response, socket);
  };
}

/** The same with the links first, because JSON allows any order. */
function oddlyWritten(size: number): Answer {
  return ({ query, path }, response) => {
    const from = Number(query.get('cursor') ?? 0);
    const next = from + 25 < size ? `${api.server.origin}${path}?cursor=${from + 25}` : null;
    response.end(JSON.stringify({ links: { next }, data: Array.from({ length: 25 }, (_, index) => ({ id: from + index })) }));
  };
}

async function collect(stream: AsyncIterable<JsonObject>): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const row of stream) ids.push(row['id']);
  return ids;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const page = (data: unknown[], next: string | null | undefined, extra: object = {}) => json(200, { data, links: { next }, ...extra });

describe('rows of a list', () => {
  it('come in order, with one request per page and the same query', async () => {
    api.server.fallback(collection(60));
    const stream = rows(api.client, {
      ...list,
      query: [
        ['sort', 'id'],
        ['filter[user_id]', 'me'],
      ],
    });
    expect(await collect(stream)).toEqual(upTo(60));
    expect(api.server.requests.map(({ query }) => [query.get('cursor'), query.get('sort'), query.get('filter[user_id]')])).toEqual([
      [null, 'id', 'me'],
      ['c25', 'id', 'me'],
      ['c50', 'id', 'me'],
    ]);
    expect(stream.position()).toMatchObject({ rows: 60, total: 60, more: false, skip: 0 });
  });

  it('are absent for an empty list', async () => {
    api.server.fallback(collection(0));
    expect(await collect(rows(api.client, list))).toEqual([]);
  });

  it('continue at next_cursor when links.next is missing, and end at a null links.next', async () => {
    api.server.script(
      json(200, { data: [{ id: 1 }], meta: { page: { next_cursor: 'abc+/=' } } }),
      json(200, { data: [{ id: 2 }], meta: { page: { next_cursor: 'more' } }, links: { next: null } }),
    );
    expect(await collect(rows(api.client, { ...list, query: [['sort', 'id']] }))).toEqual([1, 2]);
    expect(api.server.requests[1]?.query.get('cursor')).toBe('abc+/=');
    expect(api.server.requests[1]?.query.get('sort')).toBe('id');
  });

  it('come from numbered pages when the query has a page number', async () => {
    api.server.fallback(collection(60));
    const stream = rows(api.client, { ...list, query: [['page', '2']] }, { limit: 30 });
    expect(await collect(stream)).toEqual(upTo(60).slice(25, 55));
    expect(stream.position()).toMatchObject({ rows: 30, more: true, page: '3', cursor: undefined, skip: 5 });
    expect(api.server.requests.every(({ query }) => query.get('per_page') === null)).toBe(true);
  });
});

describe('a row limit', () => {
  it.each([
    [1, ['1']],
    [25, [null]],
    [30, [null, '5']],
    [50, [null, null]],
    [100, [null, null, null]],
  ])('of %i requests no more rows than needed (rules 8.2, 8.11)', async (limit, perPages) => {
    api.server.fallback(collection(60));
    const stream = rows(api.client, list, { limit });
    expect(await collect(stream)).toEqual(upTo(Math.min(limit, 60)));
    expect(api.server.requests.map(({ query }) => query.get('per_page'))).toEqual(perPages);
    const more = limit < 60;
    expect(stream.position()).toMatchObject({ rows: Math.min(limit, 60), more, skip: 0, cursor: more ? `c${limit}` : undefined });
  });

  it('of 0 sends no request', async () => {
    expect(await collect(rows(api.client, list, { limit: 0 }))).toEqual([]);
    expect(api.server.requests).toHaveLength(0);
  });

  it('drops the rows that the service sends beyond the limit', async () => {
    api.server.fallback(page([{ id: 1 }, { id: 2 }, { id: 3 }], null));
    expect(await collect(rows(api.client, list, { limit: 2 }))).toEqual([1, 2]);
  });
});

describe('a list that requests pages early', () => {
  it('requests only one page while the previous page is consumed', async () => {
    api.server.fallback(collection(100));
    const walk = pages(api.client, list);
    await walk.next();
    await api.server.received(2);
    await walk.next();
    await api.server.received(3);
    expect(api.server.requests).toHaveLength(3);
    await walk.return(undefined);
  });

  it.each<[string, Answer, PageOptions]>([
    ['a page', collection(100), {}],
    ['a page of a limited list', collection(1000), { limit: 100 }],
    ['a page without links at its end', oddlyWritten(100), {}],
  ])('sends the next request before the caller gets %s', async (_what, answer, options) => {
    api.server.fallback(answer);
    const events: string[] = [];
    const onSent = () => void events.push('sent');
    subscribe('undici:client:sendHeaders', onSent);
    try {
      for await (const _ of pages(api.client, list, options)) events.push('page');
    } finally {
      unsubscribe('undici:client:sendHeaders', onSent);
    }
    expect(events).toEqual(['sent', 'sent', 'page', 'sent', 'page', 'sent', 'page', 'page']);
  });

  it('aborts the early request when the consumer stops', async () => {
    let closed: Promise<void> | undefined;
    api.server.script(page([{ id: 1 }], '/api/v2/worklogs?cursor=a'), (request, response, socket) => {
      closed = new Promise((resolve) => socket.once('close', () => resolve()));
      hang(request, response, socket);
    });
    for await (const _row of rows(api.client, list)) {
      await api.server.received(2);
      break;
    }
    await closed;
    expect(api.server.requests).toHaveLength(2);
    expect(api.exchanges[1]).toMatchObject({ status: undefined, error: 'This operation was aborted' });
  });

  it('reports the failure of an early page only after the earlier rows', async () => {
    api.server.script(page([{ id: 1 }, { id: 2 }], '/api/v2/worklogs?cursor=a'), json(400, { detail: 'No.' }));
    const stream = rows(api.client, list);
    const got: unknown[] = [];
    const failure = await (async () => {
      for await (const row of stream) {
        await api.server.received(2);
        got.push(row['id']);
      }
    })().catch((error) => error);
    expect(failure).toMatchObject({ name: 'RefusedError', message: 'No.' });
    expect(got).toEqual([1, 2]);
    expect(stream.position()).toMatchObject({ rows: 2, more: true, cursor: 'a', skip: 0 });
  });
});

describe('an unexpected page', () => {
  it.each([
    'https://evil.example/api/v2/worklogs?cursor=a',
    '//evil.example/api/v2/worklogs',
    '/oauth/token',
    '/api/v2/../../oauth/token',
    '/api/v2x/worklogs',
    'javascript:alert(1)',
    'http://user:pass@127.0.0.1/api/v2/worklogs',
    'http://',
  ])('is refused when the next page is at %s', async (next) => {
    api.server.fallback(page([{ id: 1 }], next));
    await expect(collect(rows(api.client, list))).rejects.toBeInstanceOf(UnavailableError);
    expect(api.server.requests).toHaveLength(1);
  });

  it('is refused when the links lead back to an earlier page', async () => {
    api.server.script(page([{ id: 1 }], '/api/v2/worklogs?cursor=a'), page([{ id: 2 }], '/api/v2/worklogs?cursor=b'));
    api.server.fallback(page([{ id: 3 }], '/api/v2/worklogs?cursor=a'));
    await expect(collect(rows(api.client, list))).rejects.toThrow(/form a loop/);
    expect(api.server.requests).toHaveLength(3);
  });

  it.each(['{}', '{"data":{}}', '{"data":[1]}', 'null', '"text"', '{"data":null}'])('is refused when the body is %s', async (body) => {
    api.server.fallback(json(200, body));
    await expect(collect(rows(api.client, list))).rejects.toThrow(/not a page/);
  });

  it('leads svc to the last of two next links', async () => {
    api.server.script(json(200, '{"data":[{"id":1}],"links":{"next":"/api/v2/worklogs?cursor=wrong","next":"/api/v2/worklogs?cursor=b"}}'));
    api.server.fallback((request, response, socket) => {
      const cursor = request.query.get('cursor');
      json(200, { data: [{ id: cursor === 'b' ? 2 : 99 }], links: { next: null } })(request, response, socket);
    });
    expect(await collect(rows(api.client, list))).toEqual([1, 2]);
  });

  it('is the whole list when the body is a bare array', async () => {
    api.server.fallback(json(200, [{ id: 1 }]));
    expect(await collect(rows(api.client, list))).toEqual([1]);
  });
});
