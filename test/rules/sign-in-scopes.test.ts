import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { createMachine, type Machine } from '../support/svc.ts';

// What a sign-in asks for, and what it can do then: chapters 11, 13 and 14 of docs/service-rules.md.

let sandbox: Sandbox;
let machine: Machine;
let host: string;
beforeAll(async () => {
  sandbox = await startSandbox({ approve: true });
  machine = await createMachine();
  host = new URL(sandbox.origin).host;
});
afterAll(async () => {
  await sandbox.close();
  await machine.remove();
});
beforeEach(() => {
  sandbox.requests.length = 0;
});

const login = (...more: string[]) => machine.svc(['login', host, ...more]);
/** The scopes of each request to the authorization endpoint. */
const asked = () =>
  sandbox.requests
    // One without a challenge asks whether the registration is known.
    .filter(({ path }) => path.startsWith('/oauth/authorize') && path.includes('code_challenge'))
    .map(({ path }) => new URL(path, sandbox.origin).searchParams.get('scope'));

describe('the scopes of a sign-in request', () => {
  test.each([
    ['api:read and api:write by default (rules 11.5, 13.48, 13.51)', [], 'api:read api:write'],
    ['the scope that --scope names (rules 11.8, 13.51)', ['--scope', 'api:read:projects'], 'api:read:projects'],
    [
      'several scopes of --scope, separated by spaces (rule 13.30)',
      ['--scope', 'api:read:users,api:write:times'],
      'api:read:users api:write:times',
    ],
  ])('are %s', async (_, more, scope) => {
    expect(await login(...more)).toMatchObject({ code: 0 });
    expect(asked()).toEqual([scope]);
  });

  test.each([
    ['api:destroy (rules 13.52, 17.9)', 'api:destroy', 'does not let apps delete'],
    ['api:destroy of one resource (rule 13.52)', 'api:destroy:times', 'does not let apps delete'],
    ['the scope of assistants (rule 13.49)', 'mcp:use', 'does not open the REST API'],
    ['a wildcard (rule 11.9)', 'api:*', 'is not a scope of the REST API'],
    ['a wildcard for the resource (rule 11.9)', 'api:read:*', 'is not a scope of the REST API'],
    ['a single word (rule 11.8)', 'read', 'is not a scope of the REST API'],
    ['a resource that the service does not list (rule 13.13)', 'api:read:time', 'has no scope api:read:time'],
  ])('are not sent for %s, which svc refuses', async (_, scope, words) => {
    expect(await login('--scope', scope)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(asked()).toEqual([]);
  });
});

describe('a sign-in with only api:write:times', () => {
  beforeAll(async () => {
    await login('--scope', 'api:write:times');
  });

  test('can read worklogs too (rule 11.6)', async () => {
    expect(await machine.svc(['worklogs', 'list', '-L', '1', '--jq', 'length'])).toMatchObject({ code: 0, stdout: '1\n' });
    expect(await machine.svc(['worklogs', 'add', '--minutes', '5'])).toMatchObject({ code: 0 });
  });

  test('makes svc exit 5 and name the missing scope when you create a label (rules 11.8, 11.10, 14.18)', async () => {
    const refused = await machine.svc(['labels', 'create', '--name', 'x', '--error-format', 'json']);
    expect(refused.code).toBe(5);
    expect(JSON.parse(refused.stderr)).toMatchObject({
      type: 'insufficient-token-scope',
      status: 403,
      hint: `Sign in again with more scopes: svc login ${host} --scope api:write:project_management`,
    });
  });

  test('makes svc send no delete, because no sign-in can delete (rules 13.52, 13.53)', async () => {
    expect(await machine.svc(['worklogs', 'delete', '1', '--yes'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('token set'),
    });
    expect(sandbox.requests).toEqual([]);
  });
});
