import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type HttpServer, json, startHttpServer } from '../support/http-server.ts';
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
])(
  'svc names the missing permission %s for the %s with %j (rules 11.2, 11.11 to 11.13, 11.40, 11.41, 14.19)',
  async (permission, who, argv) => {
    const result = await as(who, ...argv, '--error-format', 'json');
    expect([result.code, result.stdout]).toEqual([5, '']);
    expect(JSON.parse(result.stderr)).toMatchObject({
      type: 'insufficient-permission',
      hint: `Ask an administrator of ${new URL(sandbox.origin).host} for the permission ${permission}.`,
    });
    expect(sandbox.requests).toHaveLength(1);
  },
);

test('a token needs its person’s permission, even if the token has more abilities than the person (rules 11.2, 12.25)', async () => {
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

describe('a person who cannot read hours and check-ins', () => {
  test.each([
    [['worklogs', 'add', '--minutes', '5', '--date', '2026-06-15'], 'POST /api/v2/worklogs'],
    [['timers', 'start'], 'POST /api/v2/timers'],
    [['checkins', 'create', '--date', '2026-06-15'], 'POST /api/v2/checkins'],
  ])('can create a record with %j, which svc does not read (rules 11.39 to 11.41)', async (argv, request) => {
    const result = await as('contractor', ...argv);
    expect(result.code, result.stderr).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ user_id: 6 });
    // Who asks, and whether a timer of theirs runs, is asked for; the second is not told.
    const asked = / \/api\/v2\/(?:$|me$|timers\?)/;
    expect(sent(sandbox).filter((line) => !asked.test(line))).toEqual([expect.stringContaining(request)]);
  });
});

test('svc prints the ability that a token lacks, and does not mention an administrator (rules 11.10, 14.18)', async () => {
  const result = await as('read-only', 'worklogs', 'add', '--minutes', '5');
  expect(result).toMatchObject({ code: 5, stdout: '' });
  expect(result.stderr).toContain('Create a token with api:write:times: you choose abilities when you create a token.');
  expect(result.stderr).not.toContain('administrator');
});

describe('a 403 that names no ability or permission', () => {
  let server: HttpServer;
  let elsewhere: Machine;
  beforeAll(async () => {
    server = await startHttpServer();
    elsewhere = await createMachine({ env: { SVC_TOKEN: 'a-token', SVC_HOST: server.origin } });
  });
  afterAll(async () => {
    await elsewhere.remove();
    await server.close();
  });
  const refused = async (type: string, detail: string, argv: string) => {
    server.fallback(json(403, { type: `https://problems.example/${type}`, title: 'Forbidden', status: 403, detail }));
    const { code, stderr } = await elsewhere.svc([...argv.split(' '), '--error-format', 'json']);
    return [code, JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').hint];
  };

  test.each([
    ['worklogs add --minutes 5', 'api:write:times', 'The token may not do this.'],
    ['worklogs add --minutes 5', 'api:write:times', 'The token lacks the ability api:write.'],
    ['timers list', 'api:read:hours', 'The token has api:read:times, which is not enough.'],
    ['worklogs delete 1 --yes', 'api:destroy:times', 'No.'],
    ['work-items transition 12 --to 3', 'api:write:project_management', 'No.'],
    ['api POST /absences -F days=1', 'api:write:absences', 'No.'],
    ['tasks list', 'api:read:kanban', 'No.'],
  ])('makes svc name, for %s, the complete ability %s despite "%s" (rules 11.8, 11.10, 14.18)', async (argv, ability, detail) => {
    const [code, hint] = await refused('insufficient-token-scope', detail, argv);
    expect(code).toBe(5);
    expect(hint).toContain(`The request needs ${ability}. Create a token with`);
  });

  test.each([
    ['worklogs list', 'hours::read'],
    ['timers list', 'hours::read'],
    ['checkins list', 'checkins::read'],
    ['workflows create -F name=x', 'workflows::create'],
  ])('makes svc name, for %s, the permission %s (rules 11.11, 11.13, 11.40, 11.41, 12.26, 14.19)', async (argv, permission) => {
    const [code, hint] = await refused('insufficient-permission', 'You may not do this.', argv);
    expect([code, hint]).toEqual([
      5,
      expect.stringContaining(`The request needs ${permission}, and with a browser sign-in Manage API tokens. Ask`),
    ]);
  });

  test('makes svc name no undocumented permission, and none for an unknown type', async () => {
    expect(await refused('insufficient-permission', 'No.', 'projects list')).toEqual([5, expect.stringMatching(/^Ask an administrator/)]);
    expect(await refused('something-new', 'No.', 'worklogs list')).toEqual([5, expect.stringMatching(/^Ask an administrator/)]);
  });
});
