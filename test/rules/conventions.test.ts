import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { type WithToken, withToken } from './with-token.ts';

// Chapter 2 of docs/service-rules.md, as far as svc must keep to it.

let here: WithToken;
let fake: Recording;
beforeAll(async () => {
  [here, fake] = await Promise.all([withToken(), startRecording()]);
});
afterAll(() => Promise.all([here.remove(), fake.remove()]));

/** What svc prints of this record, in a format. */
async function printed(record: string, argv: readonly string[], format: string): Promise<string> {
  fake.server.script(json(200, `{"data":${record}}`));
  const { code, stdout, stderr } = await fake.svc([...argv, '-o', format]);
  expect(code, stderr).toBe(0);
  return stdout;
}

describe('names of fields', () => {
  test('have hyphens in flags, and underscores in request bodies (rule 2.1)', async () => {
    const made = ['--project', '1', '--title', 'x', '--due-date', '2026-06-15', '--assignee', '2'];
    await here.read('work-items', 'create', ...made);
    expect(JSON.parse(here.sandbox.requests.at(-1)?.body ?? '')).toEqual({
      project_id: 1,
      title: 'x',
      due_date: '2026-06-15',
      assignee_id: 2,
    });
  });

  test('include the key of a relation, also next to its record (rule 2.2)', async () => {
    const [plain] = await here.read('worklogs', 'list', '-L', '1', '--view', 'detail');
    expect(plain).toEqual(expect.not.objectContaining({ project: expect.anything() }));
    const [whole] = await here.read(
      'worklogs',
      'list',
      '-L',
      '1',
      '--view',
      'detail',
      '--include',
      'project',
      '--fields',
      'project_id,project.id',
    );
    expect(whole).toEqual({ project_id: plain.project_id, project: { id: plain.project_id } });
    const found = await here.read('worklogs', 'list', '-L', '3', '--project', '2', '--view', 'detail', '--jq', 'map(.project_id) | unique');
    expect(found).toEqual([2]);
  });

  test.each([
    ['folder_id of a drive item (rule 2.3)', ['drive-documents', 'update', '1', '--folder', '2'], { folder_id: 2 }],
    ['parent_id of a drive folder (rule 2.4)', ['drive-folders', 'update', '2', '--parent', '1'], { parent_id: 1 }],
    ['contact_role_id of a contact (rule 2.5)', ['contacts', 'update', '1', '--role', '2'], { contact_role_id: 2 }],
  ])('include the unusual key %s in requests and output', async (_, argv, body) => {
    expect(await here.read(...argv)).toMatchObject(body);
    expect(JSON.parse(here.sandbox.requests.at(-1)?.body ?? '')).toEqual(body);
  });

  test.each(['projects', 'work-items'])(
    'include web_url in the output for %s, but not in flags (rules 2.40, 2.41, 4.33, 4.39)',
    async (noun) => {
      const { web_url } = await here.read(noun, 'get', '1');
      expect((await here.svc(['open', noun, '1', '--print'])).stdout).toBe(`${web_url}\n`);
      expect((await here.svc([noun, 'update', '1', '--web-url', 'https://elsewhere.example'])).code).toBe(2);
      expect((await here.svc([noun, 'update', '1', '-f', 'web_url=https://elsewhere.example'])).code).toBe(9);
    },
  );
});

