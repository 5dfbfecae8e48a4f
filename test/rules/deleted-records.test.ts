import { afterEach, describe, expect, test } from 'vitest';
import { INTERPRETATIONS } from '../../src/sandbox/interpretations.ts';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

// How a deleted record shows is not documented, nor whether page numbers stay put; svc goes by what holds in each reading.

let here: SignedIn;
afterEach(() => here.remove());

describe.each(INTERPRETATIONS.deletedRecords)('a deleted record of a service with deletedRecords %s', (deletedRecords) => {
  test('is missing in lists, and a second delete fails (rule 18.31)', async () => {
    here = await signedIn({ limits: 'off', personalToken: true, interpretations: { deletedRecords } });
    const ids = async () => (await here.svc(['todos', 'list', '--output', 'ids'])).stdout.trim().split('\n');
    const [first = ''] = await ids();
    expect(await here.svc(['todos', 'delete', first, '--yes'])).toMatchObject({ code: 0 });
    expect(await ids()).not.toContain(first);
    const again = await here.svc(['todos', 'delete', first, '--yes']);
    expect(again.code).toBe(3);
  });
});

test('svc reads a resource with counted rows by cursor, not by page number (rule 18.30)', async () => {
  here = await signedIn({ limits: 'off', seed: 3 });
  const { stdout } = await here.svc(['work-types', 'list', '--per-page', '2', '--output', 'ids']);
  const printed = stdout.trim().split('\n');
  const rows = here.sandbox.rows('work-types').filter((row) => row['deleted_at'] === null || row['deleted_at'] === undefined);
  expect(printed.map(Number).sort((a, b) => a - b)).toEqual(rows.map((row) => Number(row['id'])).sort((a, b) => a - b));
  const lists = sent(here.sandbox).filter((line) => line.includes('/work-types'));
  expect(lists.length).toBeGreaterThan(1);
  expect(lists.filter((line) => /[?&]page=/.test(line))).toEqual([]);
});
