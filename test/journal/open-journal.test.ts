import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Journal } from '../../src/journal/open-journal.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { requestDigest } from '../../src/journal/request-digest.ts';
import { createManualClock, type ManualClock } from '../support/clock.ts';
import { aWrite } from './fixtures/entries.ts';
import { onFullDisk } from './fixtures/full-disk.ts';

const START = Date.UTC(2026, 0, 15, 9);
const HOUR = 60 * 60_000;

let directory: string;
let path: string;
let clock: ManualClock;
let said: string[];
let open: Journal[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-journal-'));
  path = join(directory, 'state', 'journal', 'acme.sqlite');
  clock = createManualClock(START, true);
  said = [];
  open = [];
});
afterEach(async () => {
  for (const journal of open) journal.close();
  await rm(directory, { recursive: true });
});

/** Another svc: its own connection, its own sender. */
async function openAnother(): Promise<Journal> {
  const journal = await openJournal(path, { clock, onSetAside: (line) => said.push(line) });
  open.push(journal);
  return journal;
}

const request = requestDigest('POST', '/worklogs', aWrite().body);

describe('a disk that has become full', () => {
  test('does not hide the unconfirmed write of an svc that ended', async () => {
    const dead = await openAnother();
    const number = await dead.begin(aWrite());
    dead.close();
    const journal = await openAnother();
    expect((await onFullDisk(() => journal.unconfirmed(request)))?.entry.number).toBe(number);
  });
});

describe('an entry of the journal', () => {
  test('has the same values after another svc opened the journal', async () => {
    const write = aWrite({
      path: '/api/v2/worklogs?view=detail',
      body: Buffer.from([0x7b, 0xff, 0x00]),
      etagSeen: '"e1"',
      before: { minutes: 60, description: null },
      collection: '/worklogs',
    });
    const first = await openAnother();
    const group = await first.newGroup(['worklogs', 'import', 'x.csv']);
    const number = await first.begin({ ...write, group });
    clock.advance(5);
    expect(await first.resolve(number, { outcome: 'done', status: 201, recordId: '5902', etagLeft: '"e2"' })).toBe(true);
    first.close();
    expect(await (await openAnother()).entry(number)).toEqual({
      ...write,
      path: '/worklogs?view=detail',
      body: new Uint8Array([0x7b, 0xff, 0x00]),
      bodyWithheld: false,
      group,
      number,
      request: requestDigest('POST', '/worklogs?view=detail', write.body),
      at: START,
      sentAt: START,
      settledAt: START + 5,
      outcome: 'done',
      status: 201,
      recordId: '5902',
      etagLeft: '"e2"',
      undoes: undefined,
      undoneBy: undefined,
    });
  });

  test('contains no oversized body, and svc still recognises its request', async () => {
    const journal = await openAnother();
    const number = await journal.begin(aWrite({ bodyWithheld: true }));
    expect(await journal.entry(number)).toMatchObject({ body: undefined, bodyWithheld: true, request });
  });

  test('is resolved once, and a later lost answer does not change the outcome', async () => {
    const journal = await openAnother();
    const number = await journal.begin(aWrite());
    await journal.resolve(number, { outcome: 'done', status: 201, recordId: '7' });
    expect(await journal.resolve(number, { outcome: 'unknown' })).toBe(false);
    expect(await journal.resolve(number, { outcome: 'refused', status: 422 })).toBe(false);
    expect(await journal.drop(number)).toBe(false);
    expect(await journal.resend(number)).toBeUndefined();
    expect(await journal.entry(number)).toMatchObject({ outcome: 'done', recordId: '7' });
  });

  test('gets the number after the last entry, also when another svc opens the journal', async () => {
    const journal = await openAnother();
    const numbers = [await journal.begin(aWrite()), await journal.begin(aWrite()), await journal.begin(aWrite())];
    journal.close();
    expect(await (await openAnother()).begin(aWrite())).toBe((numbers[2] ?? 0) + 1);
  });
});