describe('an id', () => {
  test.each(['abc', '1.5', '-1', '0', '1e3', '', 'ABC-12'])('cannot be %j, so svc exits 2 and sends nothing (rule 2.9)', async (id) => {
    fake.sent();
    expect((await fake.svc(['worklogs', 'get', '--', id])).code).toBe(2);
    expect(fake.sent()).toEqual([]);
  });

  test.each(['abc-12', 'A1-7', 'AB'])('can be replaced by a key or a title, such as %s (rule 2.10)', async (key) => {
    fake.sent();
    await fake.svc(['work-items', 'get', key]);
    expect(fake.sent()).toEqual([key === 'AB' ? 'GET /work-items?per_page=100' : `GET /work-items/${key.toUpperCase()}`]);
  });

  test('appears for a work item without a key (rule 2.11)', async () => {
    const { id: project } = await here.read('projects', 'create', '--name', 'without a prefix');
    const { id, issue_key } = await here.read('work-items', 'create', '--project', String(project), '--title', 'keyless');
    expect(issue_key).toBe(null);
    const { stdout } = await here.svc(['work-items', 'list', '--project', String(project), '-o', 'table']);
    expect(stdout).toMatch(new RegExp(`\\n#${id} +keyless`));
    expect((await here.svc(['work-items', 'list', '--project', String(project), '-o', 'ids'])).stdout).toBe(`${id}\n`);
    expect(await here.read('work-items', 'get', String(id))).toMatchObject({ id, issue_key: null });
  });
});

describe('a field', () => {
  test.each([
    ['worklogs', 'add', '--minutes', '5', '--date', '2026-06-15T10:00:00Z'],
    ['worklogs', 'add', '--minutes', '5', '--date', '15-13-2026'],
    ['worklogs', 'add', '--minutes', '5', '--date', '2026-6-5'],
  ])('for a date without a time has one form (rule 2.15), so svc refuses %s %s %s %s %s %s', async (...argv) => {
    fake.sent();
    expect([(await fake.svc(argv)).code, fake.sent()]).toEqual([2, []]);
  });

  test('for working hours has times of day and a time zone, which svc week uses (rules 2.16, 2.21, 4.54)', async () => {
    here.sent();
    // From half past eight to half past four, in Lagos.
    const { stdout } = await here.as('manager', [
      'week',
      '2026-W24',
      '--jq',
      '[map(.working_minutes), .[0].timezone, .[0].timezone_assumed]',
    ]);
    expect(JSON.parse(stdout)).toEqual([[480, 480, 480, 480, 480, 0, 0], 'Africa/Lagos', false]);
    expect(here.sent()[0]).toBe('GET /me');
  });

  test('for a quantity keeps decimals, and a field for billable time has minutes (rule 2.24)', async () => {
    const row = ['--sales-invoice', '1', '--name', 'Hours', '--budget', '1', '--quantity', '1.5', '--billable-minutes', '1h30'];
    const made = await here.read('sales-invoice-rows', 'create', ...row);
    expect(made).toMatchObject({ quantity: '1.50', billable_minutes: 90 });
    const table = await here.svc(['sales-invoice-rows', 'get', String(made.id), '-o', 'table']);
    expect(table.stdout).toMatch(/quantity +1\.50\n[\s\S]*billable_minutes +1h30\n/);
  });

  test('for money appears unchanged, without rounding and without a currency (rules 2.25, 2.27)', async () => {
    const record = '{"id":1,"unit_price":"12345678901234567.10","total_amount":"-0.50"}';
    const argv = ['sales-invoice-rows', 'get', '1'];
    expect(await printed(record, argv, 'ndjson')).toBe(`${record}\n`);
    expect(await printed(record, argv, 'csv')).toBe('id,unit_price,total_amount\n1,12345678901234567.10,-0.50\n');
    expect(await printed(record, argv, 'table')).toMatch(/^id +1\nunit_price +12345678901234567\.10\ntotal_amount +-0\.50\n$/);
  });

  test('for a coordinate appears to its last digit (rule 2.29)', async () => {
    const record = '{"id":1,"latitude":"52.3702157","longitude":"-4.8951680"}';
    for (const format of ['ndjson', 'csv', 'table'])
      expect(await printed(record, ['company-branches', 'get', '1'], format)).toMatch(/52\.3702157[\s\S]*-4\.8951680/);
  });

  test('with an enum value keeps the value letter for letter (rule 2.32)', async () => {
    const { id } = await here.read('projects', 'create', '--name', 'x', '--status', 'on-hold');
    expect(here.sandbox.requests.at(-1)?.body).toContain('"status":"on-hold"');
    expect((await here.read('projects', 'list', '--filter', 'status=on-hold', '--jq', 'map(.id)')).includes(id)).toBe(true);
    expect((await here.svc(['projects', 'create', '--name', 'x', '--status', 'on_hold'])).code).toBe(9);
  });

  test('that needs the parameter include appears only with --include (rule 2.38)', async () => {
    here.sent();
    expect(await here.read('drive-documents', 'get', '1')).not.toHaveProperty('content_html');
    expect((await here.read('drive-documents', 'get', '1', '--include', 'content_html')).content_html).toContain('<h1>');
    expect(here.sent()).toEqual(['GET /drive-documents/1', 'GET /drive-documents/1?include=content_html']);
  });
});

