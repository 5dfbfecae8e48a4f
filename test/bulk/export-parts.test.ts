// svc export reads a long list without row counts in parts by creation time, and proves that the parts are complete.
import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Answer, json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

/** Three parts of 700 rows. svc reads the first part by cursor. */
const ROWS = 2_100;
const START = Date.UTC(2026, 0, 1);
const stamp = (id: number) => `${new Date(START + id * 60_000).toISOString().slice(0, 19)}Z`;

const REFUSED = json(400, { type: 'invalid-filter', title: 'No such filter', status: 400 });

let recording: Recording;
let directory: string;
let rows: number[];
/** The ids that the service counts as rows without a creation time. */
let undated: readonly number[];
/** The counts that svc requested. */
let counts: string[];
/** Runs before an answer with rows. A returned answer replaces the answer. */
let before: (url: URLSearchParams) => Promise<Answer | undefined>;
beforeEach(async () => {
  recording = await startRecording();
  directory = join(recording.home, 'out');
  rows = Array.from({ length: ROWS }, (_, at) => at + 1);
  undated = [];
  before = async () => undefined;
  recording.server.fallback(async (request, response, socket) => {
    const { query, path } = request;
    const headers = { date: new Date(START + (ROWS + 1) * 60_000).toUTCString() };
    const answer = (body: object) => json(200, body, headers)(request, response, socket);
    if (path.endsWith('/me')) return answer({ data: { id: 7 } });
    if (!path.endsWith('/labels'))
      return answer({ data: [{ name: 'labels', path: '/labels', item_path: '/labels/{id}' }], links: { next: null } });
    const other = await before(query);
    if (other !== undefined) return other(request, response, socket);
    const isTime = ([name, value]: readonly [string, string]) => !name.startsWith('filter[created_at][') || /Z$|^true$/.test(value);
    if (![...query].every(isTime)) return REFUSED(request, response, socket);
    const isFitting = (id: number) =>
      stamp(id) >= (query.get('filter[created_at][gte]') ?? '') && stamp(id) < (query.get('filter[created_at][lt]') ?? '~');
    const chosen = query.has('filter[created_at][null]') ? undated : rows.filter(isFitting);
    const rest = chosen.filter((id) => id > Number(query.get('cursor') ?? 0));
    const data = rest.slice(0, Number(query.get('per_page') ?? 25)).map((id) => ({ id, name: `Label ${id}`, created_at: stamp(id) }));
    const next = new URLSearchParams(query);
    next.set('cursor', String(data.at(-1)?.id));
    const links = { next: rest.length > data.length ? `${path}?${next}` : null };
    answer({ data, links, meta: { page: { total: query.get('with_total') === '1' ? chosen.length : null } } });
  });
});
afterEach(() => recording.remove());

async function run(...flags: string[]) {
  recording.sent();
  const { code, stderr } = await recording.svc(['export', directory, 'labels', ...flags], { hurried: true });
  const sent = recording.sent().filter((line) => line.includes('/labels?'));
  counts = sent.filter((line) => !line.includes('per_page=100'));
  return { code, stderr, sent: sent.filter((line) => line.includes('per_page=100')) };
}

async function ids(): Promise<number[]> {
  const lines = (await readFile(join(directory, 'labels.ndjson'), 'utf8')).trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { id: number }).id);
}

const isOfPart = (line: string) => line.includes('filter[created_at][gte]');
/** Ends the export, because svc cannot sign in again. */
const ENDED = json(401, { title: 'No' });

it('svc export reads three parts in parallel, and every row once', async () => {
  const { code, stderr, sent } = await run();
  expect(code, stderr).toBe(0);
  expect(await ids()).toEqual(rows);
  // The first request of a part tests the filter.
  expect(sent.filter(isOfPart).filter((line) => !line.includes('cursor='))).toHaveLength(2);
  // The read by cursor ends at the first row of the parts.
  expect(sent.filter((line) => !isOfPart(line)).length).toBeLessThan(ROWS / 100);
  // The rows fit the first count.
  expect(counts.filter((line) => line.includes('filter'))).toEqual([]);
});

it.each([
  ['accepts the parts after a deletion, if a new count fits', 0],
  ['reads all rows by cursor after a deletion, if a row has no creation time', 1],
])('svc export %s', async (_, number) => {
  undated = Array.from({ length: number }, () => 1);
  before = async (query) => {
    if (query.get('cursor') === '1900') rows = rows.filter((id) => id !== 2_000);
    return undefined;
  };
  const { code, stderr, sent } = await run();
  expect(code, stderr).toBe(0);
  expect(await ids()).toEqual(rows);
  expect(sent.filter((line) => !isOfPart(line) && line.includes('cursor=1900'))).toHaveLength(number);
  expect(counts.filter((line) => line.includes('filter'))).toHaveLength(2 - number);
});

it('svc export reads both parts in parallel after the service accepted the first page of a part', async () => {
  const asked = Promise.withResolvers<void>();
  const starts = new Set<string | null>();
  before = async (query) => {
    if (!query.has('filter[created_at][gte]')) return undefined;
    starts.add(query.get('filter[created_at][gte]'));
    if (starts.size === 2) asked.resolve();
    // The first part gets its second page after a request for the second part.
    if (query.has('cursor')) await asked.promise;
    return undefined;
  };
  expect(await run()).toMatchObject({ code: 0 });
  expect(await ids()).toEqual(rows);
});

it('svc export reads by cursor alone with --parallel 1', async () => {
  const { code, stderr, sent } = await run('--parallel', '1');
  expect(code, stderr).toBe(0);
  expect(await ids()).toEqual(rows);
  expect(sent).toHaveLength(ROWS / 100);
  expect(sent.filter((line) => line.includes('filter'))).toEqual([]);
});

it('svc export reads all rows by cursor when the service refuses a part and the counts fit', async () => {
  let refusals = 0;
  before = async (query) => {
    // The last page of the last part. As many rows of the first page are deleted at the same time.
    if (!query.has('filter[created_at][gte]') || query.get('cursor') !== '2000') return undefined;
    refusals += 1;
    rows = rows.filter((id) => id > 100);
    return REFUSED;
  };
  const { code, stderr } = await run();
  expect(code, stderr).toBe(0);
  expect(refusals).toBe(1);
  expect((await ids()).slice(-ROWS + 100)).toEqual(rows);
});

it('svc export resumes with the complete parts, and reads a part again if its file is too short', async () => {
  before = async (query) => {
    if (query.has('filter[created_at][gte]') || query.get('cursor') !== '300') return undefined;
    // Both parts are complete before the read by cursor fails.
    await vi.waitFor(async () =>
      expect((await readFile(join(directory, '.svc-export.json'), 'utf8')).split('"done":true')).toHaveLength(3),
    );
    return ENDED;
  };
  expect((await run()).code).toBe(4);
  expect((await run()).sent.filter(isOfPart)).toEqual([]);
  await truncate(join(directory, 'labels.ndjson.part-1'), 5);
  before = async () => undefined;
  const { code, stderr, sent } = await run();
  expect(code, stderr).toBe(0);
  expect(new Set(sent.filter(isOfPart).map((line) => /gte\]=([^&]*)/.exec(line)?.[1])).size).toBe(1);
  expect(await ids()).toEqual(rows);
});
