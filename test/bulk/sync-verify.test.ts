// svc sync --verify continues after an interruption, and claims no more than was compared.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { svcBinary } from '../support/binary.ts';
import { json } from '../support/http-server.ts';
import { recordsIn } from '../support/local-database-file.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { startRowsService } from '../support/rows-service.ts';

const DAY = 86_400_000;
const CONTACTS = 1_000;
const ITEMS = 150;

let recording: Recording;
let file: string;
/** The service’s clock. */
let now: number;
/** The paths that the service answered, with the cursor of the page. */
let sent: string[];
/** Interrupts svc when the service has answered this path. */
let stopAt: string | undefined;
let stop: AbortController;
/** The contacts that the service does not show. */
let hidden: Set<number>;
/** Names of contacts and texts of comments that are not as at first, by id. */
let names: Map<number, string>;
let comments: Map<number, string>;
/** The work item whose comments the service refuses. */
let refused: string | undefined;
/** The page whose cursor has expired, until svc asks for it. */
let expired: string | undefined;
/** True if the service lists records by descending id, for every value of `sort`. */
let isNewestFirst: boolean;
/** The number of contacts, with the hidden ones. */
let contacts: number;
/** The ids of contacts and work items with a new `updated_at`. */
let touched: Set<number>;

beforeEach(async () => {
  recording = await startRecording();
  file = join(recording.home, 'verify.sqlite');
  now = Date.UTC(2026, 10, 23, 8);
  sent = [];
  stopAt = undefined;
  hidden = new Set();
  names = new Map();
  comments = new Map();
  refused = undefined;
  expired = undefined;
  isNewestFirst = false;
  touched = new Set();
  contacts = CONTACTS;
  recording.server.fallback((request, response, socket) => {
    const headers = { date: new Date(now).toUTCString() };
    const { query } = request;
    const path = request.path.replace('/api/v2', '');
    const stamps = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
    const page = (ids: readonly number[], record: (id: number) => object) => {
      const isFiltered = query.has('filter[updated_at][gte]');
      const chosen = isFiltered ? ids.filter((id) => touched.has(id)) : ids;
      const ordered = isNewestFirst ? chosen.toReversed() : chosen;
      const cursor = Number(query.get('cursor'));
      const after = ordered.findIndex((id) => (isNewestFirst ? id < cursor : id > cursor));
      const from = !query.has('cursor') ? 0 : after < 0 ? ordered.length : after;
      const rows = ordered.slice(from, from + Number(query.get('per_page') ?? 25));
      const next = new URLSearchParams([...query]);
      next.set('cursor', String(rows.at(-1)));
      const isLast = rows.length === 0 || rows.at(-1) === ordered.at(-1);
      const links = { next: isLast ? null : `${request.path}?${next}` };
      const data = rows.map((id) => ({ ...record(id), ...(touched.has(id) && { updated_at: stamp(now) }) }));
      return { data, meta: { page: { total: ordered.length } }, links };
    };
    const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    const shown = () => upTo(contacts).filter((id) => !hidden.has(id));
    const [, item] = /^\/work-items\/(\d+)\/comments$/.exec(path) ?? [];
    const bodies: Readonly<Record<string, () => object>> = {
      '/': () => ({
        data: [
          { name: 'contacts', path: '/contacts', item_path: '/contacts/{contact}' },
          { name: 'work-items', path: '/work-items', item_path: '/work-items/{work_item}' },
          { name: 'comments', path: null, item_path: '/work-items/{work_item}/comments/{comment}' },
        ],
        links: { next: null },
      }),
      '/me': () => ({ data: { id: 7 } }),
      '/contacts': () => page(shown(), (id) => ({ id, name: names.get(id) ?? `Contact ${id}`, ...stamps })),
      '/work-items': () => page(upTo(ITEMS), (id) => ({ id, title: names.get(id) ?? `Item ${id}`, ...stamps })),
    };
    const body =
      item === undefined
        ? bodies[path]?.()
        : page([Number(item)], (id) => ({ id, work_item_id: id, text: comments.get(id) ?? `Comment ${id}`, ...stamps }));
    const place = `${path}${query.has('cursor') ? ` ${query.get('cursor')}` : ''}`;
    sent.push(place);
    if (place === stopAt) stop.abort(new InterruptedError('Interrupted (SIGINT).', { signal: 'SIGINT' }));
    if (item !== undefined && item === refused)
      return json(403, { type: 'https://service.invalid/missing-scope', title: 'Not allowed', status: 403 }, headers)(
        request,
        response,
        socket,
      );
    if (place === expired) {
      expired = undefined;
      json(400, { type: 'invalid-cursor', title: 'Invalid cursor', status: 400 }, headers)(request, response, socket);
    } else if (query.has('include'))
      json(400, { type: 'unsupported-parameter', parameter: 'include', status: 400 }, headers)(request, response, socket);
    else json(body === undefined ? 404 : 200, body ?? { status: 404 }, headers)(request, response, socket);
  });
});
afterEach(() => recording.remove());