describe('the output of a record', () => {
  test('lacks a field that the record does not have, and svc reports the missing field (rule 2.42)', async () => {
    const result = await here.svc(['worklogs', 'get', '1', '--fields', 'id,project.name', '-o', 'ndjson']);
    expect([result.stdout, result.stderr.includes('No record has: project.name.')]).toEqual(['{"id":1}\n', true]);
  });

  test('keeps an empty list different from null (rule 2.44)', async () => {
    const record = '{"id":1,"labels":[],"assignee":null}';
    expect(await printed(record, ['work-items', 'get', '1'], 'ndjson')).toBe(`${record}\n`);
    expect(await printed(record, ['work-items', 'get', '1'], 'yaml')).toBe('id: 1\nlabels: []\nassignee: null\n');
  });
});

test('svc prints the time of the delete of a soft-deleted record with --trashed (rule 2.45)', async () => {
  await here.svc(['projects', 'delete', '3', '--yes']);
  const gone = '.[] | select(.id == 3) | .deleted_at';
  expect((await here.svc(['projects', 'list', '--jq', gone])).stdout).toBe('');
  expect((await here.svc(['projects', 'list', '--trashed', 'with', '--jq', gone])).stdout).toMatch(/^2\d{3}-\S+Z\n$/);
});

describe('a refusal with a code', () => {
  test.each([
    ['a date-time of another form in a body (rule 2.19)', ['absences', 'create', '-f', 'start=2026-06-15'], 'date_format', 'start'],
    [
      'a date-time of another form in a filter (rule 2.20)',
      ['api', '/worklogs?filter[created_at][gte]=2026-06-10T10:00:00%2B02:00', '--silent'],
      'invalid_format',
      'filter[created_at][gte]',
    ],
    ['an enum value that does not exist (rule 2.34)', ['projects', 'create', '--name', 'x', '--status', 'gone'], 'in', 'status'],
    ['a page that is too large (rule 8.6)', ['api', '/worklogs?per_page=101', '--silent'], 'out_of_range', 'per_page'],
    ['a cursor of another query (rule 8.10)', ['absences', 'list', '--cursor', 'abc'], 'invalid_cursor', 'cursor'],
    ['an unknown key in a body (rule 9.2)', ['labels', 'create', '--name', 'x', '-f', 'shoe_size=38'], 'unknown_key', 'shoe_size'],
    ['a key next to the name (rule 9.33)', ['workflows', 'create', '--name', 'x', '-F', 'order=1'], 'unknown_key', 'order'],
    [
      'a key next to the status (rule 9.56)',
      ['api', 'POST', '/work-items/ABC-12/actions/transition', '-F', 'workflow_status_id=3', '-f', 'title=x', '--silent'],
      'unknown_key',
      'title',
    ],
  ])('is printed with its code, and makes svc exit 9, for %s', async (_, argv, code, parameter) => {
    const result = await here.svc([...argv, '--error-format', 'json']);
    expect(result.code).toBe(9);
    expect(JSON.parse(result.stderr)).toMatchObject({ code, parameter });
  });
});

test('svc exits 9 and prints the method that a path does not accept (rule 9.3)', async () => {
  const { code, stderr } = await here.svc(['api', 'DELETE', '/me', '--silent', '--yes']);
  expect([code, stderr.split('\n')[0]]).toEqual([9, 'svc: /api/v2/me does not accept DELETE.']);
});
