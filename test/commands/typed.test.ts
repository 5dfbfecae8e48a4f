import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { wordsOf } from '../../src/catalog/rules.ts';
import { type WithToken, withToken } from '../rules/with-token.ts';
import { type Recording, startRecording } from '../support/recording.ts';

// svc reads the value of a field or filter by its type in the catalog, and otherwise like gh.

let here: Recording;
beforeAll(async () => {
  here = await startRecording();
  // From here on svc knows the zone of the user.
  await run('worklogs', 'list', '--from', 'today');
});
afterAll(() => here.remove());
beforeEach(() => void here.sent());

const NOW = Date.parse('2026-12-09T10:00:00Z');
const run = (...argv: string[]) => here.svc(argv, { now: NOW });

describe('a list command with a filter', () => {
  test.each([
    ['a duration', ['work-items', 'list', '--filter', 'estimation.gte=1h30'], 'work-items?filter[estimation][gte]=90'],
    ['a list of durations', ['worklogs', 'list', '--filter', 'minutes.in=1h,90m'], 'worklogs?filter[minutes][in]=60,90'],
    ['money', ['sales-invoice-rows', 'list', '--filter', 'unit_price.gte=12.5'], 'sales-invoice-rows?filter[unit_price][gte]=12.50'],
    ['a percentage', ['sales-invoice-rows', 'list', '--filter', 'vat_rate=21%'], 'sales-invoice-rows?filter[vat_rate]=21'],
    ['a date', ['sprints', 'list', '--filter', 'end_date.lte=tomorrow'], 'sprints?filter[end_date][lte]=2026-12-10'],
    ['a boolean', ['worklogs', 'list', '--filter', 'is_overtime=yes'], 'worklogs?filter[is_overtime]=true'],
    ['an id', ['worklogs', 'list', '--filter', 'budget_id=07'], 'worklogs?filter[budget_id]=7'],
    ['the end of a date range', ['events', 'list', '--filter', 'end.lte=today'], 'events?filter[end][lte]=2026-12-09T22:59:59Z'],
    ['a later day', ['timers', 'list', '--filter', 'started_at.gt=today'], 'timers?filter[started_at][gt]=2026-12-09T22:59:59Z'],
    ['a string', ['projects', 'list', '--filter', 'name=none'], 'projects?filter[name]=none'],
    ['an unknown field', ['worklogs', 'list', '--filter', 'mood=1h30'], 'worklogs?filter[mood]=1h30'],
  ])('sends a filter by %s in the service’s format (rules 2.17, 2.23, 2.26, 2.28, 8.28)', async (_, argv, request) => {
    const { code, stderr } = await run(...argv);
    expect([code, here.sent()], stderr).toEqual([0, [`GET /${request}&per_page=100`]]);
  });

  test('exits 2 for a value that does not have the type of its field (rules 8.28, 8.29)', async () => {
    const free = new Set(['string', 'html', 'markdown', 'enum', 'json']);
    const raw: string[] = [];
    let typed = 0;
    for (const resource of await builtInCatalog().all()) {
      if (resource.parent !== undefined || resource.verbs?.includes('list') === false) continue;
      for (const [name, { kind }] of Object.entries({ ...resource.fields, ...resource.filters })) {
        if (free.has(kind)) continue;
        typed += 1;
        const { code } = await run(wordsOf(resource), 'list', '--filter', `${name}=nothing like it`);
        // svc looks up a value that is a name, and does not request the list.
        const listed = here.sent().filter((request) => request.includes('filter['));
        if (code !== 2 || listed.length > 0) raw.push(`${resource.noun}.${name}`);
      }
    }
    expect([raw, typed > 150]).toEqual([[], true]);
  });

  test.each([
    [['absences', 'list', '--filter', 'start=2026-12-09'], 'start', '.gte=2026-12-09 and .lte=2026-12-09'],
    [['worklogs', 'list', '--filter', 'created_at=today'], 'created_at', '.gte=today'],
  ])('refuses a day for a date-time field in %j', async (argv, field, hint) => {
    const { code, stderr } = await run(...argv);
    expect([code, here.sent(), stderr.includes(`--filter ${field}: `), stderr.includes(hint)], stderr).toEqual([2, [], true, true]);
  });

  test('refuses "none", and names the operator to use', async () => {
    const { code, stderr } = await run('work-items', 'list', '--filter', 'due_date=none');
    expect([code, here.sent(), stderr.includes('--filter <field>.null=true')]).toEqual([2, [], true]);
  });

  test('sends "me" for a documented filter, and otherwise the id of the user (rules 9.23, 9.25, 9.26, 18.25)', async () => {
    for (const argv of [
      ['--user', 'me'],
      ['--manager', 'me'],
      ['--filter', 'user_id.in=me,2'],
      ['--filter', 'manager_id.in=2,me'],
    ]) {
      expect((await run('absences', 'list', ...argv)).code).toBe(0);
    }
    // The record of the server has the id 31.
    expect(here.sent().filter((line) => line !== 'GET /me')).toEqual([
      'GET /absences?filter[user_id]=me&per_page=100',
      'GET /absences?filter[manager_id]=31&per_page=100',
      'GET /absences?filter[user_id][in]=31,2&per_page=100',
      'GET /absences?filter[manager_id][in]=2,31&per_page=100',
    ]);
  });
});

