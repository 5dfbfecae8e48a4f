// A local database stays right with an unusual service: differing clocks, ignored parameters, records without timestamps, a proxy.
import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../support/http-server.ts';
import { recordsIn } from '../support/local-database-file.ts';
import { type Recording, startRecording } from '../support/recording.ts';

interface Row {
  readonly id: number;
  name: string;
  readonly created_at?: string;
  updated_at?: string | null;
}

/** The ways in which the service is unusual. */
interface Odd {
  /** Clock of the answers in ms, while the clock of the records is right. Null for no clock. */
  readonly answersAt?: number | null;
  /** A parameter that the service accepts and ignores. */
  readonly passesOver?: string;
  /** The ETag after a proxy. */
  readonly proxied?: (etag: string) => string | undefined;
  /** A parameter that the service refuses because it is not documented for this resource. */
  readonly refuses?: string;
}

const NOW = Date.parse('2026-11-20T12:00:00Z');
const stamp = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
const rowsOf = (size: number): Row[] =>
  Array.from({ length: size }, (_, index) => {
    const at = stamp(NOW - (size - index) * 60_000 - 3_600_000);
    return { id: index + 1, name: `Row ${index + 1}`, created_at: at, updated_at: at };
  });

let recording: Recording;
beforeAll(async () => {
  recording = await startRecording();
});
afterAll(() => recording.remove());

function serve(rows: () => readonly Row[], { answersAt = NOW, passesOver, proxied = (etag) => etag, refuses }: Odd): Answer {
  return (request, response) => {
    const { query } = request;
    const send = (status: number, body: unknown) => {
      const text = JSON.stringify(body);
      const etag = proxied(`W/"${createHash('sha256').update(text).digest('hex').slice(0, 12)}"`);
      const isKnown = etag !== undefined && request.headers['if-none-match'] === etag;
      response.sendDate = false;
      response.writeHead(isKnown ? 304 : status, {
        'content-type': 'application/json',
        ...(etag !== undefined && { etag }),
        ...(answersAt !== null && { date: new Date(answersAt).toUTCString() }),
      });
      response.end(isKnown ? undefined : text);
    };
    if (request.path.endsWith('/me')) return send(200, { data: { id: 7 } });
    if (!request.path.includes('/contacts'))
      return send(200, { data: [{ name: 'contacts', path: '/contacts', item_path: '/contacts/{one}' }], links: { next: null } });
    const id = /\/(\d+)$/.exec(request.path)?.[1];
    if (id !== undefined) return send(200, { data: rows().find((row) => row.id === Number(id)) });
    if (refuses !== undefined && [...query.keys()].some((name) => name.startsWith(refuses)))
      return send(400, { type: 'unsupported-parameter', title: 'Unknown', status: 400 });
    const bound = (name: string) => (name === passesOver ? null : query.get(name));
    if (bound('trashed') === 'only') return send(400, { type: 'unsupported-parameter', title: 'Unknown', status: 400 });
    const kept = rows().filter(
      (row) =>
        (bound('filter[created_at][lt]') === null || (row.created_at ?? '~') < (bound('filter[created_at][lt]') ?? '')) &&
        (bound('filter[updated_at][gte]') === null || (row.updated_at ?? '') >= (bound('filter[updated_at][gte]') ?? '')) &&
        (bound('filter[updated_at][lt]') === null || (row.updated_at ?? '~') < (bound('filter[updated_at][lt]') ?? '~')),
    );
    const size = Number(query.get('per_page') ?? 25);
    const page = Number(query.get('page') ?? query.get('cursor') ?? 1);
    const next = new URL(request.url, `http://${request.headers.host}`);
    next.searchParams.set(query.has('page') ? 'page' : 'cursor', String(page + 1));
    send(200, {
      data: kept.slice((page - 1) * size, page * size),
      meta: { page: { per_page: size, total: kept.length } },
      links: { next: page * size < kept.length ? next.href : null },
    });
  };
}

const ODD: readonly [string, Odd, ((row: Row) => Row)?][] = [
  ['standard behaviour', {}],
  ['a clock half an hour ahead of its records', { answersAt: NOW + 1_800_000 }],
  ['a clock half an hour behind its records', { answersAt: NOW - 1_800_000 }],
  ['no Date header', { answersAt: null }],
  ['an ignored filter by updated_at', { passesOver: 'filter[updated_at][gte]' }],
  ['an ignored trash parameter', { passesOver: 'trashed' }],
  ['no filters', { refuses: 'filter[' }],
  ['no filter by created_at', { refuses: 'filter[created_at]' }],
  ['a proxy that weakens the ETags of compressed answers', { proxied: (etag) => etag.replace(/"$/, '-gzip"') }],
  ['a proxy that removes ETags', { proxied: () => undefined }],
  ['some records without updated_at', {}, (row) => ({ ...row, updated_at: row.id % 7 === 0 ? null : (row.updated_at ?? null) })],
  ['no created_at in any record', {}, ({ created_at: _, ...row }) => row],
  ['no updated_at in any record', {}, ({ updated_at: _, ...row }) => row],
  ['every record changed at the same time', {}, (row) => ({ ...row, updated_at: stamp(NOW - 600_000) })],
];

it.each(ODD)('the local database equals a service with %s', async (what, odd, prepare = (row) => row) => {
  let rows = rowsOf(450).map(prepare);
  recording.server.fallback(serve(() => rows, odd));
  const directory = join(recording.home, what.replaceAll(' ', '-'));
  await mkdir(directory);
  const path = join(directory, 'mirror.sqlite');
  const expectSame = async (when: string) => {
    const { code, stderr } = await recording.svc(['sync', 'contacts', '--to', path, '--max-units', '2000'], { now: NOW });
    expect(code, `${when}: ${stderr}`).toBe(0);
    expect([...recordsIn(path, 'contacts').values()], when).toEqual(rows.map((row) => JSON.stringify(row)));
  };
  await expectSame('first');
  await expectSame('idle');
  const change = (id: number, name: string) => {
    const row = rows.find((each) => each.id === id);
    if (row === undefined) return;
    row.name = name;
    if (typeof row.updated_at === 'string') row.updated_at = stamp(NOW);
  };
  change(5, 'Changed');
  rows = rows.filter(({ id }) => ![30, 31, 200, 449].includes(id));
  const isStamped = rows.every(({ updated_at }) => typeof updated_at === 'string');
  rows.push({ id: 451, name: 'New', created_at: stamp(NOW), ...(isStamped && { updated_at: stamp(NOW) }) });
  await expectSame('changed');
  const [gone] = rows.splice(99, 1);
  await expectSame('one gone');
  if (gone !== undefined) rows.splice(99, 0, gone);
  await expectSame('and back');
  expect(await readdir(directory)).not.toContain('mirror.sqlite.sync');
});
