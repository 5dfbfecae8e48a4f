import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compareRows, importKey } from '../../src/journal/compare-rows.ts';
import type { ImportRow, Resolution } from '../../src/journal/entry.ts';
import type { Journal } from '../../src/journal/open-journal.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { systemClock } from '../../src/system/clock.ts';
import { aWrite } from './fixtures/entries.ts';

let directory: string;
let journal: Journal;
let records: number;
beforeEach(async () => {
  records = 0;
  directory = await mkdtemp(join(tmpdir(), 'svc-journal-'));
  journal = await openJournal(join(directory, 'j.sqlite'), { clock: systemClock, onSetAside: () => undefined });
});
afterEach(async () => {
  journal.close();
  await rm(directory, { recursive: true });
});

/** `01 Review 90 Web`: a day of January, a text, minutes, a project if it has one. */
function row(text: string): ImportRow {
  const [day, what, , project] = text.split(' ');
  return { digest: text, likeness: `${day} ${what}`, twin: `${day} ${what} ${project}`, day: `2026-01-${day}` };
}

const done = (): Resolution => ({ outcome: 'done', status: 201, recordId: String(++records) });

/** Imports a file as a command would; gives what it said of each row. */
async function importFile(texts: readonly string[], resolve: (text: string) => Resolution | undefined = done): Promise<string[]> {
  const rows = texts.map(row);
  const group = await journal.newGroup([]);
  const { verdicts, vanished, source } = compareRows(await journal.rows('/worklogs'), rows, group);
  for (const [index, verdict] of verdicts.entries()) {
    const each = rows[index];
    if (each === undefined || (verdict.kind !== 'new' && verdict.kind !== 'undone')) continue;
    const number = await journal.begin(aWrite({ key: verdict.key, group, row: { ...each, source } }));
    const resolution = resolve(each.digest);
    if (resolution !== undefined) await journal.resolve(number, resolution);
  }
  return [...verdicts.map(({ kind }) => kind), ...vanished.map(({ digest }) => `vanished ${digest}`)];
}

async function undo(text: string): Promise<void> {
  const known = (await journal.rows('/worklogs')).find(({ digest, state }) => digest === text && state === 'there');
  const number = await journal.begin(aWrite({ method: 'DELETE', undoes: known?.entry }));
  await journal.resolve(number, { outcome: 'done', status: 204 });
}

const FILE = ['01 Review 90', '01 Lunch 30', '02 Review 60'];

describe('another import of a file', () => {
  test('finds no new row when the rows are in another order', async () => {
    expect(await importFile(FILE)).toEqual(['new', 'new', 'new']);
    expect(await importFile(FILE)).toEqual(['known', 'known', 'known']);
    expect(await importFile(FILE.toReversed())).toEqual(['known', 'known', 'known']);
  });

  test.each([
    ['appended', [...FILE, '03 Talk 15'], ['known', 'known', 'known', 'new']],
    ['prepended', ['01 Early 15', ...FILE], ['new', 'known', 'known', 'known']],
  ])('treats only the added row as new when a row is %s', async (_name, grown, verdicts) => {
    await importFile(FILE);
    expect(await importFile(grown)).toEqual(verdicts);
    expect(await importFile(grown)).toEqual(['known', 'known', 'known', 'known']);
  });

  test('treats a corrected row as changed, not as new, and finds the earlier row', async () => {
    await importFile(FILE);
    expect(await importFile(['01 Review 95', '01 Lunch 30', '02 Review 60'])).toEqual(['changed', 'known', 'known']);
    const { verdicts } = compareRows(await journal.rows('/worklogs'), [row('01 Review 95')], 99);
    expect(verdicts).toMatchObject([{ kind: 'changed', as: { digest: '01 Review 90', recordId: '1' } }]);
  });

  test('reports a vanished row only if the file still covers the day of that row', async () => {
    await importFile(FILE);
    await importFile(['01 Other 5', '02 Other 5']);
    expect(await importFile(['01 Review 90', '02 Review 60'])).toEqual(['known', 'known', 'vanished 01 Lunch 30']);
    // An export that begins later says nothing of the days before it.
    expect(await importFile(['02 Review 60'])).toEqual(['known']);
  });

  test('stores two equal rows as two records, and treats a third row as new', async () => {
    expect(await importFile(['01 Call 15', '01 Call 15'])).toEqual(['new', 'new']);
    expect(await importFile(['01 Call 15', '01 Call 15'])).toEqual(['known', 'known']);
    expect(await importFile(['01 Call 15', '01 Call 15', '01 Call 15'])).toEqual(['known', 'known', 'new']);
    expect(await importFile(['01 Call 15'])).toEqual(['known', 'vanished 01 Call 15', 'vanished 01 Call 15']);
  });

  test('finds a new row, not a correction, when the file still has the old row', async () => {
    await importFile(['01 Call 15']);
    expect(await importFile(['01 Call 15', '01 Call 20'])).toEqual(['known', 'new']);
    expect(await importFile(['01 Call 20', '01 Call 15', '01 Call 25'])).toEqual(['known', 'known', 'new']);
  });
});

