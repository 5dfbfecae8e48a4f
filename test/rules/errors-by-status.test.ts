import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { createMachine, type Machine, type RunOptions } from '../support/svc.ts';

// What svc says and does when the service refuses for a reason of its own: chapter 14 of docs/service-rules.md.

let sandbox: Sandbox;
let machine: Machine;
beforeAll(async () => {
  sandbox = await startSandbox({ limits: 'off' });
  machine = await createMachine({ env: { SVC_TOKEN: sandbox.tokens[0]?.value ?? '', SVC_HOST: sandbox.origin } });
});
afterAll(async () => {
  await sandbox.close();
  await machine.remove();
});
beforeEach(() => {
  sandbox.setFaults([]);
  sandbox.requests.length = 0;
});

const BODY = ['POST', '/worklogs', '--input', '-'];

describe('a refusal', () => {
  test.each<[string, readonly string[], RunOptions, Record<string, unknown>]>([
    [
      'a bad value of a parameter (rules 14.7, 14.8, 14.12)',
      ['api', '/worklogs?per_page=101'],
      {},
      {
        exit_code: 9,
        status: 400,
        type: 'invalid-query-parameter',
        parameter: 'per_page',
        hint: 'Check the value of the filter or flag.',
      },
    ],
    [
      'an unknown parameter (rules 14.8, 14.13)',
      ['api', '/worklogs?nosuch=1'],
      {},
      {
        exit_code: 9,
        status: 400,
        type: 'unsupported-parameter',
        parameter: 'nosuch',
        hint: expect.stringContaining('leave out the flag'),
      },
    ],
    [
      'a cursor of another query (rule 14.14)',
      ['worklogs', 'list', '--cursor', 'eyJ4IjoxfQ'],
      {},
      { exit_code: 9, status: 400, type: 'invalid-cursor', hint: expect.stringContaining('Start again without --cursor') },
    ],
    [
      'a body that is not JSON (rule 14.15)',
      ['api', ...BODY],
      { stdin: '{"minutes":' },
      { exit_code: 9, status: 400, type: 'malformed-request' },
    ],
    [
      'an invalid token (rule 14.17)',
      ['me'],
      { env: { SVC_TOKEN: 'pat_none' } },
      { exit_code: 4, status: 401, type: 'unauthenticated', message: expect.stringContaining('refuses the token in SVC_TOKEN') },
    ],
    [
      'a path that does not exist (rule 14.20)',
      ['api', '/no-such-things'],
      {},
      { exit_code: 3, status: 404, type: 'endpoint-not-found', hint: expect.stringContaining('svc resources') },
    ],
    [
      'a method that the path does not have (rule 14.21)',
      ['api', 'PUT', '/worklogs/1', '-F', 'minutes=5'],
      {},
      { exit_code: 9, status: 405, message: '/api/v2/worklogs/1 does not accept PUT.' },
    ],
    [
      'an unavailable representation (rule 14.22)',
      ['api', '/me', '-H', 'Accept: text/html'],
      {},
      { exit_code: 9, status: 406, hint: 'Leave out the Accept header.' },
    ],
    [
      'a record that somebody changed (rule 14.24)',
      ['worklogs', 'update', '1', '--minutes', '5', '--if-match', '"old"'],
      {},
      { exit_code: 6, status: 412, type: 'precondition-failed', hint: expect.stringContaining('Read the record again') },
    ],
    [
      'a body of another type (rule 14.25)',
      ['api', ...BODY, '-H', 'Content-Type: text/plain'],
      { stdin: '{"minutes":5}' },
      { exit_code: 9, status: 415, hint: expect.stringContaining('Content-Type: application/json') },
    ],
    [
      'a body that breaks a rule (rules 14.7, 14.8, 14.26)',
      ['worklogs', 'add', '--minutes', '5', '--date', '2026-06-15', '-F', 'nosuch=1'],
      {},
      { exit_code: 9, status: 422, type: 'validation-failed', code: 'unknown_key', parameter: 'nosuch' },
    ],
  ])('is printed with its status and exit code for %s', async (_, argv, options, expected) => {
    const result = await machine.svc([...argv, '--error-format', 'json'], options);
    const told = JSON.parse(result.stderr);
    expect(told).toMatchObject(expected);
    expect(result.code).toBe(told.exit_code);
    // After a 412, svc reads the ETag that the record has now: the error has it.
    expect(sandbox.requests).toHaveLength(argv.includes('--if-match') ? 2 : 1);
  });
});

