import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** Every way a command fails: exit code, cause, hint, and the details of the service. */
let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true, limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

describe('the details of a 401 (rules 14.1, 14.6, 14.17)', () => {
  it.each([
    ['the token in SVC_TOKEN', 'get', { SVC_TOKEN: 'some-token' }, /refuses the token in SVC_TOKEN/],
    ['a renewed sign-in', 'get', {}, /refuses a token that it has just issued/],
    ['the personal access token', 'delete', {}, /The personal access token for \S+ was refused/],
  ])('include the status, type and request id when the service refuses %s', async (_, verb, env, message) => {
    await here.svc(['token', 'set'], { stdin: here.sandbox.tokens[0]?.value ?? '' });
    here.sandbox.requests.length = 0;
    here.sandbox.setFaults([{ path: '/worklogs/1', status: 401, times: Number.POSITIVE_INFINITY }]);
    const argv = ['worklogs', verb, '1', ...(verb === 'delete' ? ['--yes'] : []), '--error-format', 'json'];
    const { code, stderr } = await here.svc(argv, { env });
    here.sandbox.setFaults([]);
    await here.svc(['token', 'remove']);
    const last = here.sandbox.requests.findLast(({ status }) => status === 401);
    const said = { status: 401, type: 'unauthenticated', request_id: last?.requestId };
    expect([code, JSON.parse(stderr)]).toEqual([4, expect.objectContaining({ ...said, message: expect.stringMatching(message) })]);
  });
});

describe('svc with --error-format json', () => {
  it('prints one JSON object on one line of stderr (rules 14.1, 14.3, 14.6)', async () => {
    const result = await here.svc(['worklogs', 'get', '99999999', '--error-format', 'json']);
    expect(result.stderr.split('\n')).toHaveLength(2);
    expect(JSON.parse(result.stderr)).toEqual({
      message: 'There is no worklog 99999999.',
      hint: 'Check the id, and your permission to see the record.',
      exit_code: 3,
      status: 404,
      type: 'resource-not-found',
      request_id: here.sandbox.requests[0]?.requestId,
      request: `GET ${here.sandbox.baseUrl}/worklogs/99999999`,
    });
  });

  it.each([
    [['worklogs', 'lst', '--error-format=json'], {}],
    [['--error-format', 'json', 'nosuch'], {}],
    [['worklogs', 'add', '--minutes', 'x'], { SVC_ERROR_FORMAT: 'json' }],
  ])('prints JSON even when svc cannot parse the arguments %j, with the environment %j', async (argv, env) => {
    const result = await here.svc(argv, { env });
    expect(result.code).toBe(2);
    expect(JSON.parse(result.stderr)).toMatchObject({ exit_code: 2 });
  });
});

it('svc exits 2 for an unknown format of --error-format', async () => {
  const result = await here.svc(['me', '--error-format', 'xml']);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('--error-format: "xml" is not an allowed value.');
});
