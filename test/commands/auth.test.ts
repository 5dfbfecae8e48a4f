import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { masked, sent } from '../support/sent.ts';
import { createMachine, type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn();
});
afterEach(() => here.remove());

const HOUR = 3_600_000;
const NOW = Date.parse('2027-03-01T12:00:00Z');

describe('svc auth status', () => {
  it('shows the user, scopes, expiry and token store without a request (rules 13.67, 13.69)', async () => {
    const result = await here.svc(['auth', 'status']);
    expect(result).toMatchObject({
      code: 0,
      stderr: 'svc found no usable keychain, so svc keeps tokens in files that only you can read. See: svc doctor\n',
    });
    expect(sent(here.sandbox)).toEqual([]);
    const [row, ...more] = JSON.parse(result.stdout) as Record<string, unknown>[];
    expect(more).toEqual([]);
    const [expires, idle] = [row?.['access_token_expires'], row?.['sign_in_goes_idle']].map((time) => Date.parse(String(time)));
    expect((idle ?? 0) - (expires ?? 0)).toBe(30 * 24 * HOUR - HOUR);
    expect(JSON.parse(masked(result.stdout, here.home))).toEqual([
      {
        host: '<host>',
        account: 'default',
        default: true,
        user: 'Sanne de Vries',
        user_id: 1,
        scopes: 'api:read api:write',
        access_token_expires: '<time>',
        sign_in_goes_idle: '<time>',
        personal_token: false,
        personal_token_expires: null,
        kept_in: '<home>/.config/svc/tokens',
      },
    ]);
  });

  it('shows the personal access token and its expiry', async () => {
    await here.svc(['token', 'set', '--expires', '2027-05-01'], { stdin: here.sandbox.tokens[0]?.value ?? '', now: NOW });
    const { stdout } = await here.svc(['auth', 'status', '--jq', '.[0] | [.personal_token, .personal_token_expires]']);
    expect(stdout).toBe('[true,"2027-05-01"]\n');
  });

  it('exits 4 when you have no sign-in, or no sign-in to the named host', async () => {
    const nowhere = await (await createMachine()).svc(['auth', 'status']);
    expect(nowhere).toEqual({ code: 4, stdout: '', stderr: 'svc: You are not signed in.\n  Sign in: svc login <host>\n' });
    const there = await here.svc(['auth', 'status', '--host', 'acme.example.com']);
    expect(there).toMatchObject({ code: 4, stdout: '' });
    expect(there.stderr).toContain('You are not signed in to acme.example.com.');
  });

  it('exits 4 after the service ended the sign-in', async () => {
    here.sandbox.revokeAll();
    expect((await here.svc(['auth', 'refresh'])).code).toBe(4);
    const result = await here.svc(['auth', 'status']);
    expect(result).toMatchObject({ code: 4, stdout: '' });
    expect(result.stderr).toContain(`Sign in: svc login ${here.host}`);
  });

  it('--check verifies the token with the service, and exits 4 when the service refuses the token', async () => {
    expect((await here.svc(['auth', 'status', '--check', '--jq', '.[0].check'])).stdout).toBe('ok\n');
    expect(sent(here.sandbox)).toEqual(['GET /api/v2/me']);
    here.sandbox.revokeAll();
    const refused = await here.svc(['auth', 'status', '--check', '-o', 'table', '--fields', 'host,check'], { terminal: 200 });
    expect(refused.code).toBe(4);
    expect(masked(refused.stdout)).toContain(
      'Your sign-in to <host> has ended: somebody revoked the sign-in, or you did not use the sign-in for 30 days.',
    );
  });

  it('--check exits 8 and shows the user when every answer is a 503', async () => {
    here.sandbox.setFaults([{ path: '/me', status: 503, times: Number.POSITIVE_INFINITY }]);
    const result = await here.svc(['auth', 'status', '--check'], { hurried: true });
    expect(result.code).toBe(8);
    expect(JSON.parse(result.stdout)).toMatchObject([{ user: 'Sanne de Vries' }]);
  });

  it('--check accepts a token whose scopes do not cover /me', async () => {
    here.sandbox.interpretations.narrowedMe = 'refused';
    await here.svc(['login', here.host, '--scope', 'api:read:projects']);
    expect((await here.svc(['auth', 'status', '--check', '--jq', '.[].check'])).stdout).toBe('ok\n');
  });

  it('shows every sign-in and marks the default', async () => {
    const other = await startSandbox({ approve: true });
    try {
      const second = new URL(other.origin).host;
      await here.svc(['login', second]);
      const { stdout } = await here.svc(['auth', 'status', '--jq', 'map({(.host): .default}) | add']);
      expect(JSON.parse(stdout)).toEqual({ [here.host]: true, [second]: false });
      const one = await here.svc(['auth', 'status', '--host', second, '--jq', 'map(.host)']);
      expect(JSON.parse(one.stdout)).toEqual([second]);
      const read = await here.svc(['auth', 'status'], { terminal: 80, env: { NO_COLOR: '1' } });
      expect(read.stdout.split('\n', 1)[0]?.split(/ {2,}/)).toEqual(['HOST', 'DEFAULT', 'USER', 'SCOPES', 'SIGN IN GOES IDLE']);
      expect([read.stdout, read.stderr]).toEqual([
        expect.stringContaining(here.host),
        expect.stringContaining('Every field of one sign-in: svc auth status --host <host>\n'),
      ]);
      const chosen = await here.svc(['auth', 'status', '--fields', 'host,kept_in'], { terminal: 200, env: { NO_COLOR: '1' } });
      expect([chosen.stdout, chosen.stderr]).toEqual([
        expect.stringMatching(/^HOST +KEPT IN/),
        expect.not.stringContaining('Every field of one'),
      ]);
    } finally {
      await other.close();
    }
  });

  it('--check shows SVC_TOKEN as the token in use, and verifies the token', async () => {
    const env = { SVC_TOKEN: here.sandbox.tokens[1]?.value ?? '', SVC_HOST: here.host };
    const fresh = await createMachine();
    const status = await fresh.svc(['auth', 'status', '--check', '--fields', 'host,kept_in,check'], { env });
    expect(JSON.parse(status.stdout)).toEqual([{ host: here.host, kept_in: 'SVC_TOKEN', check: 'ok' }]);
    expect(status).toMatchObject({
      code: 0,
      stderr: 'svc uses SVC_TOKEN for every request, instead of the stored tokens, until you unset the variable.\n',
    });
    const wrong = await fresh.svc(['auth', 'status', '--check'], { env: { ...env, SVC_TOKEN: 'nope' } });
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain('refuses the token in SVC_TOKEN');
  });

  it('prints one record at a terminal, and a list with --jq', async () => {
    const shown = await here.svc(['auth', 'status', '--no-color'], { terminal: 100 });
    expect(shown.stdout).toMatch(/^host +127\.0\.0\.1/);
    // At a terminal the times are in the zone of the person.
    expect(shown.stdout).toMatch(/^access_token_expires +\d{4}-\d\d-\d\d \d\d:\d\d/m);
    expect((await here.svc(['auth', 'status', '--jq', 'length', '--no-color'], { terminal: 100 })).stdout).toBe('1\n');
  });
});