/** @param at the path at which svc is interrupted. */
async function sync(words: readonly string[], at?: string): Promise<readonly string[]> {
  now += 3_600_000;
  sent = [];
  stopAt = at;
  stop = new AbortController();
  const { code, stderr } = await recording.svc(['sync', '--to', file, ...words], { now, signal: stop.signal });
  expect(code, stderr).toBe(at === undefined ? 0 : 130);
  return sent;
}

function verifiedAt(noun: string): string | null {
  const database = new DatabaseSync(file, { readOnly: true });
  const found = database.prepare('SELECT verified_at FROM svc_tables WHERE noun = ?').get(noun);
  database.close();
  return (found?.['verified_at'] as string | null) ?? null;
}

const stamp = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
const pagesOf = (all: readonly string[], path: string) => all.filter((each) => each === path || each.startsWith(`${path} `));
const parentsOf = (all: readonly string[]) =>
  all.flatMap((each) => {
    const [, id] = /^\/work-items\/(\d+)\/comments/.exec(each) ?? [];
    return id === undefined ? [] : [Number(id)];
  });

it('svc sync --verify compares only the remaining pages after an interruption within a table', async () => {
  await sync([]);
  const whole = await sync(['--verify']);
  expect(pagesOf(whole, '/contacts')).toHaveLength(CONTACTS / 100);
  await sync(['--verify'], '/contacts 600');
  const interruptedAt = now;
  expect(verifiedAt('contacts')).toBe(stamp(interruptedAt - 3_600_000));
  // On a page that svc has compared. Neither the stamps nor the number of rows show it.
  names.set(5, 'Changed');
  const rest = await sync(['--verify']);
  // The page before the first one that is left links to it.
  expect(pagesOf(rest, '/contacts')).toEqual([500, 600, 700, 800, 900].map((after) => `/contacts ${after}`));
  expect(verifiedAt('contacts')).toBe(stamp(interruptedAt));
  expect(recordsIn(file, 'contacts').get(5)).toContain('Contact 5');
  // Ordinary syncs compare the page that was compared the longest time ago first.
  for (let turn = 0; turn < 30 && !recordsIn(file, 'contacts').get(5)?.includes('Changed'); turn += 1) await sync([]);
  expect(recordsIn(file, 'contacts').get(5)).toContain('Changed');
});

it('svc sync --verify begins a table again when the cursor of an earlier sync has expired', async () => {
  await sync([]);
  await sync(['--verify'], '/contacts 600');
  names.set(5, 'Changed');
  expired = '/contacts 500';
  const [first, ...rest] = pagesOf(await sync(['--verify']), '/contacts');
  expect(first).toBe('/contacts 500');
  expect(rest).toEqual(['/contacts', ...[100, 200, 300, 400, 500, 600, 700, 800, 900].map((after) => `/contacts ${after}`)]);
  expect(recordsIn(file, 'contacts').get(5)).toContain('Changed');
  expect(verifiedAt('contacts')).toBe(stamp(now));
});

it('svc sync --verify completes a table when the remaining pages of an interrupted comparison have no rows', async () => {
  await sync([]);
  await sync(['--verify'], '/contacts 600');
  contacts = 300;
  await sync(['--verify']);
  expect(recordsIn(file, 'contacts').size).toBe(300);
  expect(verifiedAt('contacts')).not.toBeNull();
});

it('svc sync --verify compares every page that an earlier comparison covers only in part', async () => {
  contacts = 250;
  await sync([]);
  await sync(['--verify']);
  contacts = 400;
  hidden = new Set([101, 102, 103]);
  // svc keeps the former last page, which began after 200, for the ids after 300.
  await sync(['--verify'], '/contacts 300');
  hidden.delete(101);
  names.set(390, 'Changed');
  now += DAY;
  // The pages now end at 100, 202 and 302. The kept page ends at 300, so it says nothing about the ids after 302.
  expect(pagesOf(await sync(['--verify']), '/contacts').slice(-2)).toEqual(['/contacts 200', '/contacts 302']);
  expect(recordsIn(file, 'contacts').get(390)).toContain('Changed');
  expect(recordsIn(file, 'contacts').size).toBe(398);
  expect(verifiedAt('contacts')).toBe(stamp(now));
});

