// Records that change during a list. A new record costs only the pages that it moved.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

let recording: Recording;
beforeAll(async () => {
  recording = await startRecording();
});
afterAll(() => recording.remove());

interface Service {
  readonly path: string;
  readonly counted: boolean;
  readonly newestFirst?: true;
  /** Number of rows before any is created. */
  readonly size: number;
}

/** Returns the requests for rows, without those for counts. */
const pagesOf = (path: string) => recording.sent().filter((line) => line.startsWith(`GET ${path}?`) && !line.includes('per_page=1&'));

/**
 * Starts a resource whose records were created an hour apart.
 * @param when Called before each answer with the query. Can wait, and create a record.
 */
function begin({ path, counted, newestFirst, size }: Service, when: (query: URLSearchParams, create: () => void) => unknown) {
  const stamp = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
  const now = Date.now();
  const row = (id: number, at: string) => ({ id, name: `Row ${id}`, created_at: at, updated_at: at });
  const rows = Array.from({ length: size }, (_, index) => row(index + 1, stamp(now - (size - index) * 3_600_000)));
  const create = () => void rows.push(row(rows.length + 1, stamp(Date.now())));
  const entry = { name: path.slice(1), path, item_path: `${path}/{one}` };
  recording.server.fallback(async (request, response, socket) => {
    const { query } = request;
    if (request.path.endsWith('/me')) return json(200, { id: 7 })(request, response, socket);
    if (!request.path.endsWith(path)) return json(200, { data: [entry], links: { next: null } })(request, response, socket);
    if ((await when(query, create)) === 'refused') return json(401, { detail: 'No.' })(request, response, socket);
    const [from, before] = [query.get('filter[created_at][gte]') ?? '', query.get('filter[created_at][lt]') ?? '~'];
    const isUndated = query.get('filter[created_at][null]') === 'true';
    const chosen = rows.filter(({ created_at: at }) => !isUndated && at >= from && at < before);
    if (newestFirst && query.get('sort') !== 'id') chosen.reverse();
    const perPage = Number(query.get('per_page') ?? 25);
    const [page, cursor] = [query.get('page'), query.get('cursor')];
    const last = chosen.findIndex(({ id }) => id === Number(cursor));
    const start = page === null ? last + 1 : (Number(page) - 1) * perPage;
    const shown = chosen.slice(start, start + perPage);
    const next = new URL(request.url, recording.server.origin);
    if (page === null) next.searchParams.set('cursor', String(shown.at(-1)?.id));
    else next.searchParams.set('page', String(Number(page) + 1));
    const body = {
      data: shown,
      meta: { page: { per_page: perPage, total: counted || query.get('with_total') === '1' ? chosen.length : null } },
      links: { next: start + perPage < chosen.length ? next.href : null },
    };
    json(200, body, { date: new Date().toUTCString() })(request, response, socket);
  });
  recording.sent();
  return Object.assign(() => rows.map(({ id }) => id), { remove: (id: number) => rows.splice(id - 1, 1) });
}

/** Creates one record at the first query for which `isTime` is true. */
function once(isTime: (query: URLSearchParams) => boolean) {
  let isOver = false;
  return (query: URLSearchParams, create: () => void) => {
    if (isOver || !isTime(query)) return;
    isOver = true;
    create();
  };
}

const list = async (path: string, perPage = 5) => {
  const { code, stdout, stderr } = await recording.svc([path.slice(1), 'list', '--per-page', String(perPage), '-o', 'ids']);
  expect(code, stderr).toBe(0);
  return stdout.split('\n').filter(Boolean).map(Number);
};

it.each([
  { size: 60, most: 13, how: 'on a page of its own' },
  { size: 58, most: 12, how: 'on the last page' },
])('a list by page number, oldest first, includes a row created during the list $how', async ({ size, most }) => {
  const ids = begin(
    { path: '/contacts', counted: true, size },
    once((query) => query.get('page') === '4'),
  );
  expect(await list('/contacts')).toEqual(ids());
  const sent = pagesOf('/contacts');
  expect(sent.filter((line) => line.includes('cursor='))).toEqual([]);
  expect(sent.length).toBeLessThanOrEqual(most);
});

