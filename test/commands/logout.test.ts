import { readdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { masked, sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn({ personalToken: true });
});
afterEach(() => here.remove());

const tokens = () => `${here.home}/.config/svc/tokens`;
const kept = async () => (await readdir(tokens())).filter((name) => name.endsWith('.json'));

describe('svc logout', () => {
  it('revokes the refresh token, then deletes the stored tokens (rules 13.44, 13.45, 13.47)', async () => {
    const result = await here.svc(['logout']);
    expect(result).toEqual({ code: 0, stdout: '', stderr: `Signed out of ${here.host}.\n` });
    expect(here.sandbox.requests.map(({ method, path, status }) => [method, path, status])).toEqual([['POST', '/oauth/revoke', 200]]);
    const form = new URLSearchParams(here.sandbox.requests[0]?.body);
    expect([...form.keys()].sort()).toEqual(['client_id', 'token', 'token_type_hint']);
    expect(form.get('token_type_hint')).toBe('refresh_token');
    expect(here.sandbox.apps).toEqual([]);
    expect(await kept()).toEqual([]);
    const after = await here.svc(['me']);
    expect(after).toMatchObject({ code: 4, stdout: '' });
    expect(after.stderr).toBe('svc: You are not signed in.\n  Sign in: svc login <host>, for example svc login acme.example.com\n');
  });

  it('deletes the tokens and exits 8 when the service does not confirm the revocation', async () => {
    here.sandbox.setFaults([{ path: '/oauth/revoke', status: 500, times: Number.POSITIVE_INFINITY }]);
    const result = await here.svc(['logout']);
    expect(result.code).toBe(8);
    expect(masked(result.stderr)).toMatchInlineSnapshot(`
      "Signed out of <host>.
      svc: svc deleted the tokens from this machine, but the service did not confirm the sign-out. The tokens stay valid until they expire.
        Disconnect the app in the web app, under connected apps.
        - <host>: <host> answered the revocation with the status 500.
      "
    `);
    expect(await kept()).toEqual([]);
    expect((await here.svc(['auth', 'status'])).code).toBe(4);
  });

  it('deletes the tokens, exits 8 and prints the reason when svc cannot reach the service', async () => {
    await here.sandbox.close();
    const result = await here.svc(['logout'], { hurried: true });
    expect(result.code).toBe(8);
    expect(masked(result.stderr)).toMatchInlineSnapshot(`
      "Signed out of <host>.
      svc: svc deleted the tokens from this machine, but the service did not confirm the sign-out. The tokens stay valid until they expire.
        Disconnect the app in the web app, under connected apps.
        - <host>: <host> refused the connection.
      "
    `);
    expect(await kept()).toEqual([]);
  });

  it('deletes a damaged token file', async () => {
    const [file = ''] = await kept();
    await writeFile(`${tokens()}/${file}`, 'garbage');
    const result = await here.svc(['logout']);
    expect(result.code, result.stderr).toBe(0);
    expect(result.stderr).toContain('svc deletes the sign-in anyway.');
    expect(await kept()).toEqual([]);
  });

  it('--all signs out of every organisation', async () => {
    const other = await startSandbox({ approve: true });
    try {
      const second = new URL(other.origin).host;
      await here.svc(['login', second]);
      const result = await here.svc(['logout', '--all']);
      expect(result.code).toBe(0);
      expect([here.sandbox.apps, other.apps]).toEqual([[], []]);
      expect(result.stderr).toContain(`Signed out of ${here.host}.`);
      expect(result.stderr).toContain(`Signed out of ${second}.`);
      expect((await here.svc(['logout', '--all'])).stderr).toBe('You are not signed in anywhere.\n');
    } finally {
      await other.close();
    }
  });

  it('signs out of the named organisation only', async () => {
    const other = await startSandbox({ approve: true });
    try {
      const second = new URL(other.origin).host;
      await here.svc(['login', second]);
      expect((await here.svc(['logout', second])).code).toBe(0);
      expect(here.sandbox.apps).toHaveLength(1);
      expect((await here.svc(['me', '--jq', '.id'])).stdout).toBe('1\n');
    } finally {
      await other.close();
    }
  });

  it('exits 4 for a host without a sign-in, and lists the signed-in hosts', async () => {
    const result = await here.svc(['logout', 'acme.example.com']);
    expect(result.code).toBe(4);
    expect(result.stderr).toBe(`svc: You are not signed in to acme.example.com.\n  Signed in: ${here.host}.\n`);
    expect(sent(here.sandbox)).toEqual([]);
  });

  it('warns that svc still uses SVC_TOKEN', async () => {
    const { code, stderr } = await here.svc(['logout'], { env: { SVC_TOKEN: 'another', SVC_HOST: here.host }, answers: [] });
    expect(code).toBe(0);
    expect(stderr).toBe(
      `Signed out of ${here.host}.\nsvc uses SVC_TOKEN for every request, instead of the stored tokens, until you unset the variable.\n`,
    );
  });

  it('exits 2 for --all together with a host', async () => {
    expect((await here.svc(['logout', here.host, '--all'])).code).toBe(2);
    expect(here.sandbox.apps).toHaveLength(1);
  });
});