describe('a row that resembles a record', () => {
  test('counts as new in another file, and as a change in the same file', async () => {
    await importFile(['01 Stand-up 15 Web', '02 Review 60 Web']);
    expect(await importFile(['01 Stand-up 20 Shop'])).toEqual(['new']);
    expect(await importFile(['01 Stand-up 20 Tower', '02 Review 60 Web'])).toEqual(['changed', 'known']);
  });

  test('is compared first with the record of the same project', async () => {
    await importFile(['01 Stand-up 15 Web', '01 Stand-up 20 Shop', '02 Review 60 Web']);
    const file = ['01 Stand-up 25 Shop', '01 Stand-up 10 Web', '02 Review 60 Web'];
    expect(await importFile(file)).toEqual(['changed', 'changed', 'known']);
    const { verdicts } = compareRows(await journal.rows('/worklogs'), file.map(row), 99);
    expect(verdicts).toMatchObject([{ as: { digest: '01 Stand-up 20 Shop' } }, { as: { digest: '01 Stand-up 15 Web' } }, {}]);
  });
});

describe('a later import', () => {
  test('treats an undone row as new, under another key', async () => {
    await importFile(FILE);
    await undo('01 Lunch 30');
    expect(await importFile(FILE)).toEqual(['known', 'undone', 'known']);
    expect(await journal.entryByKey(importKey('01 Lunch 30', 2))).toMatchObject({ outcome: 'done' });
    expect(await importFile(FILE)).toEqual(['known', 'known', 'known']);
  });

  test('treats an undone row as changed when another row with its day and text was imported', async () => {
    await importFile(['01 Review 90']);
    await undo('01 Review 90');
    await importFile(['01 Review 95']);
    expect(await importFile(['01 Review 90'])).toEqual(['changed']);
  });

  test('treats a refused or dropped row as new, under the same key', async () => {
    await importFile(FILE, (text) => (text.includes('Lunch') ? { outcome: 'refused', status: 422 } : done()));
    expect(await importFile(FILE, () => ({ outcome: 'dropped' }))).toEqual(['known', 'new', 'known']);
    expect(await importFile(FILE)).toEqual(['known', 'new', 'known']);
    expect((await journal.history()).filter(({ key }) => key === importKey('01 Lunch 30', 1))).toHaveLength(3);
  });

  test.each([
    ['unknown', { outcome: 'unknown' }],
    ['waiting', { outcome: 'waiting' }],
    ['sent', undefined],
  ] as const)('treats a row as unconfirmed, and finds its entry, when the entry is %s', async (_name, resolution) => {
    await importFile(FILE, (text) => (text.includes('Lunch') ? resolution : done()));
    expect(await importFile(FILE)).toEqual(['known', 'unconfirmed', 'known']);
    const { verdicts } = compareRows(await journal.rows('/worklogs'), [row('01 Lunch 30')], 99);
    expect(verdicts).toMatchObject([{ kind: 'unconfirmed', as: { entry: expect.any(Number) } }]);
  });

  test('does not treat a changed row as new while its first write is unconfirmed', async () => {
    await importFile(['01 Review 90'], () => ({ outcome: 'unknown' }));
    expect(await importFile(['01 Review 95'])).toEqual(['changed']);
    const { verdicts } = compareRows(await journal.rows('/worklogs'), [row('01 Review 95')], 99);
    expect(verdicts).toMatchObject([{ kind: 'changed', as: { state: 'unconfirmed' } }]);
  });

  test('treats a row with a deleted record as new, not as removed', async () => {
    await importFile(FILE);
    const known = await journal.rows('/worklogs');
    const gone = await journal.begin(aWrite({ method: 'DELETE', path: `/worklogs/${known[0]?.recordId}` }));
    await journal.resolve(gone, { outcome: 'done', status: 204 });
    await journal.forgetRows([known[1]?.number ?? 0]);
    expect(await importFile(['02 Review 60'])).toEqual(['known']);
    expect(await importFile(FILE)).toEqual(['undone', 'undone', 'known']);
  });

  test('recognises a corrected row, and treats the row before the correction as changed', async () => {
    await importFile(FILE);
    const fix = await correct('01 Review 90', '01 Review 95');
    const corrected = ['01 Review 95', '01 Lunch 30', '02 Review 60'];
    expect(await importFile(corrected)).toEqual(['known', 'known', 'known']);
    // Corrected back: a change of the record that is there.
    expect(await importFile(FILE)).toEqual(['changed', 'known', 'known']);
    // The correction taken back: the old row stands, and the new one is not logged beside it.
    const undone = await journal.begin(aWrite({ method: 'PATCH', undoes: fix }));
    await journal.resolve(undone, { outcome: 'done', status: 200 });
    expect(await importFile(FILE)).toEqual(['known', 'known', 'known']);
    expect(await importFile(corrected)).toEqual(['changed', 'known', 'known']);
  });

  test('treats the row before a correction as new, under a second key, beside the corrected row', async () => {
    await importFile(['01 Review 90']);
    await correct('01 Review 90', '01 Review 95');
    expect(await importFile(['01 Review 95', '01 Review 90'])).toEqual(['known', 'new']);
    expect(await journal.entryByKey(importKey('01 Review 90', 2))).toMatchObject({ outcome: 'done' });
  });

  async function correct(from: string, to: string): Promise<number> {
    const old = (await journal.rows('/worklogs')).find(({ digest }) => digest === from);
    const change = { method: 'PATCH', path: `/worklogs/${old?.recordId}`, collection: '/worklogs' };
    const fix = await journal.begin(aWrite({ ...change, row: { ...row(to), source: old?.source ?? 0, replaces: old?.number } }));
    await journal.resolve(fix, { outcome: 'done', status: 200, recordId: old?.recordId });
    return fix;
  }
});

