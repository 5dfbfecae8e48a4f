import { afterEach, beforeEach, expect, it } from 'vitest';
import { countRows, rows } from '../../src/client/pages.ts';
import { type ApiFixture, startApi } from '../support/api-fixture.ts';
import { json } from '../support/http-server.ts';

let api: ApiFixture;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const list = { method: 'GET', path: '/worklogs' } as const;
const data = (...ids: number[]) => ids.map((id) => ({ id }));

it('svc reports the position in a list row by row', async () => {
  api.server.script(
    json(200, { data: data(1, 2, 3), meta: { page: { total: 5 } }, links: { next: '?cursor=a' } }),
    json(200, { data: data(4, 5), links: { next: null } }),
  );
  const stream = rows(api.client, list);
  const seen: unknown[] = [stream.position()];
  for await (const { id } of stream) seen.push([id, stream.position()]);
  seen.push(stream.position());
  const at = (count: number, skip: number, cursor: string | undefined) => ({
    rows: count,
    total: 5,
    more: true,
    cursor,
    page: undefined,
    skip,
  });
  expect(seen).toEqual([
    { ...at(0, 0, undefined), total: undefined },
    // A row counts once the caller has taken it.
    [1, at(1, 1, undefined)],
    [2, at(2, 2, undefined)],
    [3, at(3, 3, undefined)],
    [4, at(4, 1, 'a')],
    [5, at(5, 2, 'a')],
    { ...at(5, 0, undefined), more: false },
  ]);
});

it('svc counts rows with the filters of the list, at the cost of one row', async () => {
  api.server.script(json(200, { data: data(1), meta: { page: { total: 7 } }, links: { next: null } }), json(200, { data: [] }));
  const query = [
    ['filter[user_id]', 'me'],
    ['q', 'x'],
    ['qq', 'y'],
    ['trashed', 'only'],
    ['sort', 'id'],
    ['view', 'detail'],
    ['per_page', '100'],
  ] as const;
  const signal = new AbortController().signal;
  expect(await countRows(api.client, '/worklogs', query, signal)).toBe(7);
  expect([...(api.server.requests[0]?.query ?? [])]).toEqual([
    ['filter[user_id]', 'me'],
    ['q', 'x'],
    ['trashed', 'only'],
    ['per_page', '1'],
    ['with_total', '1'],
  ]);
  expect(await countRows(api.client, '/worklogs', [], signal)).toBeUndefined();
});

it.each([[{}], [{ data: {} }], [{ data: [1] }], [{ data: [{}, []] }], ['text'], [null]])('svc refuses %j as a page', async (body) => {
  api.server.script(json(200, JSON.stringify(body)));
  const stream = rows(api.client, { ...list, query: [['q', 'private']] });
  await expect(stream.batches().next()).rejects.toMatchObject({
    message: 'The answer of the service is not a page of records.',
    details: { status: 200, request: `GET ${api.server.origin}/api/v2/worklogs`, request_id: '01JSERVERREQUESTID' },
  });
});

it.each([
  [{ links: { next: '' }, meta: { page: { next_cursor: 'a' } } }],
  [{ links: { next: null }, meta: { page: { next_cursor: 'a' } } }],
  [{ links: {}, meta: { page: { next_cursor: '' } } }],
  [{ links: {}, meta: { page: { next_cursor: 7 } } }],
  [{ links: [], meta: [] }],
])('svc treats a page with %j as the last page', async (rest) => {
  api.server.fallback(json(200, { data: data(1), ...rest }));
  for await (const _ of rows(api.client, list));
  expect(api.server.requests).toHaveLength(1);
});
