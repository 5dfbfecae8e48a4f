// Deleted records and records that are visible again, in a table that a sync does not compare completely. svc finds them in the trash, or by
// counts of ranges.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, json } from '../support/http-server.ts';
import { recordsIn } from '../support/local-database-file.ts';
import { type Recording, startRecording } from '../support/recording.ts';

interface Row {
  readonly id: number;
  readonly created_at?: string;
  readonly updated_at: string;
  deleted_at: string | null;
}

const ROWS = 2_000;
const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const stamp = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** A row that the user could not see at the first sync. */
const LATE = 1_234;

let recording: Recording;
/** The local database after the first sync, and a copy for the test. */
let first: string;
let file: string;
let turn = 0;
/** The service’s clock. */
let now: number;
let rows: Row[];
/** The answer of the service to a query of the trash. Default: 400. */
let trash: ((query: URLSearchParams) => Answer | readonly Row[]) | undefined;
/** The ids of existing rows that the service does not show. */
let hidden: Set<number>;
/** Runs before each answer with ids. */
let onRange: () => void;
/** The parameters that the service refuses with 400. */
let refused: string[];

const REFUSED = json(400, { type: 'unsupported-parameter', title: 'No such parameter', status: 400 });

beforeAll(async () => {
  recording = await startRecording();
  recording.server.fallback((request, response, socket) => {
    const { query } = request;
    const path = request.path.replace('/api/v2', '');
    const answer = (body: object) => json(200, body, { date: new Date(now).toUTCString() })(request, response, socket);
    if (path === '/me') return answer({ data: { id: 7 } });
    if (path === '/')
      return answer({ data: [{ name: 'contacts', path: '/contacts', item_path: '/contacts/{contact}' }], links: { next: null } });
    const [, id] = /^\/contacts\/(\d+)$/.exec(path) ?? [];
    if (id !== undefined) return answer({ data: rows.find((row) => row.id === Number(id)) ?? null });
    if (refused.some((name) => query.has(name))) return REFUSED(request, response, socket);
    if (query.get('view') === 'summary') onRange();
    const trashed = query.has('trashed') ? (trash?.(query) ?? REFUSED) : undefined;
    if (typeof trashed === 'function') return trashed(request, response, socket);
    const there = trashed ?? rows.filter((row) => (row.deleted_at ?? '') === '' && !hidden.has(row.id));
    const bound = (name: string, end: string) => query.get(`filter[${name}][${end}]`);
    const isFitting = ({ created_at = '', updated_at }: Row) =>
      created_at >= (bound('created_at', 'gte') ?? '') &&
      created_at < (bound('created_at', 'lt') ?? '~') &&
      updated_at >= (bound('updated_at', 'gte') ?? '') &&
      updated_at < (bound('updated_at', 'lt') ?? '~');
    const chosen = there.filter(isFitting);
    const from = Number(query.get('cursor') ?? 0);
    const size = Number(query.get('per_page') ?? 25);
    const next = new URLSearchParams(query);
    next.set('cursor', String(from + size));
    answer({
      data: chosen.slice(from, from + size),
      meta: { page: { total: query.get('with_total') === '1' ? chosen.length : null } },
      links: { next: from + size < chosen.length ? `${request.path}?${next}` : null },
    });
  });
  reset();
  first = join(recording.home, 'first.sqlite');
  file = first;
  await sync();
});
afterAll(() => recording.remove());

function reset(): void {
  now = START + 2_000 * HOUR;
  trash = undefined;
  hidden = new Set([LATE]);
  onRange = () => undefined;
  refused = ['include'];
  rows = Array.from({ length: ROWS }, (_, at) => {
    const time = stamp(START + at * 60_000);
    return { id: at + 1, created_at: time, updated_at: time, deleted_at: null };
  });
}

beforeEach(async () => {
  reset();
  now += HOUR;
  turn += 1;
  file = join(recording.home, `deleted-${turn}.sqlite`);
  await copyFile(first, file);
});

/** Syncs, and returns the requests for lists and the printed table. */
async function sync(...words: string[]) {
  now += HOUR;
  recording.sent();
  const { code, stdout, stderr } = await recording.svc(['sync', 'contacts', '--to', file, ...words], { now });
  expect(code, stderr).toBe(0);
  const sent = recording.sent().filter((line) => line.includes('/contacts'));
  const [table] = JSON.parse(stdout) as { put: number; gone: number; known_by: string }[];
  const of = (text: string) => sent.filter((line) => line.includes(text)).length;
  return { ...table, trash: of('trashed'), ranges: of('view=summary'), counts: of('per_page=1&'), sent, stderr };
}

/** Deletes rows at the service an hour after the last sync. */
function remove(...ids: number[]): void {
  for (const row of rows) if (ids.includes(row.id)) row.deleted_at = stamp(now + HOUR / 2);
}