describe('the search for an unconfirmed entry', () => {
  test('finds the newest entry with a lost answer, its key and its age', async () => {
    const journal = await openAnother();
    for (const key of ['older', 'newer']) await journal.resolve(await journal.begin(aWrite({ key })), { outcome: 'unknown' });
    clock.advance(HOUR);
    expect(await journal.unconfirmed(request)).toMatchObject({ entry: { key: 'newer', outcome: 'unknown' }, ageMs: HOUR, lapsed: false });
    expect(await journal.unconfirmed(requestDigest('POST', '/worklogs', Buffer.from('{"minutes":91}')))).toBeUndefined();
  });

  test.each([
    ['done', { outcome: 'done', status: 201 }],
    ['refused', { outcome: 'refused', status: 422 }],
    ['dropped', { outcome: 'dropped' }],
    ['waiting', { outcome: 'waiting' }],
  ] as const)('finds nothing after the outcome %s', async (_name, resolution) => {
    const journal = await openAnother();
    await journal.resolve(await journal.begin(aWrite()), resolution);
    expect(await journal.unconfirmed(request)).toBeUndefined();
  });

  test('finds nothing while another svc sends the request', async () => {
    const [one, other] = [await openAnother(), await openAnother()];
    const number = await one.begin(aWrite());
    expect(await other.unconfirmed(request)).toBeUndefined();
    expect(await other.outbox()).toEqual([]);
    expect(await other.resend(number)).toBeUndefined();
    expect(await other.drop(number)).toBe(false);
    expect(await one.unconfirmed(request)).toBeUndefined();
    one.close();
    expect(await other.unconfirmed(request)).toMatchObject({ entry: { number, outcome: 'unknown' } });
  });

  test('finds the entry although another svc reuses the sender number of the entry', async () => {
    const dead = await openAnother();
    const lost = await dead.begin(aWrite({ key: 'lost' }));
    dead.close();
    const [successor, reader] = [await openAnother(), await openAnother()];
    const number = await successor.begin(aWrite({ key: 'mine', path: '/absences' }));
    expect(await reader.unconfirmed(request)).toMatchObject({ entry: { number: lost } });
    expect((await reader.outbox()).map(({ entry }) => entry.number)).toEqual([lost]);
    expect(await reader.entry(number)).toMatchObject({ outcome: 'sent' });
  });

  test('finds nothing while another svc sends the request, even after a failed write', async () => {
    const [one, other] = [await openAnother(), await openAnother()];
    await one.begin(aWrite());
    await expect(one.begin(aWrite({ group: 999 }))).rejects.toThrow('FOREIGN KEY');
    expect(await other.unconfirmed(request)).toBeUndefined();
  });

  test('finds the entry although another svc, whose write failed, still runs', async () => {
    const dead = await openAnother();
    const lost = await dead.begin(aWrite());
    dead.close();
    const [unlucky, reader] = [await openAnother(), await openAnother()];
    await expect(unlucky.begin(aWrite({ group: 999 }))).rejects.toThrow('FOREIGN KEY');
    expect(await reader.unconfirmed(request)).toMatchObject({ entry: { number: lost } });
    expect(await unlucky.begin(aWrite())).toBeGreaterThan(lost);
    expect((await reader.outbox()).map(({ entry }) => entry.number)).toEqual([lost]);
  });

  test.each([
    [24 * HOUR, false],
    [24 * HOUR + 1, true],
    [-60_000, false],
    // A clock that was set back does not know how old anything is.
    [-60_001, true],
  ])('reports after %i ms that the key has possibly lapsed: %s', async (ms, lapsed) => {
    const journal = await openAnother();
    await journal.resolve(await journal.begin(aWrite()), { outcome: 'unknown' });
    clock.advance(ms);
    expect(await journal.unconfirmed(request)).toMatchObject({ ageMs: ms, lapsed });
  });

  test('counts the age of a key from its first use', async () => {
    const journal = await openAnother();
    const number = await journal.begin(aWrite(), 'waiting');
    clock.advance(30 * HOUR);
    expect(await journal.resend(number)).toMatchObject({ outcome: 'waiting', sentAt: undefined });
    await journal.resolve(number, { outcome: 'unknown' });
    expect(await journal.unconfirmed(request)).toMatchObject({ ageMs: 0, lapsed: false });
    clock.advance(20 * HOUR);
    expect(await journal.resend(number)).toMatchObject({ outcome: 'unknown' });
    await journal.resolve(number, { outcome: 'unknown' });
    clock.advance(5 * HOUR);
    expect(await journal.unconfirmed(request)).toMatchObject({ ageMs: 25 * HOUR, lapsed: true });
  });
});

