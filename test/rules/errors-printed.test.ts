import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpServer, json, startHttpServer } from '../support/http-server.ts';
import { createMachine, forgetLimits, type Machine, type Result } from '../support/svc.ts';

// What svc makes of a problem document, member by member: chapter 14 of docs/service-rules.md.

let server: HttpServer;
let machine: Machine;
beforeAll(async () => {
  server = await startHttpServer();
  machine = await createMachine({ env: { SVC_TOKEN: 'a-token', SVC_HOST: server.origin } });
});
afterAll(async () => {
  await machine.remove();
  await server.close();
});

const PROBLEM = {
  type: 'https://problems.example/errors/invalid-query-parameter',
  title: 'Invalid query parameter',
  status: 400,
  detail: 'per_page is at most 100.',
  instance: '/somewhere/else',
  request_id: '01K0PROBLEMDOCUMENT0000000',
};

function answered(problem: Readonly<Record<string, unknown>>, argv: readonly string[] = ['worklogs', 'list']): Promise<Result> {
  const headers: Record<string, string> = 'request_id' in problem ? { 'x-request-id': '' } : {};
  server.script(json(Number(problem['status'] ?? 400), problem, headers));
  return machine.svc([...argv, '--error-format', 'json']);
}

test.each([
  ['the name at the end of its type (rule 14.1)', {}, { type: 'invalid-query-parameter' }],
  ['its type under another base (rule 14.1)', { type: 'https://other.example/x-y/' }, { type: 'x-y' }],
  ['its title, when the problem has no detail (rule 14.2)', { detail: undefined }, { message: 'Invalid query parameter' }],
  ['its status (rule 14.3)', {}, { status: 400 }],
  ['its detail (rule 14.4)', {}, { message: 'per_page is at most 100.' }],
  ['its request id, when no header has one (rule 14.6)', {}, { request_id: '01K0PROBLEMDOCUMENT0000000' }],
  [
    'the request that svc sent, not the request that the problem names (rule 14.5)',
    {},
    { request: expect.stringMatching(/^GET .*\/api\/v2\/worklogs$/) },
  ],
])('svc prints for a problem %s', async (_, changes, expected) => {
  const { code, stdout, stderr } = await answered({ ...PROBLEM, ...changes });
  expect([code, stdout]).toEqual([9, '']);
  expect(JSON.parse(stderr)).toMatchObject(expected);
});

test.each(['date_format', 'in', 'invalid_format', 'out_of_range', 'mutually_exclusive', 'a_new_one'])(
  'svc prints the code %s and the field of a broken rule, in messages and in JSON (rules 14.7, 14.8)',
  async (broken) => {
    for (const [where, at] of [
      ['parameter', 'filter[date][gte]'],
      ['key', 'started_at'],
    ] as const) {
      const { stderr } = await answered({ ...PROBLEM, code: broken, [where]: at });
      expect(JSON.parse(stderr)).toMatchObject({ code: broken, parameter: at });
      server.script(json(400, { ...PROBLEM, code: broken, [where]: at }));
      expect((await machine.svc(['worklogs', 'list'])).stderr).toContain(
        `invalid-query-parameter (400), code ${broken}, parameter ${at}, `,
      );
    }
  },
);

test('svc prints the reason of a conflict, and the next step after a refused transition (rules 14.9, 14.23)', async () => {
  const conflict = { ...PROBLEM, type: 'https://problems.example/errors/state-conflict', status: 409 };
  const illegal = await answered({ ...conflict, conflict: { reason: 'illegal_transition' } });
  expect([illegal.code, JSON.parse(illegal.stderr)]).toEqual([
    6,
    expect.objectContaining({ reason: 'illegal_transition', hint: expect.stringContaining('svc workflow-transitions list') }),
  ]);
  const other = await answered({ ...conflict, conflict: { reason: 'sprint_completed' } });
  expect([other.code, JSON.parse(other.stderr)]).toEqual([6, expect.objectContaining({ reason: 'sprint_completed' })]);
});

test('svc prints no control characters from the text of a problem, in messages and in JSON (rule 14.11)', async () => {
  const hostile = '\u001b[31mred\u001b[0m\r\nsvc: all is well\u0007\u202e';
  for (const member of ['parameter', 'key', 'detail', 'code']) {
    for (const format of ['text', 'json']) {
      server.script(json(422, { ...PROBLEM, [member]: hostile }));
      const { stderr } = await machine.svc(['worklogs', 'list', '--no-color', '--error-format', format], { answers: [] });
      expect(stderr).toContain('all is well');
      expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
      expect(stderr).not.toMatch(/^svc: all is well/m);
    }
  }
});

test('svc prints the code and the parameter of the problem for a refused token (rules 14.7, 14.8, 14.17)', async () => {
  const said = { ...PROBLEM, type: 'https://problems.example/unauthenticated', status: 401, code: 'revoked', parameter: 'Authorization' };
  const { code, stderr } = await answered(said);
  expect([code, JSON.parse(stderr)]).toEqual([
    4,
    expect.objectContaining({
      message: expect.stringContaining('refuses the token in SVC_TOKEN'),
      exit_code: 4,
      status: 401,
      type: 'unauthenticated',
      code: 'revoked',
      parameter: 'Authorization',
      request_id: PROBLEM.request_id,
    }),
  ]);
});

describe('a failure that any operation can return (rule 14.32)', () => {
  const OPERATIONS = [
    ['worklogs', 'list'],
    ['worklogs', 'get', '1'],
    ['worklogs', 'add', '--minutes', '5'],
    ['worklogs', 'update', '1', '--minutes', '5'],
    ['worklogs', 'delete', '1', '--yes'],
    ['work-items', 'transition', '12', '--to', '2'],
    ['api', '/me', '--silent'],
  ];
  test.each([
    ['400 (rule 14.15)', 400, 'malformed-request', 9],
    ['401 (rule 14.17)', 401, 'unauthenticated', 4],
    ['404 (rule 14.20)', 404, 'endpoint-not-found', 3],
    ['406 (rule 14.22)', 406, 'not-acceptable', 9],
    ['429 (rule 14.27)', 429, 'rate-limit-exceeded', 7],
    ['500 (rule 14.30)', 500, 'server-error', 8],
    ['503 (rule 14.31)', 503, 'unavailable', 8],
  ])('makes svc print the status, the type and the exit code for %s', async (_, status, type, code) => {
    server.fallback(json(status, { ...PROBLEM, type: `https://problems.example/${type}`, status }, { 'retry-after': '900' }));
    for (const argv of OPERATIONS) {
      // A 429 before holds for every svc of this home.
      await forgetLimits(machine.home);
      const result = await machine.svc([...argv, '--error-format', 'json'], { hurried: true });
      // A notice may come before it, on lines of its own.
      const told = JSON.parse(result.stderr.trimEnd().split('\n').at(-1) ?? '');
      expect([argv, result.code, result.stdout, told.exit_code]).toEqual([argv, code, '', code]);
      expect([argv, told.status, told.type]).toEqual([argv, status, type]);
    }
    server.fallback(json(200, {}));
  });
});