const deleted = () => rows.filter((row) => (row.deleted_at ?? '') !== '');
const stored = () => [...recordsIn(file, 'contacts').keys()];
const visible = () => rows.flatMap(({ id, deleted_at }) => ((deleted_at ?? '') === '' && !hidden.has(id) ? [id] : []));
/** Sixty rate-limit units for comparing the first ten pages, and as many for the search. */
const SOME = ['--max-units', '60'] as const;

/** Expects that the local database has the rows of the service, and that svc knows so. */
async function expectFound(expected: { readonly trash: number; readonly ranges: number; readonly counts: number; readonly put?: number }) {
  const before = stored();
  const found = await sync(...SOME);
  const there = new Set(visible());
  const gone = before.filter((id) => !there.has(id)).length;
  expect(stored()).toEqual(visible());
  expect(found, found.sent.join('\n')).toMatchObject({ known_by: 'counts', gone, put: 0, ...expected });
}

const LONG_AGO = stamp(START);
const byTime = (query: URLSearchParams) =>
  deleted().filter(({ deleted_at }) => String(deleted_at) >= (query.get('filter[deleted_at][gte]') ?? ''));
const newestFirst = () => deleted().toSorted((one, other) => (String(one.deleted_at) > String(other.deleted_at) ? -1 : 1));
const forbidden = json(403, { type: 'insufficient-permission', title: 'No', status: 403 });

it('a first svc sync prints the number of its rows, and no deleted row', async () => {
  file = join(recording.home, 'other.sqlite');
  expect(await sync()).toMatchObject({ put: ROWS - 1, gone: 0, known_by: 'read' });
  expect(stored()).toEqual(visible());
});

describe('svc sync finds two deleted rows', () => {
  it('in the trash of the last hour', async () => {
    remove(1_500, 1_900);
    trash = byTime;
    await expectFound({ trash: 1, ranges: 0, counts: 2 });
  });

  it('in the trash in the order of deletion, one of them deleted long ago', async () => {
    remove(1_500, 1_900);
    Object.assign(rows[1_899] ?? {}, { deleted_at: LONG_AGO });
    trash = (query) => (query.get('sort') === '-deleted_at' ? newestFirst() : REFUSED);
    await expectFound({ trash: 2, ranges: 0, counts: 2 });
  });

  it('before the first row that is not deleted', async () => {
    remove(1_500, 1_900);
    trash = (query) => (query.get('sort') === '-deleted_at' ? [...newestFirst(), ...rows] : REFUSED);
    await expectFound({ trash: 2, ranges: 0, counts: 2 });
  });

  it('in the trash in another order', async () => {
    remove(1_500, 1_900);
    trash = (query) => (query.has('filter[deleted_at][gte]') || query.get('sort') !== 'id' ? REFUSED : deleted());
    await expectFound({ trash: 3, ranges: 0, counts: 2 });
  });

  it.each([
    ['is refused', 3, 6, 2, () => REFUSED],
    ['is forbidden', 3, 6, 2, () => forbidden],
    ['is ignored', 1, 6, 2, () => rows.filter(({ deleted_at }) => deleted_at === null)],
    [
      'is ignored, and existing rows have an empty time of deletion',
      1,
      6,
      2,
      () => rows.flatMap((row) => (row.deleted_at === null ? [{ ...row, deleted_at: '' }] : [])),
    ],
    ['has one of the two rows', 1, 2, 3, () => deleted().slice(1)],
    [
      'has only other rows',
      2,
      6,
      2,
      () => Array.from({ length: 500 }, (_, at) => ({ id: 9_000 + at, updated_at: LONG_AGO, deleted_at: stamp(now) })),
    ],
  ] as const)('by counts of ranges when the parameter of the trash %s', async (_, queries, ranges, counts, answer) => {
    remove(1_500, 1_900);
    trash = answer;
    await expectFound({ trash: queries, ranges, counts });
  });
});

describe('svc sync finds by counts of ranges', () => {
  it.each([
    ['one row', [1_700], 4],
    ['rows of one page', [1_701, 1_702, 1_750], 4],
    ['scattered rows', [1_111, 1_444, 1_888], 10],
    ['the newest row', [1_990], 7],
    ['half of the rows', Array.from({ length: 1_000 }, (_, at) => 1_001 + at).filter((id) => id <= 1_990), 1],
  ])('deleted rows: %s', async (_, ids, ranges) => {
    remove(...ids);
    await expectFound({ trash: 3, ranges, counts: 2 });
  });

  it('a row that is visible again', async () => {
    hidden.clear();
    await expectFound({ trash: 0, ranges: 4, counts: 2, put: 1 });
  });

  it('two deleted rows, and a row that is visible again', async () => {
    remove(1_600, 1_601);
    hidden.clear();
    await expectFound({ trash: 3, ranges: 5, counts: 2, put: 1 });
  });

  it('a row that is deleted during the search', async () => {
    remove(1_300, 1_800);
    onRange = () => {
      onRange = () => undefined;
      remove(1_900);
    };
    await expectFound({ trash: 3, ranges: 15, counts: 2 });
  });
});
