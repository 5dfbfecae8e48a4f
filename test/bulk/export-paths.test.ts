// The paths of discovery that are not lists, and the paths that the service refuses.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

let recording: Recording;
/** The status and body of the answer to `/settings`, with and without query parameters. */
let asked: readonly [status: number, body: object];
let plain: readonly [status: number, body: object];
beforeEach(async () => {
  recording = await startRecording();
  recording.server.fallback((request, response, socket) => {
    const entries = ['labels', 'settings'].map((name) => ({ name, path: `/${name}`, item_path: `/${name}/{id}` }));
    const answers: Readonly<Record<string, readonly [number, object]>> = {
      '/': [200, { data: entries, links: { next: null } }],
      '/me': [200, { data: { id: 7 } }],
      '/labels': [200, { data: [{ id: 1 }], links: { next: null } }],
      '/settings': request.query.size > 0 ? asked : plain,
    };
    const [status, body] = answers[request.path.replace('/api/v2', '')] ?? [404, {}];
    json(status, body)(request, response, socket);
  });
});
afterEach(() => recording.remove());

async function exported() {
  const directory = join(recording.home, 'out');
  const { code, stderr } = await recording.svc(['export', directory], { hurried: true });
  const text = await readFile(join(directory, 'manifest.json'), 'utf8').catch(() => '{}');
  const { collections = [], left_out, not_collections } = JSON.parse(text) as Record<string, JsonObject[] | undefined>;
  // Without the count for the cost of the export.
  const sent = recording.sent().filter((line) => line.includes('/settings') && !/per_page=1(?:&|$)/.test(line));
  return { code, stderr, nouns: collections.map(({ noun }) => noun), left_out, not_collections, sent: sent.length };
}

const RECORD = [200, { data: { id: 1, name: 'Acme' } }] as const;
const LIST = [200, { data: [], links: { next: null } }] as const;
const REFUSED = [400, { type: 'unsupported-parameter', title: 'Unknown parameter', status: 400 }] as const;
const NO_GET = [405, { type: 'method-not-allowed', title: 'No such method', status: 405 }] as const;

it.each([
  ['has no GET operation', NO_GET, NO_GET, 'The path has no GET operation.', 1],
  ['has no GET operation and refuses query parameters', REFUSED, NO_GET, 'The path has no GET operation.', 2],
  ['returns one record', RECORD, RECORD, 'The path returns one record, not a list.', 2],
  ['returns one record and refuses query parameters', REFUSED, RECORD, 'The path returns one record, not a list.', 2],
])('svc export stores in the manifest that a path %s', async (_, withQuery, without, reason, requests) => {
  [asked, plain] = [withQuery, without];
  expect(await exported()).toMatchObject({
    ...{ code: 0, nouns: ['labels'], left_out: [], sent: requests },
    not_collections: [{ path: '/settings', reason }],
  });
});

it.each([
  ['refuses the parameters of a list', REFUSED, LIST, 2],
  ['refuses every request', REFUSED, REFUSED, 2],
  ['does not find the list', [404, { title: 'Not found', status: 404 }], RECORD, 1],
] as const)('svc export leaves out a resource and exits 10 when the service %s', async (_, withQuery, without, requests) => {
  [asked, plain] = [withQuery, without];
  expect(await exported()).toMatchObject({
    ...{ code: 10, nouns: ['labels'], left_out: [{ noun: 'settings' }], not_collections: [], sent: requests },
  });
});

it('svc export exits 8 when a list is unreadable with and without query parameters', async () => {
  asked = RECORD;
  plain = [503, { title: 'Unavailable', status: 503 }];
  expect(await exported()).toMatchObject({ code: 8, stderr: expect.stringContaining('not a page of records') });
});
