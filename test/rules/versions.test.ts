import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

// What this release of the service brought, and what a later one may change: chapters 16 and 17 of docs/service-rules.md.

let here: Recording;
beforeAll(async () => {
  here = await startRecording();
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sent();
});

const addresses = () => here.server.requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`);

test('every request is of version 2, by its path (rule 17.1)', async () => {
  const before = here.server.requests.length;
  for (const words of [
    'me',
    'worklogs list',
    'worklogs add --minutes 5',
    'worklogs delete 1 --yes',
    'api /me',
    'api /api/v2/me',
    'resources',
  ]) {
    await here.svc(words.split(' '));
  }
  const sent = addresses().slice(before);
  expect(sent.length).toBeGreaterThanOrEqual(7);
  for (const line of sent) expect(line).toMatch(/^[A-Z]+ \/api\/v2(\/|$)/);
});

test('another version in the header changes nothing: the path says which was asked (rules 17.1, 17.2)', async () => {
  here.server.script(json(200, { data: { id: 1, name: 'Ada' } }, { 'x-service-api-version': '3' }));
  expect(await here.svc(['me', '--jq', '.name'])).toEqual({ code: 0, stdout: 'Ada\n', stderr: '' });
});

test.each(['worklogs list', 'worklogs get 1', 'workflow-statuses list', 'sales-invoices get 1', 'users list', 'timers get 1'])(
  'a value that no release knew yet is shown as it came, in %s (rules 17.5, 17.6)',
  async (words) => {
    const record = { id: 1, status: 'brand-new', state: 'brand-new', type: 'brand-new', kind: 'brand-new', role: 'brand-new' };
    const page = { per_page: 100, next_cursor: null, prev_cursor: null, total: 1, current_page: null, last_page: null };
    for (const format of ['json', 'table', 'csv']) {
      const list = words.endsWith('list');
      here.server.script(json(200, list ? { data: [record], meta: { page }, links: { next: null } } : { data: record }));
      const { code, stdout } = await here.svc([...words.split(' '), '-o', format, '--fields', 'id,status,state,type,kind,role']);
      expect([format, code, stdout.match(/brand-new/g)?.length]).toEqual([format, 0, 5]);
    }
  },
);

describe('in this release', () => {
  test.each([
    ['GET /me (rule 17.10)', ['me'], 'GET /me', undefined],
    [
      'POST /work-items/{work_item}/actions/move (rule 17.11)',
      ['work-items', 'move', 'ABC-12', '--after', 'ABC-7'],
      'POST /work-items/ABC-12/actions/move',
      '{"after_work_item_id":"ABC-7"}',
    ],
  ])('%s', async (_, argv, request, body) => {
    expect(await here.svc(argv)).toMatchObject({ code: 0 });
    expect(here.sent()).toEqual([request]);
    expect(here.server.requests.at(-1)?.body).toBe(body ?? '');
  });

  test.each([
    ['projects', '1'],
    ['work-items', 'ABC-12'],
  ])('web_url of %s is what svc opens (rule 17.12)', async (noun, id) => {
    const address = `${here.server.origin}/there/${id}`;
    here.server.script(json(200, { data: { id: 1, web_url: address } }));
    expect(await here.svc(['open', noun, id, '--print'])).toMatchObject({ code: 0, stdout: `${address}\n` });
  });

  test.each([
    ['(rule 17.8)', 'contacts list', 'Emergency contacts are seen and changed by that very employee only'],
    ['(rule 17.13)', 'sales-invoice-rows update', 'back to Pending approval'],
  ])('what surprises people %s is said in the help of %s: %s', async (_, words, said) => {
    const { stdout } = await here.svc([...words.split(' '), '--help']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(said);
  });
});

test.each(['worklogs add --minutes 5', 'api /worklogs -F minutes=5'])(
  'a key of 255 characters is sent, a longer one is not, by %s (rule 16.4)',
  async (words) => {
    const withKey = (length: number) => here.svc([...words.split(' '), '--idempotency-key', 'k'.repeat(length)]);
    expect(await withKey(255)).toMatchObject({ code: 0 });
    expect(here.server.requests.at(-1)?.headers['idempotency-key']).toBe('k'.repeat(255));
    here.sent();
    expect(await withKey(256)).toMatchObject({ code: 2, stderr: expect.stringContaining('1 to 255') });
    expect(here.sent()).toEqual([]);
  },
);
