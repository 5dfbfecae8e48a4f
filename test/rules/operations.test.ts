import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type WithToken, withToken } from './with-token.ts';

// Chapter 9 of docs/service-rules.md beside absences: what svc asks of an operation, and says when it is refused.

let here: WithToken;
beforeAll(async () => {
  here = await withToken();
});
afterAll(() => here.remove());
beforeEach(() => void here.sent());

/** The secret of a new token of somebody, for these resources alone; nobody may have more than ten (rule 12.13). */
function narrowed(userId: number, scope: 'read' | 'write', ...resources: string[]): string {
  return here.sandbox.createToken({ name: 'narrowed', userId, scopes: [scope], resources }).value;
}

describe('discovery', () => {
  test('needs no permission, and also lists resources that you have no permission to read (rules 9.5, 9.8)', async () => {
    const least = here.sandbox.createToken({ name: 'least', userId: 6, scopes: ['read'] }).value;
    const found = await here.as(least, ['resources', '--jq', '.[] | select(.name == "sales-invoices") | .methods']);
    expect([found.code, found.stdout]).toEqual([0, 'GET POST PATCH DELETE\n']);
    // What is listed is asked for; the refusal says what is missing.
    const refused = await here.as(least, ['sales-invoices', 'list']);
    expect([refused.code, refused.stderr.includes('insufficient-permission')]).toEqual([5, true]);
    expect(here.sent()).toEqual(['GET /', 'GET /sales-invoices?per_page=100']);
  });
});

describe('svc me', () => {
  test.each([
    ['full', 'Sanne de Vries'],
    ['manager', 'Olumide Adeyemi'],
  ])('shows the user of the token %s, without the member data of the answer (rules 9.10 to 9.12)', async (token, name) => {
    const { stdout } = await here.as(token, ['me']);
    expect(JSON.parse(stdout)).toMatchObject({ id: expect.any(Number), name });
    expect(JSON.parse(stdout)).not.toHaveProperty('data');
  });
});

describe('the ability that an operation needs', () => {
  test.each([
    ['GET /absences (rule 9.15)', ['absences', 'list'], 'api:read:absences'],
    ['POST /workflows (rule 9.34)', ['workflows', 'create', '--name', 'x'], 'api:write:workflows'],
    ['a transition (rule 9.52)', ['work-items', 'transition', 'ABC-12', '--to', '3'], 'api:write:project_management'],
    ['POST /worklogs (rules 9.63, 9.64)', ['worklogs', 'add', '--minutes', '5'], 'api:write:times'],
    ['GET /timers (rule 9.65)', ['timers', 'list'], 'api:read:hours'],
  ])('is named when the token lacks the ability, and is enough, for %s', async (_, argv, ability) => {
    const [, level = '', prefix = ''] = ability.split(':');
    const others = ['absences', 'workflows', 'project_management', 'times', 'hours'].filter((other) => other !== prefix);
    const refused = await here.as(narrowed(3, 'write', ...others), argv);
    expect([refused.code, refused.stderr.includes(`Create a token with ${ability}:`)]).toEqual([5, true]);
    if (level === 'write') expect(await here.read(...argv, '--dry-run')).toMatchObject({ ability });
    const allowed = await here.as(narrowed(1, level === 'write' ? 'write' : 'read', prefix), argv);
    expect([allowed.code, allowed.stderr.includes('insufficient-token-scope')]).toEqual([0, false]);
  });

  test('is api:write:times for worklogs add, neither api:read:times nor api:write:hours (rule 9.64)', async () => {
    for (const token of [narrowed(4, 'read', 'times'), narrowed(4, 'write', 'hours')]) {
      const { code, stderr } = await here.as(token, ['worklogs', 'add', '--minutes', '5', '--error-format', 'json']);
      expect([code, JSON.parse(stderr).type]).toEqual([5, 'insufficient-token-scope']);
    }
  });
});

describe('the permission that an operation needs', () => {
  test.each([
    ['workflows::create (rule 9.35)', 'employee', ['workflows', 'create', '--name', 'x']],
    ['project_management::manage_work_items (rule 9.53)', 'contractor', ['work-items', 'transition', 'ABC-12', '--to', '3']],
  ])('is named as %s for the token %s', async (title, token, argv) => {
    const { code, stderr } = await here.as(token, argv);
    expect([code, stderr.includes(`for the permission ${title.replace(/ .*/, '')}.`)], stderr).toEqual([5, true]);
  });
});

describe('POST /workflows', () => {
  test('creates a workflow, whose detail view svc prints, for one rate-limit unit for writing (rules 9.38, 9.42)', async () => {
    const shown = await here.read('workflows', 'create', '--name', 'Mine', '--dry-run');
    expect(shown).toMatchObject({ body: { name: 'Mine' }, cost: { write: 1 } });
    const made = await here.read('workflows', 'create', '--name', 'Mine');
    expect(made).toMatchObject({ name: 'Mine', order: 0, statuses_count: 0 });
    expect(await here.read('workflows', 'get', String(made.id))).toEqual(made);
  });

  test('makes svc exit 3 when the organisation lacks sprints (rule 9.36)', async () => {
    here.sandbox.setFeature('sprints', false);
    const { code, stderr } = await here.svc(['workflows', 'create', '--name', 'x']);
    here.sandbox.setFeature('sprints', true);
    expect([code, stderr.split('\n')[0]]).toEqual([3, 'svc: workflows is not enabled for this organisation.']);
  });
});
