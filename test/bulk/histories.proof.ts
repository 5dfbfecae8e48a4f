// Random histories of a resource that changes while svc reads it in parallel. No unchanged row is missing or repeated.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChangingOptions, changingService } from '../support/changing-service.ts';
import { json } from '../support/http-server.ts';
import { IS_FULL } from '../support/parts.ts';
import { randomOf } from '../support/random.ts';
import { type Recording, startRecording } from '../support/recording.ts';

/** SVC_TEST_FULL=1 runs the full number. */
const LISTS = IS_FULL ? 2_000 : 200;
/** For each of the two ways. */
const EXPORTS = IS_FULL ? 200 : 20;

let recording: Recording;
beforeAll(async () => {
  recording = await startRecording();
});
afterAll(() => recording.remove());

function begin(seed: number, options: Omit<ChangingOptions, 'random'>) {
  const service = changingService({ ...options, random: randomOf(seed) });
  const entry = { name: options.path.slice(8), path: options.path.slice(7), item_path: `${options.path.slice(7)}/{one}` };
  recording.server.fallback((request, response, socket) => {
    if (request.path === options.path) return service.answer(request, response, socket);
    if (request.path.endsWith('/me')) return json(200, { id: 7 })(request, response, socket);
    json(200, { data: [entry], links: { next: null } })(request, response, socket);
  });
  recording.sent();
  return service;
}

/** Returns the missing rows, and the repeated rows. */
function wrongIn(ids: readonly number[], standing: readonly number[]) {
  const seen = new Set(ids);
  return { missing: standing.filter((id) => !seen.has(id)), doubled: ids.filter((id, index) => ids.indexOf(id) !== index) };
}

it(`${LISTS} lists read in parallel miss or repeat no unchanged row`, { timeout: 600_000 }, async () => {
  let inPages = 0;
  let toTheEnd = 0;
  for (let seed = 1; seed <= LISTS; seed += 1) {
    const size = 20 + (seed % 40);
    const service = begin(seed, { path: '/api/v2/contacts', rows: size, counted: true });
    const flags = [[], ['--sort', 'id'], ['--search', 'x']][seed % 3] ?? [];
    const result = await recording.svc(['contacts', 'list', '--per-page', '3', '--output', 'ids', ...flags]);
    expect(result.code, result.stderr).toBe(0);
    const ids = result.stdout.split('\n').filter(Boolean).map(Number);
    expect(wrongIn(ids, service.standing(flags[0] === '--search')), `history ${seed}`).toEqual({ missing: [], doubled: [] });
    const sent = recording.sent();
    if (sent.some((line) => line.includes('page=4'))) inPages += 1;
    if (!sent.some((line) => line.includes('cursor='))) toTheEnd += 1;
  }
  // Otherwise this test would show nothing.
  expect(inPages).toBeGreaterThan(LISTS / 2);
  expect(toTheEnd).toBeGreaterThan(LISTS / 10);
});

it.each([
  { by: 'page numbers', path: '/api/v2/contacts', counted: true, rows: 450 },
  { by: 'creation time', path: '/api/v2/worklogs', counted: false, rows: 2_200 },
])(`${EXPORTS} parallel exports by $by miss or repeat no unchanged row`, { timeout: 1_200_000 }, async ({ path, counted, rows }) => {
  const noun = path.slice(8);
  let inPieces = 0;
  for (let seed = 1; seed <= EXPORTS; seed += 1) {
    const service = begin(seed, { path, rows, counted });
    const directory = join(recording.home, `${noun}-${seed}`);
    const result = await recording.svc(['export', directory, noun, '--quiet']);
    expect(result.code, result.stderr).toBe(0);
    const lines = (await readFile(join(directory, `${noun}.ndjson`), 'utf8')).split('\n').filter(Boolean);
    const ids = lines.map((line) => (JSON.parse(line) as { id: number }).id);
    expect(wrongIn(ids, service.standing(false)), `history ${seed}`).toEqual({ missing: [], doubled: [] });
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    if (recording.sent().some((line) => line.includes('page=2') || line.includes('filter[created_at]'))) inPieces += 1;
  }
  expect(inPieces).toBe(EXPORTS);
});
