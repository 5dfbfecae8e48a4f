import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
let secret: string;
beforeEach(async () => {
  here = await signedIn();
  secret = here.sandbox.tokens[0]?.value ?? '';
});
afterEach(() => here.remove());

const NOW = Date.parse('2027-03-01T12:00:00Z');

describe('svc token set', () => {
  it('reads the token from stdin, verifies the token, and stores the token with the sign-in', async () => {
    const result = await here.svc(['token', 'set'], { stdin: `  ${secret}\r\n` });
    expect(result).toMatchObject({ code: 0, stdout: '' });
    expect(result.stderr).toBe(
      `The personal access token of Sanne de Vries for ${here.host} is kept in: ${here.home}/.config/svc/tokens\n` +
        'svc does not know when the token expires. To record the date, store the token again: svc token set --expires <date>\n',
    );
    expect(sent(here.sandbox)).toEqual(['GET /api/v2/me']);
    const { stdout } = await here.svc(['auth', 'status', '--jq', '.[0] | [.scopes, .personal_token]']);
    expect(stdout).toBe('["api:read api:write",true]\n');
  });

  it('names the owner of the token, even when another person signed in', async () => {
    const { stderr } = await here.svc(['token', 'set'], { stdin: here.sandbox.tokens[4]?.value ?? '' });
    expect(stderr).toMatch(/^The personal access token of (?!Sanne)\S.* for 127/);
    here.sandbox.setFaults([{ path: '/me', status: 403 }]);
    const unnamed = await here.svc(['token', 'set', '--host', here.host], { stdin: secret });
    expect(unnamed.stderr).toMatch(/^The personal access token for 127/);
  });

  it('reads the token at a terminal without showing the token', async () => {
    const result = await here.svc(['token', 'set'], { answers: [secret] });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stderr).toContain(`? Personal access token for ${here.host}:`);
    expect(result.stderr).not.toContain(secret);
  });

  it('stores a token that svc uses only for deletes (rule 13.53)', async () => {
    await here.svc(['token', 'set'], { stdin: here.sandbox.tokens[4]?.value ?? '' });
    const id = JSON.parse((await here.svc(['worklogs', 'add', '--minutes', '5'])).stdout) as { user_id: number; id: number };
    expect(id.user_id).toBe(1);
    expect((await here.svc(['me', '--jq', '.id'])).stdout).toBe('1\n');
    // The record belongs to another person, who lacks the permission.
    expect((await here.svc(['worklogs', 'delete', String(id.id), '--yes'])).code).toBe(5);
  });

  it('stores the expiry date', async () => {
    const { stderr } = await here.svc(['token', 'set', '--expires', '+2m'], { stdin: secret, now: NOW });
    expect(stderr).not.toContain('expires');
    const { stdout } = await here.svc(['token', 'status']);
    expect(JSON.parse(stdout)).toEqual({
      host: here.host,
      account: 'default',
      added: '2027-03-01T12:00:00Z',
      expires: '2027-05-01',
      kept_in: `${here.home}/.config/svc/tokens`,
    });
  });

  it.each([
    [['token', 'set', 'pat_abc'], 'Too many arguments for "svc token set".'],
    [['token', 'set', '--expires', 'soon'], '--expires: "soon" is not a date.'],
    [['token', 'set', '--expires', '2027-02-28'], '--expires: 2027-02-28 is in the past.'],
  ])('exits 2 for the command %j, and sends no request', async (argv, message) => {
    const result = await here.svc(argv, { stdin: secret, now: NOW });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(message);
    expect(sent(here.sandbox)).toEqual([]);
  });

  it.each([
    ['', 'You gave no token.'],
    ['two words', 'The input is not a token'],
    ['sécret', 'The input is not a token'],
  ])('refuses %j as a token', async (stdin, message) => {
    const result = await here.svc(['token', 'set'], { stdin });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
    expect(sent(here.sandbox)).toEqual([]);
  });

  it('exits 2 with --no-input when stdin has no token', async () => {
    const result = await here.svc(['token', 'set', '--no-input'], { answers: [] });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('Send the token to standard input, for example: svc token set < token.txt');
  });

  it('exits 4 when the service refuses the new token, and keeps the old token', async () => {
    await here.svc(['token', 'set'], { stdin: secret });
    const result = await here.svc(['token', 'set'], { stdin: 'pat_cut' });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain('did not accept this token, so svc did not store the token');
    expect((await here.svc(['worklogs', 'delete', '1', '--yes'])).code).toBe(0);
  });
});

describe('svc token status', () => {
  it('exits 4 when there is no token', async () => {
    const result = await here.svc(['token', 'status']);
    expect(result).toMatchObject({ code: 4, stdout: '' });
    expect(result.stderr).toContain(`svc: There is no personal access token for ${here.host}.\n  Make a token in the web app`);
  });
});

describe('svc token remove', () => {
  it('deletes the token and keeps the sign-in', async () => {
    await here.svc(['token', 'set'], { stdin: secret });
    const result = await here.svc(['token', 'remove']);
    expect(result).toMatchObject({ code: 0, stdout: '' });
    expect(result.stderr).toContain('The token stays valid until you revoke it in the web app.');
    expect((await here.svc(['worklogs', 'delete', '1', '--yes'])).code).toBe(4);
    expect((await here.svc(['me'])).code).toBe(0);
    expect((await here.svc(['token', 'remove'])).code).toBe(4);
  });

  it('signs out when the token was the only sign-in', async () => {
    await here.svc(['login', here.host, '--with-token'], { stdin: secret });
    await here.svc(['token', 'remove']);
    expect((await here.svc(['auth', 'status'])).code).toBe(4);
  });
});

describe('an expired or revoked personal access token', () => {
  it('makes svc exit 4 without a request after its expiry date', async () => {
    await here.svc(['token', 'set', '--expires', '2027-03-01'], { stdin: secret, now: NOW });
    here.sandbox.requests.length = 0;
    const result = await here.svc(['worklogs', 'delete', '1', '--yes'], { now: NOW + 3 * 24 * 3_600_000 });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain('expired on 2027-03-01');
    expect(sent(here.sandbox)).toEqual([]);
  });

  it('makes svc exit 4 after the service revoked the token (rules 12.11, 12.22)', async () => {
    await here.svc(['token', 'set'], { stdin: secret });
    here.sandbox.revokeToken(here.sandbox.tokens[0]?.id ?? 0);
    const result = await here.svc(['worklogs', 'delete', '1', '--yes']);
    expect(result.code).toBe(4);
    expect(result.stderr).toContain('svc token set');
  });
});
