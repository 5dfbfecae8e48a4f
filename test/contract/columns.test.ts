import { afterAll, beforeAll, expect, it } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

let here: Recording;
beforeAll(async () => {
  here = await startRecording();
});
afterAll(() => here.remove());

/** Returns the heading of a table with these rows. */
async function heading(rows: readonly object[], ...argv: string[]): Promise<string> {
  here.server.script(json(200, { data: rows, meta: {}, links: { next: null } }));
  const { stdout } = await here.svc([...argv, '--output', 'table']);
  return (stdout.split('\n')[0] ?? '').trim().replace(/ {2,}/g, '|');
}

it('a table shows the columns of the catalog, including empty columns (rule 2.43)', async () => {
  expect(await heading([{ id: 1, name: 'urgent', color: null }], 'labels', 'list')).toBe('ID|NAME|COLOR');
});

it('a table leaves out an assumed column that no record has', async () => {
  expect(await heading([{ id: 1, name: 'urgent' }], 'labels', 'list')).toBe('ID|NAME');
});

it('a table shows the fields of the records when the catalog has none of these fields', async () => {
  expect(await heading([{ uuid: 'x', title: 'urgent', nested: {} }], 'labels', 'list')).toBe('UUID|TITLE');
});

it('a table shows readable rich text and durations, and unknown enum values unchanged (rule 17.6)', async () => {
  const rows = [{ id: 1, body: '<p>Looks <b>good</b></p><p>&amp; done</p>', user_id: 4, created_at: '2026-01-01T00:00:00Z' }];
  here.server.script(json(200, { data: rows, meta: {}, links: { next: null } }));
  expect((await here.svc(['work-items', 'comments', 'list', '12', '-o', 'table'])).stdout).toContain('Looks good & done');
  here.server.script(json(200, { data: { id: 1, status: 'brand-new', budget: 90 } }));
  expect((await here.svc(['budgets', 'get', '1', '-o', 'table'])).stdout).toMatch(/status +brand-new\nbudget +1h30/);
});
