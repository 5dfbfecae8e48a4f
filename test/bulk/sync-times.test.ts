// What a sync claims about its tables, compared with the service: times of completeness, late changes, refused child records, and the
// state after a kill before each write to the database.
import { createHash } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { json } from '../support/http-server.ts';
import { recordsIn } from '../support/local-database-file.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { runKillable } from '../support/run-killable.ts';

interface Row {
  readonly id: number;
  name: string;
  updated_at: string;
  hidden?: boolean;
}

const START = Date.UTC(2026, 10, 23, 8);
const HOUR = 3_600_000;
const stamp = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

let recording: Recording;
let file: string;
let turn = 0;
/** The service’s clock, which `pace` milliseconds move before each answer. */
let now: number;
let pace: number;
let contacts: Row[];
let items: Row[];
/** A comment of each work item, with the id of the work item. */
let comments: Map<number, Row>;
/** The work item whose comments the service refuses. */
let refused: number | undefined;
/** Runs once after the first answer with this parameter. */
let after: { readonly parameter: string; readonly run: () => void } | undefined;

beforeAll(async () => {
  recording = await startRecording();
});
afterAll(() => recording.remove());

beforeEach(() => {
  turn += 1;
  file = join(recording.home, `times-${turn}.sqlite`);
  now = START;
  pace = 0;
  refused = undefined;
  after = undefined;
  const rows = (count: number, updatedAt: string) =>
    Array.from({ length: count }, (_, at): Row => ({ id: at + 1, name: `Row ${at + 1}`, updated_at: updatedAt }));
  contacts = rows(450, stamp(START - HOUR));
  items = rows(5, stamp(START - HOUR));
  comments = new Map(rows(5, stamp(START - HOUR)).map((row) => [row.id, row]));
  recording.server.fallback((request, response, socket) => {
    now += pace;
    const headers = { date: new Date(now).toUTCString() };
    const { query } = request;
    const path = request.path.replace('/api/v2', '');
    const [, item] = /^\/work-items\/(\d+)\/comments$/.exec(path) ?? [];
    const page = (all: readonly Row[], more: object = {}) => {
      const since = query.get('filter[updated_at][gte]') ?? '';
      const made = stamp(0);
      const isOfDate = made < (query.get('filter[created_at][lt]') ?? '~') && made >= (query.get('filter[created_at][gte]') ?? '');
      const below = query.get('filter[updated_at][lt]') ?? '~';
      const fitting = all.filter((row) => !row.hidden && isOfDate && row.updated_at >= since && row.updated_at < below);
      const from = Number(query.get('cursor') ?? 0);
      const size = Number(query.get('per_page') ?? 25);
      const next = new URLSearchParams([...query]);
      next.set('cursor', String(from + size));
      return {
        data: fitting.slice(from, from + size).map(({ hidden: _, ...row }) => ({ ...row, ...more, created_at: made })),
        meta: { page: { total: fitting.length } },
        links: { next: from + size < fitting.length ? `${request.path}?${next}` : null },
      };
    };
    const entries = [
      { name: 'contacts', path: '/contacts', item_path: '/contacts/{contact}' },
      { name: 'work-items', path: '/work-items', item_path: '/work-items/{work_item}' },
      { name: 'comments', path: null, item_path: '/work-items/{work_item}/comments/{comment}' },
    ];
    const ofItem = () =>
      page(
        [comments.get(Number(item))].filter((row) => row !== undefined),
        { work_item_id: Number(item) },
      );
    const bodies: Readonly<Record<string, () => object>> = {
      '/': () => ({ data: entries, links: { next: null } }),
      '/me': () => ({ data: { id: 7 } }),
      '/contacts': () => page(contacts),
      '/work-items': () => page(items),
    };
    const isRefused = query.has('include') || query.has('trashed');
    const body = isRefused ? undefined : item === undefined ? bodies[path]?.() : ofItem();
    if (item !== undefined && Number(item) === refused)
      json(403, { type: 'https://service.invalid/insufficient-token-scope', title: 'No', status: 403 }, headers)(request, response, socket);
    else if (body === undefined)
      json(isRefused ? 400 : 404, { type: 'unsupported-parameter', parameter: 'include', status: 400 }, headers)(request, response, socket);
    else {
      const etag = `W/"${createHash('sha256').update(JSON.stringify(body)).digest('hex')}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { ...headers, etag }).end();
      else json(200, body, { ...headers, etag })(request, response, socket);
    }
    if (after !== undefined && query.has(after.parameter)) {
      const { run } = after;
      after = undefined;
      run();
    }
  });
});

async function sync(...words: string[]): Promise<void> {
  const { code, stderr } = await recording.svc(['sync', '--to', file, ...words], { now });
  expect([0, 10], stderr).toContain(code);
}

function statesIn(path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare('SELECT noun, as_of, whole_at, known_by FROM svc_tables').all();
  database.close();
  return new Map(found.map((state) => [String(state['noun']), state]));
}

/** Counts the stored UTC offsets, on which the days of times depend. */
function offsetsIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare('SELECT count(*) AS offsets FROM svc_zones').get();
  database.close();
  return Number(found?.['offsets']);
}

const nameOf = (noun: string, id: number) => (JSON.parse(recordsIn(file, noun).get(id) ?? '{}') as Partial<Row>).name;
const change = (row: Row | undefined, at: number) => void Object.assign(row ?? {}, { name: 'Changed', updated_at: stamp(at) });

/** The rate-limit units of a sync that compares only one page of the contacts. The changed contacts are on later pages. */
const POOR = ['--max-units', '12'] as const;

describe('a long table', () => {
  it('gets a late change with an updated_at only half a minute after that of the other rows', async () => {
    await sync('contacts');
    // The service’s machines have different clocks.
    change(contacts[430], START - HOUR + 30_000);
    now += HOUR;
    await sync('contacts', ...POOR);
    expect(nameOf('contacts', 431)).toBe('Changed');
  });

  it('gets a late change with an updated_at four minutes before the last read', async () => {
    change(contacts[0], START - 1_000);
    await sync('contacts');
    change(contacts[430], START - 240_000);
    now += HOUR;
    await sync('contacts', ...POOR);
    expect(nameOf('contacts', 431)).toBe('Changed');
  });
});

describe('the reported time', () => {
  it.each([250, 450])('of a table with %i rows is earlier than a change that the table lacks', async (rows) => {
    contacts = contacts.slice(0, rows);
    await sync('contacts');
    now += HOUR;
    for (const row of contacts.slice(0, 150)) change(row, now);
    pace = 60_000;
    let changedAt = 0;
    // The first contact changes after svc has read its page.
    after = {
      parameter: rows > 300 ? 'filter[updated_at][gte]' : 'sort',
      run: () => {
        changedAt = now + 1_000;
        Object.assign(contacts[0] ?? {}, { name: 'Later', updated_at: stamp(changedAt) });
      },
    };
    await sync('contacts', ...(rows > 300 ? POOR : []));
    expect([nameOf('contacts', 1), nameOf('contacts', 150)]).toEqual(['Changed', 'Changed']);
    expect(String(statesIn(file).get('contacts')?.['as_of']) < stamp(changedAt)).toBe(true);
  });

  it('of child records is earlier than the time at which an unread parent became visible', async () => {
    items = Array.from({ length: 301 }, (_, at) => ({ id: at + 1, name: `Row ${at + 1}`, updated_at: stamp(START - HOUR) }));
    const late = items[289];
    Object.assign(late ?? {}, { hidden: true, updated_at: stamp(START - 24 * HOUR) });
    comments.set(290, { id: 290, name: 'Row 290', updated_at: stamp(START - 24 * HOUR) });
    await sync('work-items', '--no-children');
    now += HOUR;
    // The user can see the work item again, and its times do not show it.
    delete late?.hidden;
    const shownAt = stamp(now);
    now += HOUR;
    await sync('work-items', '--children', '--max-units', '6');
    expect([...recordsIn(file, 'work-items.comments').keys()]).toEqual([1, 2, 3, 4, 5]);
    expect(String(statesIn(file).get('work-items.comments')?.['whole_at']) < shownAt).toBe(true);
  });
});

describe('a parent whose child records the service refuses', () => {
  it('keeps its stored comments, and gets new comments at the next sync', async () => {
    await sync('work-items');
    const completeAt = statesIn(file).get('work-items.comments')?.['whole_at'];
    now += HOUR;
    refused = 3;
    for (const row of comments.values()) row.name = 'Changed';
    await sync('work-items', '--children');
    expect([1, 2, 3, 4, 5].map((id) => nameOf('work-items.comments', id))).toEqual(['Changed', 'Changed', 'Row 3', 'Changed', 'Changed']);
    expect(statesIn(file).get('work-items.comments')?.['whole_at']).toBe(completeAt);
    now += HOUR;
    refused = undefined;
    await sync('work-items', '--max-units', '0');
    expect(nameOf('work-items.comments', 3)).toBe('Changed');
  });
});

it('svc sync --children requests the comments of each work item once, also of a changed work item', async () => {
  await sync('work-items');
  now += HOUR;
  change(items[2], now);
  recording.sent();
  await sync('work-items', '--children');
  const asked = recording.sent().flatMap((line) => /work-items\/(\d+)\/comments\?.*view=detail/.exec(line)?.[1] ?? []);
  expect(asked.toSorted()).toEqual(['1', '2', '3', '4', '5']);
});

it('a sync reads the comments of a changed work item after a sync that could not read the comments', async () => {
  await sync('work-items');
  now += HOUR;
  const comment: Row = { id: 3, name: 'Changed', updated_at: stamp(now) };
  change(items[2], now);
  // A record without an id.
  comments.set(3, { ...comment, id: Number.NaN });
  await sync('work-items', '--max-units', '0');
  expect(nameOf('work-items.comments', 3)).toBe('Row 3');
  now += HOUR;
  comments.set(3, comment);
  await sync('work-items', '--max-units', '0');
  expect(nameOf('work-items.comments', 3)).toBe('Changed');
});

it('a sync makes the tables equal to the service after a kill before any write to the database', async () => {
  contacts = contacts.slice(0, 320);
  await sync();
  const before = file;
  now += HOUR;
  for (const row of [...contacts.slice(310, 315), items[1]]) change(row, now);
  for (const row of comments.values()) row.name = 'Changed';
  const truth = (rows: Iterable<Row>) => [...rows].map(({ id, name }) => `${id} ${name}`);
  const found = (noun: string) => truth(Array.from(recordsIn(file, noun).values(), (text) => JSON.parse(text) as Row));
  const offsets = offsetsIn(file);
  expect(offsets).toBeGreaterThan(100);
  let kills = 0;
  for (let write = 1; ; write += 1) {
    file = `${before}.${write}`;
    await copyFile(before, file);
    const run = (around: NonNullable<Parameters<Recording['svc']>[1]>['around']) =>
      recording.svc(['sync', '--to', file, '--max-units', '0'], { now, ...(around && { around }) });
    const ended = await runKillable(write, run, 'write');
    if (ended !== undefined) break;
    kills += 1;
    expect(offsetsIn(file), `write ${write}`).toBe(offsets);
    await sync('--max-units', '0');
    expect(found('contacts'), `write ${write}`).toEqual(truth(contacts));
    expect(found('work-items'), `write ${write}`).toEqual(truth(items));
    expect(nameOf('work-items.comments', 2), `write ${write}`).toBe('Changed');
  }
  expect(kills).toBeGreaterThan(8);
});
