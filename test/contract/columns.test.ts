import { afterAll, beforeAll, expect, it } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

let here: Recording;
beforeAll(async () => {
  here = await startRecording();
});
afterAll(() => here.remove());

/** The heading of a table of these rows. */
async function heading(rows: readonly object[], ...argv: string[]): Promise<string> {
  here.server.script(json(200, { data: rows, meta: {}, links: { next: null } }));
  const { stdout } = await here.svc([...argv, '--output', 'table']);
  return (stdout.split('\n')[0] ?? '').trim().replace(/ {2,}/g, '|');
}

it('shows the columns of the catalog, empty ones too (rule 2.43)', async () => {
  expect(await heading([{ id: 1, name: 'urgent', color: null }], 'labels', 'list')).toBe('ID|NAME|COLOR');
});

it('leaves out what it assumed and no record has', async () => {
  expect(await heading([{ id: 1, name: 'urgent' }], 'labels', 'list')).toBe('ID|NAME');
});

it('shows what the records have where it knows nothing of them', async () => {
  expect(await heading([{ uuid: 'x', title: 'urgent', nested: {} }], 'labels', 'list')).toBe('UUID|TITLE');
});

it('shows rich text and durations readably, and enum values that nobody knows as they are (rule 17.6)', async () => {
  const rows = [{ id: 1, body: '<p>Looks <b>good</b></p><p>&amp; done</p>', user_id: 4, created_at: '2026-01-01T00:00:00Z' }];
  here.server.script(json(200, { data: rows, meta: {}, links: { next: null } }));
  expect((await here.svc(['work-items', 'comments', 'list', '12', '-o', 'table'])).stdout).toContain('Looks good & done');
  here.server.script(json(200, { data: { id: 1, status: 'brand-new', budget: 90 } }));
  expect((await here.svc(['budgets', 'get', '1', '-o', 'table'])).stdout).toMatch(/status +brand-new\nbudget +1h30/);
});