test('svc sends the Accept, Content-Type and Idempotency-Key headers that the service requires (rules 14.16, 14.22, 14.25)', async () => {
  sandbox.interpretations.idempotencyKey = 'required';
  for (const argv of [['me'], ['worklogs', 'add', '--minutes', '5'], ['api', '/worklogs', '-F', 'minutes=5', '-f', 'date=2026-06-15']]) {
    expect([argv, await machine.svc(argv)]).toMatchObject([argv, { code: 0 }]);
  }
  sandbox.interpretations.idempotencyKey = 'optional';
  const [me, add] = sandbox.requests;
  expect(me?.headers['accept']).toBe('application/json, application/problem+json');
  expect(add?.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': expect.stringMatching(/./) });
});

describe('a 429', () => {
  test.each([
    ['PATCH', ['update', '1', '--minutes', '5']],
    ['DELETE', ['delete', '2', '--yes']],
    ['POST', ['add', '--minutes', '5']],
  ])('means that the %s did not run, so svc sends the request again (rules 14.27, 14.28, 14.29)', async (method, words) => {
    sandbox.setFaults([{ method, status: 429, retryAfter: 2, times: 2 }]);
    expect(await machine.svc(['worklogs', ...words], { hurried: true })).toMatchObject({ code: 0 });
    expect(sandbox.requests.map(({ status }) => status)).toEqual([429, 429, expect.toBeOneOf([200, 201, 204])]);
  });
});

describe('a failure of the server', () => {
  test.each([
    ['500 (rule 14.30)', 500],
    ['503 (rule 14.31)', 503],
  ])('makes svc repeat a GET, POST or DELETE, but no PATCH, after %s', async (_, status) => {
    const once = (method: string) => sandbox.setFaults([{ method, status }]);
    for (const [method, words] of [
      ['GET', ['get', '4']],
      ['POST', ['add', '--minutes', '5']],
      ['DELETE', ['delete', status === 500 ? '5' : '6', '--yes']],
    ] as const) {
      once(method);
      expect(await machine.svc(['worklogs', ...words], { hurried: true })).toMatchObject({ code: 0 });
    }
    once('PATCH');
    sandbox.requests.length = 0;
    expect((await machine.svc(['worklogs', 'update', '4', '--minutes', '5'], { hurried: true })).code).toBe(8);
    expect(sandbox.requests.map(({ method: sent }) => sent)).toEqual(['PATCH']);
  });
});

test.each(['resource-not-found', 'endpoint-not-found', 'not-found'])(
  'svc distinguishes a missing record with the error type %s from a disabled resource (rules 14.20, 18.15, 18.28)',
  async (missingRecordType) => {
    Object.assign(sandbox.interpretations, { missingRecordType });
    const record = await machine.svc(['worklogs', 'get', '99999999', '--error-format', 'json']);
    expect([record.code, JSON.parse(record.stderr).type]).toEqual([3, missingRecordType]);
    expect(JSON.parse(record.stderr).message).not.toContain('not enabled');
    const feature = await machine.svc(['furlough-balance-mutations', 'list', '--error-format', 'json']);
    expect([feature.code, JSON.parse(feature.stderr).message]).toEqual([3, expect.stringContaining('not enabled for this organisation')]);
    Object.assign(sandbox.interpretations, { missingRecordType: 'resource-not-found' });
  },
);