describe('a create or update command', () => {
  async function body(...argv: string[]): Promise<unknown> {
    const { code, stderr } = await run(...argv);
    expect(code, stderr).toBe(0);
    return JSON.parse(here.server.requests.at(-1)?.body ?? 'null');
  }

  test.each([
    [
      'as in gh for an unknown field',
      ['a=true', 'b=false', 'c=null', 'd=15', 'e=1.50', 'f=none', 'g=-3', 'h=1e3'],
      {
        a: true,
        b: false,
        c: null,
        d: 15,
        e: '1.50',
        f: 'none',
        g: -3,
        h: '1e3',
      },
    ],
    ['as in gh inside another field', ['a[minutes]=90', 'b[]=1', 'b[]=x'], { a: { minutes: 90 }, b: [1, 'x'] }],
  ])('reads a -F value %s (rule 2.26)', async (_, fields, expected) => {
    expect(await body('labels', 'update', '3', ...fields.flatMap((field) => ['-F', field]))).toEqual(expected);
  });

  test.each([
    ['a duration', ['worklogs', 'update', '3'], 'minutes=1h30', { minutes: 90 }],
    ['money', ['sales-invoice-rows', 'update', '3'], 'unit_price=12', { unit_price: '12.00' }],
    ['a decimal', ['sales-invoice-rows', 'update', '3'], 'quantity=1.50', { quantity: '1.50' }],
    ['a percentage', ['sales-invoice-rows', 'update', '3'], 'vat_rate=21%', { vat_rate: 21 }],
    ['a coordinate', ['company-branches', 'update', '3'], 'latitude=51.9225', { latitude: 51.9225 }],
    ['a date', ['work-items', 'update', '3'], 'due_date=tomorrow', { due_date: '2026-12-10' }],
    ['a boolean', ['worklogs', 'update', '3'], 'is_overtime=yes', { is_overtime: true }],
    ['your own user', ['work-items', 'update', '3'], 'assignee_id=me', { assignee_id: 31 }],
    ['a string of digits', ['worklogs', 'update', '3'], 'description=2026', { description: '2026' }],
    ['an enum', ['projects', 'update', '3'], 'status=true', { status: 'true' }],
    ['an empty value', ['work-items', 'update', '3'], 'due_date=none', { due_date: null }],
  ])('reads a -F value of a known type as %s (rules 2.15, 2.23, 2.26, 2.28, 2.30)', async (_, argv, field, expected) => {
    expect(await body(...argv, '-F', field)).toEqual(expected);
  });

  test('refuses a -F value that does not fit its type, without a request', async () => {
    const { code, stderr } = await run('worklogs', 'update', '3', '-F', 'minutes=1.5');
    expect([code, here.sent(), stderr.includes('-F minutes: ')], stderr).toEqual([2, [], true]);
  });

  test.each([
    [['work-items', 'update', 'ABC-12', '--due-date', 'none', '--estimation', 'null'], { due_date: null, estimation: null }, ''],
    [['work-items', 'update', 'ABC-12', '--assignee', 'none', '--sprint', 'none'], { assignee_id: null, sprint_id: null }, ''],
    [['sales-invoice-rows', 'update', '3', '--unit-price', 'null'], { unit_price: null }, ''],
    [['worklogs', 'update', '3', '--description', 'none'], { description: null }, 'For the word itself: -f description=none'],
    [['worklogs', 'update', '3', '-F', 'description=null'], { description: null }, 'For the word itself: -f description=null'],
    [['worklogs', 'update', '3', '-f', 'description=none'], { description: 'none' }, ''],
    [['worklogs', 'update', '3', '--description', 'None'], { description: 'None' }, ''],
    [['worklogs', 'create', '--minutes', '30', '--project', 'none'], { date: '2026-12-09', minutes: 30, project_id: null }, ''],
  ])('reads null and none in %j as an empty value or as a string (rule 2.43)', async (argv, expected, told) => {
    const { stderr } = await run(...argv);
    expect(JSON.parse(here.server.requests.at(-1)?.body ?? 'null')).toEqual(expected);
    expect(told === '' ? stderr === '' : stderr.includes(told), stderr).toBe(true);
  });

  test('refuses to clear a required field of a new record', async () => {
    const { code, stderr } = await run('worklogs', 'create', '--minutes', 'none');
    expect([code, here.sent(), stderr.includes('--minutes')]).toEqual([2, [], true]);
  });
});

describe('a typed value in the sandbox', () => {
  let sandbox: WithToken;
  beforeAll(async () => {
    sandbox = await withToken({ interpretations: { me: 'documented', otherFilters: 'refused', hoursFilters: 'refused' } });
  });
  afterAll(() => sandbox.remove());

  test('is converted to the type of its field when svc filters the rows itself (rule 18.27)', async () => {
    const all = await sandbox.read('work-items', 'list', '--view', 'detail', '--jq', 'map(.estimation)');
    const some = await sandbox.read('work-items', 'list', '--view', 'detail', '--filter', 'estimation.gte=4h', '--jq', 'map(.estimation)');
    expect(some).toEqual(all.filter((minutes: number | null) => (minutes ?? 0) >= 240));
    expect([some.length > 0, some.length < all.length]).toEqual([true, true]);
  });

  test('clears its field in an update when the value is "none"', async () => {
    const id = await sandbox.read('work-items', 'list', '-L', '1', '--jq', '.[0].id');
    const set = await sandbox.read('work-items', 'update', String(id), '--due-date', 'tomorrow', '-F', 'estimation=1h30');
    const cleared = await sandbox.read('work-items', 'update', String(id), '--due-date', 'none', '-F', 'estimation=none');
    expect([set.estimation, set.due_date === null, cleared.estimation, cleared.due_date]).toEqual([90, false, null, null]);
  });
});
