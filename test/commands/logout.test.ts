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
  it('revokes the refresh token at the service, then forgets it (rules 13.44, 13.45, 13.47)', async () => {
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

  it('forgets also where the service does not confirm it, says so, and exits with 8', async () => {
    here.sandbox.setFaults([{ path: '/oauth/revoke', status: 500, times: Number.POSITIVE_INFINITY }]);
    const result = await here.svc(['logout']);
    expect(result.code).toBe(8);
    expect(masked(result.stderr)).toMatchInlineSnapshot(`
      "Signed out of <host>.
      svc: svc deleted the tokens here, but the service did not confirm their end: they can work until they expire.
        Disconnect the app in the web app, under connected apps.
        - <host>: <host> answered the revocation with the status 500.
      "
    `);
    expect(await kept()).toEqual([]);
    expect((await here.svc(['auth', 'status'])).code).toBe(4);
  });

  it('forgets what cannot be read', async () => {
    const [file = ''] = await kept();
    await writeFile(`${tokens()}/${file}`, 'garbage');
    const result = await here.svc(['logout']);
    expect(result.code, result.stderr).toBe(0);
    expect(result.stderr).toContain('svc forgets the sign-in anyway.');
    expect(await kept()).toEqual([]);
  });

  it('--all leaves every organisation', async () => {
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

  it('leaves the one that is named, and the rest as it is', async () => {
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

  it('of a host that is not signed in is exit 4, with those that are', async () => {
    const result = await here.svc(['logout', 'acme.example.com']);
    expect(result.code).toBe(4);
    expect(result.stderr).toBe(`svc: You are not signed in to acme.example.com.\n  Signed in: ${here.host}.\n`);
    expect(sent(here.sandbox)).toEqual([]);
  });

  it('says that the token in the environment is used all the same', async () => {
    const { code, stderr } = await here.svc(['logout'], { env: { SVC_TOKEN: 'another', SVC_HOST: here.host }, answers: [] });
    expect(code).toBe(0);
    expect(stderr).toBe(
      `Signed out of ${here.host}.\nSVC_TOKEN is set: it is used for every request, over anything stored, until you unset it.\n`,
    );
  });

  it('--all with a host is wrong use', async () => {
    expect((await here.svc(['logout', here.host, '--all'])).code).toBe(2);
    expect(here.sandbox.apps).toHaveLength(1);
  });
});