describe('the outbox', () => {
  test('has waiting and unconfirmed entries, oldest first, until each is sent or dropped', async () => {
    const journal = await openAnother();
    const waiting = await journal.begin(aWrite(), 'waiting');
    const unknown = await journal.begin(aWrite());
    await journal.resolve(unknown, { outcome: 'unknown' });
    await journal.resolve(await journal.begin(aWrite()), { outcome: 'done', status: 201 });
    expect((await journal.outbox()).map(({ entry }) => [entry.number, entry.outcome])).toEqual([
      [waiting, 'waiting'],
      [unknown, 'unknown'],
    ]);
    clock.advance(25 * HOUR);
    // What only waited has a key that nobody has seen.
    expect((await journal.outbox()).map(({ lapsed, ageMs }) => [lapsed, ageMs])).toEqual([
      [false, 25 * HOUR],
      [true, 25 * HOUR],
    ]);
    expect(await journal.drop(unknown)).toBe(true);
    await journal.resend(waiting);
    expect(await journal.outbox()).toEqual([]);
    expect(await journal.resolve(waiting, { outcome: 'waiting' })).toBe(true);
    expect(await journal.outbox()).toMatchObject([{ entry: { number: waiting, sentAt: undefined, settledAt: undefined } }]);
  });

  test('gives each entry to only one of two senders', async () => {
    const [one, other] = [await openAnother(), await openAnother()];
    const numbers = [await one.begin(aWrite(), 'waiting'), await one.begin(aWrite(), 'waiting'), await one.begin(aWrite(), 'waiting')];
    const taken = await Promise.all(numbers.flatMap((number) => [one.resend(number), other.resend(number)]));
    expect(taken.filter((entry) => entry !== undefined).map((entry) => entry.number)).toEqual(numbers);
  });
});

describe('the history', () => {
  test('lists entries by time, resource and outcome, newest first', async () => {
    const journal = await openAnother();
    const log = await journal.begin(aWrite());
    clock.advance(HOUR);
    const absence = await journal.begin(aWrite({ noun: 'absences', path: '/absences' }));
    await journal.resolve(absence, { outcome: 'done', status: 201 });
    const api = await journal.begin(aWrite({ noun: undefined }));
    const numbers = async (...args: Parameters<Journal['history']>) => (await journal.history(...args)).map(({ number }) => number);
    expect(await numbers()).toEqual([api, absence, log]);
    expect(await numbers({ since: START + HOUR })).toEqual([api, absence]);
    expect(await numbers({ since: START, noun: 'worklogs' })).toEqual([log]);
    expect(await numbers({ outcome: 'done' })).toEqual([absence]);
    expect(await numbers({ limit: 1 })).toEqual([api]);
  });

  test('finds the newest completed write that is neither undone nor an undo', async () => {
    const journal = await openAnother();
    const done = async (given: Parameters<typeof aWrite>[0] = {}) => {
      const number = await journal.begin(aWrite(given));
      await journal.resolve(number, { outcome: 'done', status: 201 });
      return number;
    };
    expect(await journal.last()).toBeUndefined();
    const [first, second] = [await done(), await done()];
    await journal.resolve(await journal.begin(aWrite()), { outcome: 'refused', status: 422 });
    const tried = await journal.begin(aWrite({ method: 'DELETE', undoes: second }));
    await journal.resolve(tried, { outcome: 'refused', status: 403 });
    expect(await journal.last()).toMatchObject({ number: second, undoneBy: undefined });
    const undo = await done({ method: 'DELETE', undoes: second });
    expect(await journal.last()).toMatchObject({ number: first });
    expect(await journal.entry(second)).toMatchObject({ undoneBy: undo });
  });

  test('returns the writes of one command in order', async () => {
    const journal = await openAnother();
    const [group, other] = [await journal.newGroup([]), await journal.newGroup([])];
    const first = await journal.begin(aWrite({ group }));
    await journal.begin(aWrite({ group: other }));
    const second = await journal.begin(aWrite({ group }));
    expect((await journal.group(group)).map(({ number }) => number)).toEqual([first, second]);
  });

  test('finds the newest entry with a key', async () => {
    const journal = await openAnother();
    await journal.begin(aWrite({ key: 'k' }));
    const newest = await journal.begin(aWrite({ key: 'k' }));
    expect(await journal.entryByKey('k')).toMatchObject({ number: newest });
    expect(await journal.entryByKey('other')).toBeUndefined();
  });
});
