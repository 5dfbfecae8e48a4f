import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import type { RunOptions } from '../support/svc.ts';

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

test('every request has version 2 in its path (rule 17.1)', async () => {
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

describe('a notice from a header', () => {
  const ME = { data: { id: 1, name: 'Ada' } };
  const DAY = 24 * 60 * 60 * 1000;
  const now = Date.parse('2026-11-20T10:00:00Z');
  /** `svc me`, answered with these headers; what it says on stderr. */
  const told = async (headers: Readonly<Record<string, string>>, options: RunOptions = {}, flags: readonly string[] = []) => {
    here.server.script(json(200, ME, headers));
    const { code, stdout, stderr } = await here.svc(['me', '--jq', '.name', ...flags], { now, ...options });
    expect([code, stdout]).toEqual([0, 'Ada\n']);
    return stderr;
  };

  test.each([
    ['version 2', { 'x-service-api-version': '2' }, ''],
    [
      'another version (rules 7.9, 17.2)',
      { 'x-service-api-version': '3' },
      'HOST answers with version 3 of its API; this svc supports version 2. Install a newer svc.\n',
    ],
    ['Deprecation with a time', { deprecation: '@1767225600' }, 'HOST says that GET /api/v2/me is deprecated since 2026-01-01.\n'],
    ['Deprecation without a time', { deprecation: 'true' }, 'HOST says that GET /api/v2/me is deprecated.\n'],
    ['Sunset', { sunset: 'Wed, 01 Sep 2027 00:00:00 GMT' }, 'HOST says that GET /api/v2/me ends on 2027-09-01.\n'],
    ['Warning', { warning: '299 - "Say \\"hours\\"" "Wed"' }, 'HOST warns of GET /api/v2/me: Say "hours"\n'],
    ['a hostile Warning', { warning: 'x\u009b31m' }, 'HOST warns of GET /api/v2/me: x\\u009b31m\n'],
  ])('appears on stderr at most once a day for %s', async (_, headers, line) => {
    const expected = line.replaceAll('HOST', here.host);
    expect(await told(headers)).toBe(expected);
    expect(await told(headers)).toBe('');
    expect(await told(headers, { now: now + DAY - 1000 })).toBe('');
    expect(await told(headers, { now: now + DAY })).toBe(expected);
  });

  test('appears again for another host', async () => {
    const other = await startRecording();
    const headers = { deprecation: 'true', 'x-service-api-version': '4' };
    try {
      expect(await told(headers, { now: now + 3 * DAY })).toContain('version 4');
      other.server.script(json(200, ME, headers));
      expect((await here.svc(['me'], { now: now + 3 * DAY, env: { SVC_HOST: other.host } })).stderr).toContain(
        `${other.host} answers with version 4`,
      );
    } finally {
      await other.remove();
    }
  });

  test.each([
    ['--quiet', {}, ['--quiet']],
    ['errors as JSON', {}, ['--error-format', 'json']],
    ['SVC_ERROR_FORMAT=json', { env: { SVC_ERROR_FORMAT: 'json' } }, []],
  ])('does not appear with %s, but in the next command', async (_, options, flags) => {
    const headers = { sunset: `${flags.join('')}${Object.keys(options).join('')}` || 'soon' };
    expect(await told(headers, options, flags)).toBe('');
    expect(await told(headers)).toContain('ends on');
  });

  test('also appears after a failure, and svc prints at most 20 a day', async () => {
    here.server.script(json(404, {}, { deprecation: 'true' }));
    const failed = await here.svc(['projects', 'get', '1'], { now: now + 9 * DAY });
    expect(failed.code).toBe(3);
    expect(failed.stderr).toContain('GET /api/v2/projects/1 is deprecated');
    let lines = 0;
    for (let number = 0; number < 30; number += 1)
      lines += (await told({ warning: `299 - "${number}"` }, { now: now + 20 * DAY })) === '' ? 0 : 1;
    expect(lines).toBe(20);
  });
});

test.each(['worklogs list', 'worklogs get 1', 'workflow-statuses list', 'sales-invoices get 1', 'users list', 'timers get 1'])(
  'svc prints an unknown value unchanged, in %s (rules 17.5, 17.6)',
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

describe('a change of this version of the service', () => {
  test.each([
    ['GET /me (rule 17.10)', ['me'], 'GET /me', undefined],
    [
      'POST /work-items/{work_item}/actions/move (rule 17.11)',
      ['work-items', 'move', 'ABC-12', '--after', 'ABC-7'],
      'POST /work-items/ABC-12/actions/move',
      '{"after_work_item_id":"ABC-7"}',
    ],
  ])('is in the request of svc: %s', async (_, argv, request, body) => {
    expect(await here.svc(argv)).toMatchObject({ code: 0 });
    expect(here.sent()).toEqual([request]);
    expect(here.server.requests.at(-1)?.body).toBe(body ?? '');
  });

  test.each([
    ['projects', '1'],
    ['work-items', 'ABC-12'],
  ])('is the web_url of %s, which the command "svc open --print" prints (rule 17.12)', async (noun, id) => {
    const address = `${here.server.origin}/there/${id}`;
    here.server.script(json(200, { data: { id: 1, web_url: address } }));
    expect(await here.svc(['open', noun, id, '--print'])).toMatchObject({ code: 0, stdout: `${address}\n` });
  });

  test.each([
    ['(rule 17.8)', 'contacts list', 'You can see, add and change only your own emergency contacts'],
    ['(rule 17.13)', 'sales-invoice-rows update', 'back to Pending approval'],
  ])('appears %s in the help of %s with "%s"', async (_, words, said) => {
    const { stdout } = await here.svc([...words.split(' '), '--help']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(said);
  });
});

test.each(['worklogs add --minutes 5', 'api /worklogs -F minutes=5'])(
  'svc sends an Idempotency-Key of 255 characters, and refuses a longer key, for %s (rule 16.4)',
  async (words) => {
    const withKey = (length: number) => here.svc([...words.split(' '), '--idempotency-key', 'k'.repeat(length)]);
    expect(await withKey(255)).toMatchObject({ code: 0 });
    expect(here.server.requests.at(-1)?.headers['idempotency-key']).toBe('k'.repeat(255));
    here.sent();
    expect(await withKey(256)).toMatchObject({ code: 2, stderr: expect.stringContaining('1 to 255') });
    expect(here.sent()).toEqual([]);
  },
);