test('an import recognises the rows of an older journal, with their records', async () => {
  await journal.adoptRows('/worklogs', [{ ...row('01 Review 90'), source: 1, recordId: '77' }]);
  expect(await journal.rows('/worklogs')).toMatchObject([{ digest: '01 Review 90', recordId: '77', entry: undefined, state: 'there' }]);
  expect(await importFile(FILE)).toEqual(['known', 'new', 'new']);
  expect(await journal.rows('/absences')).toEqual([]);
});

test('two imports at once give a row the same key, and count its record once', async () => {
  const rows = await journal.rows('/worklogs');
  const [one, other] = [compareRows(rows, [row('01 Review 90')], 1), compareRows(rows, [row('01 Review 90')], 2)];
  expect([one.verdicts, other.verdicts]).toEqual([
    [{ kind: 'new', key: importKey('01 Review 90', 1) }],
    [{ kind: 'new', key: importKey('01 Review 90', 1) }],
  ]);
  for (const source of [1, 2]) {
    const number = await journal.begin(aWrite({ row: { ...row('01 Review 90'), source } }));
    await journal.resolve(number, { outcome: 'done', status: 201, recordId: '5' });
  }
  expect(await importFile(['01 Review 90', '01 Review 90'])).toEqual(['known', 'new']);
});

const FILES = 60;

test(`imports of a changing file log each row as often as the file ever had the row at once (${FILES} histories)`, async () => {
  // Text by text, the most that any form of the file had is what is logged.
  const text = fc.constantFrom('01 A 1', '01 B 1', '02 A 1', '02 C 1');
  const property = fc.asyncProperty(fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 4 }), async (files) => {
    const fresh = await openJournal(join(directory, `${Math.random()}.sqlite`), { clock: systemClock, onSetAside: () => undefined });
    const kept = journal;
    journal = fresh;
    try {
      for (const file of files) await importFile(file);
      const logged = Map.groupBy(await fresh.rows('/worklogs'), ({ digest }) => digest);
      for (const each of new Set(files.flat())) {
        const most = Math.max(...files.map((file) => file.filter((other) => other === each).length));
        expect([each, logged.get(each)?.length]).toEqual([each, most]);
      }
    } finally {
      fresh.close();
      journal = kept;
    }
  });
  // A failure prints its seed.
  await fc.assert(property, { numRuns: FILES });
});
