import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { sent } from '../support/sent.ts';
import { createMachine, type Machine } from '../support/svc.ts';

// What the service refuses for want of an ability or a permission: chapters 11 and 14 of docs/service-rules.md.

let sandbox: Sandbox;
let machine: Machine;
beforeAll(async () => {
  sandbox = await startSandbox();
  machine = await createMachine();
});
afterAll(async () => {
  await sandbox.close();
  await machine.remove();
});
beforeEach(() => {
  sandbox.requests.length = 0;
});

/** Runs svc with the token of that name. */
const as = (name: string, ...argv: string[]) => {
  const token = sandbox.tokens.find((known) => known.name === name)?.value ?? '';
  return machine.svc(argv, { env: { SVC_TOKEN: token, SVC_HOST: sandbox.origin } });
};

test.each([
  ['workflows::create', 'employee', ['workflows', 'create', '-F', 'name=x']],
  ['absences::manage', 'employee', ['absences', 'list', '--filter', 'user_id=4']],
  ['hours::read', 'contractor', ['worklogs', 'list']],
  ['hours::read', 'contractor', ['timers', 'list']],
  ['checkins::read', 'contractor', ['checkins', 'list']],
  ['times::write_overtime', 'employee', ['worklogs', 'add', '--minutes', '5', '--date', '2026-06-15', '--overtime']],
  ['project_management::manage_work_items', 'contractor', ['work-items', 'update', '12', '--title', 'x']],
])('the permission %s is named to ask for: %s, %j (rules 11.2, 11.11 to 11.13, 11.40, 11.41, 14.19)', async (permission, who, argv) => {
  const result = await as(who, ...argv, '--error-format', 'json');
  expect([result.code, result.stdout]).toEqual([5, '']);
  expect(JSON.parse(result.stderr)).toMatchObject({
    type: 'insufficient-permission',
    hint: `Ask an administrator of ${new URL(sandbox.origin).host} for the permission ${permission}.`,
  });
  expect(sandbox.requests).toHaveLength(1);
});

test('a token that goes beyond its person gives no more: it is the person who needs the permission (rules 11.2, 12.25)', async () => {
  const beyond = sandbox.createToken({ name: 'beyond', userId: 6, scopes: ['read', 'destroy'], resources: ['sales_invoices'] });
  expect(beyond.abilities).toContain('api:destroy:sales_invoices');
  for (const argv of [
    ['sales-invoices', 'list'],
    ['sales-invoices', 'delete', '1', '--yes'],
  ]) {
    const { code, stderr } = await as('beyond', ...argv);
    expect([argv, code, stderr]).toEqual([
      argv,
      5,
      expect.stringMatching(/Ask an administrator of \S+ for the permission sales_invoices::/),
    ]);
  }
});

describe('a person who may not read hours and check-ins', () => {
  test.each([
    [['worklogs', 'add', '--minutes', '5', '--date', '2026-06-15'], 'POST /api/v2/worklogs'],
    [['timers', 'start'], 'POST /api/v2/timers'],
    [['checkins', 'create', '--date', '2026-06-15'], 'POST /api/v2/checkins'],
  ])('still files their own, and svc reads none back for it: %j (rules 11.39 to 11.41)', async (argv, request) => {
    const result = await as('contractor', ...argv);
    expect(result.code, result.stderr).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ user_id: 6 });
    expect(sent(sandbox).filter((line) => !line.endsWith(' /api/v2/'))).toEqual([expect.stringContaining(request)]);
  });
});

test('a token that lacks the ability is told so, and not sent to an administrator (rules 11.10, 14.18)', async () => {
  const result = await as('read-only', 'worklogs', 'add', '--minutes', '5');
  expect(result).toMatchObject({ code: 5, stdout: '' });
  expect(result.stderr).toContain('Use a token that has api:write:times; abilities are chosen when a token is made.');
  expect(result.stderr).not.toContain('administrator');
});