describe('svc auth switch', () => {
  it('makes another signed-in host the default', async () => {
    const other = await startSandbox({ approve: true });
    try {
      const second = new URL(other.origin).host;
      await here.svc(['login', second]);
      expect(await here.svc(['auth', 'switch', second])).toEqual({ code: 0, stdout: '', stderr: `${second} is now the default.\n` });
      other.requests.length = 0;
      await here.svc(['me']);
      expect(sent(other)).toEqual(['GET /api/v2/me']);
    } finally {
      await other.close();
    }
  });

  it('refuses a host without a sign-in, and keeps the default', async () => {
    const result = await here.svc(['auth', 'switch', 'acme.example.com']);
    expect(result.code).toBe(4);
    expect(result.stderr).toContain(`Sign in: svc login acme.example.com. Signed in: ${here.host}`);
    expect((await here.svc(['config', 'get', 'host'])).stdout).toBe(`${here.host}\n`);
  });

  it('warns that svc uses SVC_HOST instead of the new default', async () => {
    const { stderr } = await here.svc(['auth', 'switch', here.host], { env: { SVC_HOST: 'acme.example.com' } });
    expect(stderr).toContain('svc uses SVC_HOST (acme.example.com) until');
  });
});

describe('svc auth refresh', () => {
  it('renews an access token that is still valid', async () => {
    const before = await here.svc(['auth', 'print-token']);
    const result = await here.svc(['auth', 'refresh']);
    expect(result).toMatchObject({ code: 0, stdout: '' });
    expect(result.stderr).toMatch(/^The new access token for 127\.0\.0\.1:\d+ is valid until \S+Z\.\n$/);
    expect(sent(here.sandbox).map((line) => line.split(' ', 2).join(' '))).toEqual(['POST /oauth/token']);
    expect((await here.svc(['auth', 'print-token'])).stdout).not.toBe(before.stdout);
  });

  it('exits 4 after the sign-in has ended, and prints the login command', async () => {
    here.sandbox.revokeAll();
    const result = await here.svc(['auth', 'refresh']);
    expect(result.code).toBe(4);
    expect(result.stderr).toContain(`Sign in again: svc login ${here.host}`);
  });

  it('signs in again at a terminal when the OAuth registration was deleted (rule 13.74)', async () => {
    here.sandbox.deleteRegistrations();
    const result = await here.svc(['auth', 'refresh'], { answers: [] });
    expect(result.code, result.stderr).toBe(0);
    expect(here.sandbox.events.signIns).toBe(2);
  });

  it('exits 4 when there is only a personal access token', async () => {
    await here.svc(['login', here.host, '--with-token'], { stdin: here.sandbox.tokens[1]?.value ?? '' });
    const result = await here.svc(['auth', 'refresh']);
    expect(result.code).toBe(4);
    expect(result.stderr).toContain('There is no browser sign-in');
  });
});

describe('svc auth print-token', () => {
  it('prints a token that the service accepts, and nothing else', async () => {
    const result = await here.svc(['auth', 'print-token']);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    const answer = await fetch(`${here.sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${result.stdout.trim()}` } });
    expect(answer.status).toBe(200);
  });

  it('renews a token that expires in 30 seconds, and prints the new token', async () => {
    const before = await here.svc(['auth', 'print-token']);
    const result = await here.svc(['auth', 'print-token'], { now: Date.now() + HOUR - 30_000 });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).not.toBe(before.stdout);
    expect(here.sandbox.events.refreshes).toBe(1);
  });

  it('prints the value of SVC_TOKEN when SVC_TOKEN is set', async () => {
    expect((await here.svc(['auth', 'print-token'], { env: { SVC_TOKEN: 'abc' } })).stdout).toBe('abc\n');
  });
});
