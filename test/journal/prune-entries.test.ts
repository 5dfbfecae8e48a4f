import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NewEntry, Resolution } from '../../src/journal/entry.ts';
import type { Journal } from '../../src/journal/open-journal.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { createManualClock, type ManualClock } from '../support/clock.ts';
import { aWrite } from './fixtures/entries.ts';

const DAY = 24 * 60 * 60_000;
const DONE: Resolution = { outcome: 'done', status: 201, recordId: '5902' };

let directory: string;
let clock: ManualClock;
let journal: Journal;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-journal-'));
  clock = createManualClock(Date.UTC(2026, 0, 15, 9), true);
  journal = await openJournal(join(directory, 'acme.sqlite'), { clock, onSetAside: (line) => expect(line).toBe('') });
});
afterEach(async () => {
  journal.close();
  await rm(directory, { recursive: true });
});

async function resolved(resolution: Resolution = DONE, given: Partial<NewEntry> = {}): Promise<number> {
  const number = await journal.begin(aWrite(given), 'sent');
  await journal.resolve(number, resolution);
  return number;
}

const isThere = async (number: number) => (await journal.entry(number)) !== undefined;
const row = (digest: string) => ({ digest, likeness: digest, twin: digest, source: 1 });

/** More than a year and a thousand writes later. */
async function muchLater(): Promise<void> {
  clock.advance(367 * DAY);
  for (let count = 0; count < 1_000; count++) await resolved();
}

test('svc removes entries older than a year and not among the latest thousand, except open entries', async () => {
  const done = await resolved(DONE, { group: await journal.newGroup(['worklogs', 'add']) });
  const refused = await resolved({ outcome: 'refused', status: 422 });
  const waiting = await journal.begin(aWrite(), 'waiting');
  const unknown = await resolved({ outcome: 'unknown' });
  await muchLater();
  expect(await Promise.all([done, refused, waiting, unknown].map(isThere))).toEqual([false, false, true, true]);
  expect((await journal.outbox()).map(({ entry }) => entry.number)).toEqual([waiting, unknown]);
  // A number never comes back.
  expect(await resolved()).toBeGreaterThan(1_000);
});

test('svc keeps an entry that is only older than a year, or only older than the latest thousand', async () => {
  const first = await resolved();
  clock.advance(367 * DAY);
  await resolved();
  expect(await isThere(first)).toBe(true);
  clock.advance(-367 * DAY);
  for (let count = 0; count < 1_000; count++) await resolved();
  expect(await isThere(first)).toBe(true);
  clock.advance(365 * DAY);
  await resolved();
  expect(await isThere(first)).toBe(true);
});

test('svc removes the entry of a write together with the entry of its undo, or keeps both', async () => {
  const old = await resolved();
  const undo = await resolved(DONE, { method: 'DELETE', undoes: old });
  const undoneLater = await resolved();
  clock.advance(367 * DAY);
  const lateUndo = await resolved(DONE, { method: 'DELETE', undoes: undoneLater });
  for (let count = 0; count < 1_000; count++) await resolved();
  expect(await Promise.all([old, undo, undoneLater, lateUndo].map(isThere))).toEqual([false, false, true, true]);
  expect((await journal.entry(undoneLater))?.undoneBy).toBe(lateUndo);
});

test('svc keeps the state of each imported row when svc removes the entry of the row', async () => {
  const logged = await resolved(DONE, { row: row('logged') });
  const undone = await resolved(DONE, { row: row('undone') });
  await resolved(DONE, { method: 'DELETE', undoes: undone });
  await resolved({ outcome: 'refused', status: 422 }, { row: row('refused') });
  const changed = await resolved(DONE, { method: 'PATCH', path: '/worklogs/5902' });
  const elsewhere = await resolved({ ...DONE, recordId: '7' }, { method: 'PATCH', path: '/worklogs/7' });
  const shape = async () => (await journal.rows('/worklogs')).map(({ digest, state, recordId }) => ({ digest, state, recordId }));
  const before = await shape();
  expect(before.map(({ state }) => state)).toEqual(['there', 'undone']);
  await muchLater();
  expect(await Promise.all([logged, changed, elsewhere].map(isThere))).toEqual([false, true, false]);
  expect(await shape()).toEqual(before);
});