it('a list by page number, newest first, re-reads only the pages that a new row shifted', async () => {
  const answered = Promise.withResolvers<void>();
  let isCreated = false;
  const ids = begin({ path: '/contacts', counted: true, newestFirst: true, size: 60 }, async (query, create) => {
    // Page 4 is answered after page 5, and by then has lost its last row to page 5.
    if (query.get('page') === '5' && !isCreated) setImmediate(answered.resolve);
    if (query.get('page') !== '4' || isCreated) return;
    await answered.promise;
    isCreated = true;
    create();
  });
  const listed = await list('/contacts');
  expect(listed).toEqual(ids().slice(0, 60).reverse());
  const sent = pagesOf('/contacts');
  expect(sent.filter((line) => line.includes('cursor='))).toEqual([]);
  // Twelve pages, one more for the new row, and one for each page that was under way.
  expect(sent.length).toBeLessThanOrEqual(12 + 1 + 4);
});

it('svc reads a list without a count only once when somebody creates a row during the list', async () => {
  const ids = begin(
    { path: '/events', counted: false, size: 60 },
    once((query) => query.get('cursor') === '20'),
  );
  expect(await list('/events')).toEqual(ids());
  expect(pagesOf('/events')).toHaveLength(13);
});

it.each([
  { path: '/contacts', counted: true, size: 1_150, pages: 12 },
  { path: '/contacts', counted: true, size: 1_200, pages: 13 },
  // Three ranges, whose last pages are not full.
  { path: '/worklogs', counted: false, size: 2_150, pages: 22 + 4 },
])('svc reads no page of $path ($size rows) twice when somebody creates a row during the export', async ({ pages, ...service }) => {
  let asked = 0;
  const ids = begin(
    service,
    once((query) => query.get('per_page') === '100' && ++asked === 4),
  );
  const directory = join(recording.home, `export-${service.size}`);
  const { code, stderr } = await recording.svc(['export', directory, service.path.slice(1), '--quiet']);
  expect(code, stderr).toBe(0);
  const lines = (await readFile(join(directory, `${service.path.slice(1)}.ndjson`), 'utf8')).split('\n').filter(Boolean);
  const exported = lines.map((line) => (JSON.parse(line) as { id: number }).id);
  expect(exported.slice(0, service.size)).toEqual(ids().slice(0, service.size));
  expect(exported.length).toBeLessThanOrEqual(service.size + 1);
  expect(pagesOf(service.path).length).toBeLessThanOrEqual(pages);
});

it.each([
  { change: 'somebody created a record just before the export', create: true },
  { change: 'somebody deletes a record before svc reads the record', create: false },
])('svc export reads an uncounted long resource only once when $change', async ({ create }) => {
  let isOver = false;
  const ids = begin({ path: '/worklogs', counted: false, size: 2_150 }, (query, createOne) => {
    // The first request for rows, or the one after the count.
    if (isOver || !(create ? query.has('per_page') : query.has('filter[created_at][gte]'))) return;
    isOver = true;
    if (create) createOne();
    else ids.remove(2_100);
  });
  const directory = join(recording.home, `just-${create}`);
  const { code, stderr } = await recording.svc(['export', directory, 'worklogs', '--quiet']);
  expect(code, stderr).toBe(0);
  const lines = (await readFile(join(directory, 'worklogs.ndjson'), 'utf8')).split('\n').filter(Boolean);
  expect(lines.map((each) => (JSON.parse(each) as { id: number }).id)).toEqual(ids());
  expect(pagesOf('/worklogs').length).toBeLessThanOrEqual(22 + 4);
});

it.each([
  { change: 'nothing changed', remove: undefined, most: 6 + 8 },
  // Rows moved to pages that svc had read, so svc reads all pages again by cursor.
  { change: 'a record was deleted', remove: 7, most: 6 + 8 + 12 },
])('an interrupted export resumes at the page of the interruption when $change since then', async ({ remove, most }) => {
  let isRefused = true;
  const ids = begin({ path: '/contacts', counted: true, size: 1_150 }, (query) =>
    isRefused && Number(query.get('page')) >= 7 ? 'refused' : undefined,
  );
  const directory = join(recording.home, `stopped-${remove}`);
  const line = ['export', directory, 'contacts', '--quiet'];
  expect((await recording.svc(line)).code).toBe(4);
  isRefused = false;
  if (remove !== undefined) ids.remove(remove);
  recording.sent();
  const { code, stderr } = await recording.svc(line);
  expect(code, stderr).toBe(0);
  const lines = (await readFile(join(directory, 'contacts.ndjson'), 'utf8')).split('\n').filter(Boolean);
  expect(lines.map((each) => (JSON.parse(each) as { id: number }).id)).toEqual(ids());
  const sent = pagesOf('/contacts');
  expect(sent[0]).toMatch(/page=[5-7]/);
  expect(sent.length).toBeLessThanOrEqual(most);
});