it('svc sync --verify compares only the children of the remaining parents after an interruption among child records', async () => {
  await sync([]);
  await sync(['--verify'], '/work-items/130/comments');
  const interruptedAt = now;
  comments.set(3, 'Changed');
  comments.set(149, 'Changed');
  const rest = await sync(['--verify']);
  expect([...pagesOf(rest, '/contacts'), ...pagesOf(rest, '/work-items')]).toEqual([]);
  expect(Math.min(...parentsOf(rest))).toBe(101);
  expect(Math.max(...parentsOf(rest))).toBe(ITEMS);
  const stored = recordsIn(file, 'work-items.comments');
  expect([stored.get(3), stored.get(149)]).toEqual([expect.stringContaining('Comment 3'), expect.stringContaining('Changed')]);
  expect(verifiedAt('work-items.comments')).toBe(stamp(interruptedAt));
  // The next one begins again.
  const again = await sync(['--verify']);
  expect(pagesOf(again, '/contacts')).toHaveLength(CONTACTS / 100);
  expect(new Set(parentsOf(again)).size).toBe(ITEMS);
  expect(recordsIn(file, 'work-items.comments').get(3)).toContain('Changed');
  expect(verifiedAt('work-items.comments')).toBe(stamp(now));
});

it('svc sync compares the children of other parents when the service refuses the children of one parent', async () => {
  await sync(['--no-children']);
  refused = '50';
  await sync([]);
  expect(recordsIn(file, 'work-items.comments').size).toBe(ITEMS - 1);
  for (let turn = 0; turn < 2; turn += 1) await sync(['--verify']);
  expect(verifiedAt('work-items')).toBe(stamp(now));
  expect(verifiedAt('work-items.comments')).toBeNull();
  comments.set(120, 'Changed');
  now += 20 * DAY;
  for (let turn = 0; turn < 3; turn += 1) await sync([]);
  expect(recordsIn(file, 'work-items.comments').get(120)).toContain('Changed');
  refused = undefined;
  await sync([]);
  expect(recordsIn(file, 'work-items.comments').size).toBe(ITEMS);
  expect(verifiedAt('work-items.comments')).not.toBeNull();
});

it('svc sync --verify restarts a day after the interruption', async () => {
  await sync([]);
  await sync(['--verify'], '/contacts 600');
  now += DAY;
  expect(pagesOf(await sync(['--verify']), '/contacts')).toHaveLength(CONTACTS / 100);
});

it('svc sync reads changes from a list in another order than by id, and --verify reports the order', async () => {
  isNewestFirst = true;
  await sync([]);
  names.set(5, 'Changed');
  touched.add(5);
  await sync([]);
  for (const noun of ['contacts', 'work-items']) expect(recordsIn(file, noun).get(5), noun).toContain('Changed');
  const { code, stderr } = await recording.svc(['sync', '--verify', '--to', file], { now });
  const reasons = stderr.match(/(contacts|work-items): The service does not list these records in the order of id/g);
  expect({ code, reasons }, stderr).toMatchObject({ code: 10, reasons: { length: 2 } });
  expect(stderr).not.toContain('--max-units');
});

it('svc sync --verify resumes after svc was killed', { timeout: 300_000 }, async () => {
  const svc = svcBinary();
  const home = await mkdtemp(join(tmpdir(), 'svc-home-'));
  const service = await startRowsService({ worklogs: 12_000 });
  try {
    const start = (...words: string[]) =>
      svc.start(['sync', '--to', 'rows.sqlite', ...words], {
        home,
        env: { SVC_HOST: service.host, SVC_TOKEN: 'a-token', SVC_TOKEN_STORE: 'file' },
      });
    expect((await start().ended).code).toBe(0);
    const before = service.requests();
    const killed = start('--verify');
    await service.reached(before + 115);
    killed.kill('SIGKILL');
    await killed.ended;
    const from = service.requests();
    const { code, stderr } = await start('--verify').ended;
    expect(code, stderr).toBe(0);
    // Of 120 pages, svc had written at least the first 100.
    expect(service.requests() - from).toBeLessThan(40);
  } finally {
    await service.close();
    await rm(home, { recursive: true, force: true });
  }
});
