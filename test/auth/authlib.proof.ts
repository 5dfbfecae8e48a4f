// Runs svc against an authorization server of Authlib, in Python: other authors, other defaults and other error answers.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostRecord } from '../../src/auth/record.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { type AuthlibOptions, type AuthlibServer, hasAuthlib, startAuthlib } from './fixtures/authlib.ts';

let machine: Machine;
let server: AuthlibServer | undefined;
let host: string;
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(async () => {
  await machine.remove();
  await server?.close();
  server = undefined;
});

async function kept(): Promise<NonNullable<HostRecord['grant']>> {
  const path = join(machine.home, '.config', 'svc', 'tokens', `${encodeURIComponent(host)}.json`);
  const { grant } = JSON.parse(await readFile(path, 'utf8')) as HostRecord;
  if (grant === undefined) throw new Error('There is no sign-in.');
  return grant;
}

/** A browser that follows redirects. */
async function browser(address: string): Promise<void> {
  await fetch(address);
}

async function start(options: AuthlibOptions = {}): Promise<AuthlibServer> {
  server = await startAuthlib(options);
  host = new URL(server.origin).host;
  return server;
}

const login = () => machine.svc(['login', host], { browser });
const me = () => machine.svc(['me']);
const countOf = (events: readonly string[], name: string) => events.filter((event) => event === name).length;

describe.skipIf(process.env['SVC_TEST_AUTHLIB'] !== 'required' && !hasAuthlib())('svc with an Authlib server', () => {
  it('signs in with S256 as a public client, refreshes ten times, and revokes the tokens', async () => {
    const authlib = await start();
    expect(await login()).toMatchObject({ code: 0, stderr: expect.stringContaining('Ada, you are signed in') });
    // Authlib returns a secret unless svc asks for a public client.
    expect(await authlib.send('events')).toEqual(['registered', 'registered', 'code challenge S256']);
    const seen = new Set([(await kept()).refresh_token]);
    for (let count = 1; count <= 10; count += 1) {
      if (count % 2 === 0) await authlib.send('end-tokens');
      else expect(await machine.svc(['auth', 'refresh'])).toMatchObject({ code: 0 });
      expect(await me()).toMatchObject({ code: 0, stdout: expect.stringContaining('Ada') });
      seen.add((await kept()).refresh_token);
    }
    expect(seen.size).toBe(11);
    const { access_token } = await kept();
    expect(await machine.svc(['logout'])).toMatchObject({ code: 0, stderr: expect.stringContaining('Signed out') });
    const events = await authlib.send('events');
    expect([countOf(events, 'refreshed'), countOf(events, 'refresh refused'), countOf(events, 'revoked') > 0]).toEqual([10, 0, true]);
    const after = await fetch(`${authlib.origin}/api/v2/me`, { headers: { authorization: `Bearer ${access_token}` } });
    expect(after.status).toBe(401);
  });

  it('never uses a refresh token twice, with eight processes at once', async () => {
    const authlib = await start();
    await login();
    for (let round = 0; round < 5; round += 1) {
      await authlib.send('end-tokens');
      const all = await Promise.all(Array.from({ length: 8 }, me));
      expect(all.map(({ code }) => code)).toEqual(all.map(() => 0));
    }
    const events = await authlib.send('events');
    expect([countOf(events, 'refreshed'), countOf(events, 'refresh refused')]).toEqual([5, 0]);
  });

  it('refreshes an expired access token with a lifetime of one second before a command', async () => {
    const authlib = await start({ expires_in: 1 });
    await login();
    const before = (await kept()).access_token;
    expect(await machine.svc(['me'], { now: Date.now() + 5_000 })).toMatchObject({ code: 0 });
    expect((await kept()).access_token).not.toBe(before);
    expect(countOf(await authlib.send('events'), 'refresh refused')).toBe(0);
  });

  it('keeps the refresh token when a refresh returns no refresh token', async () => {
    const authlib = await start({ rotates: false });
    await login();
    const { refresh_token } = await kept();
    for (let count = 0; count < 3; count += 1) expect(await machine.svc(['auth', 'refresh'])).toMatchObject({ code: 0 });
    expect((await kept()).refresh_token).toBe(refresh_token);
    expect(countOf(await authlib.send('events'), 'refreshed')).toBe(3);
  });

  it('exits 4 and names the missing member when the metadata has no registration endpoint', async () => {
    const authlib = await start({ omits: ['registration_endpoint'] });
    expect(await login()).toMatchObject({ code: 4, stderr: expect.stringContaining('no registration_endpoint') });
    expect(await authlib.send('events')).toEqual([]);
  });

  it('exits 8 for a logout without a revocation endpoint, and deletes the local tokens', async () => {
    const authlib = await start({ omits: ['revocation_endpoint'] });
    await login();
    expect(await machine.svc(['logout'])).toMatchObject({ code: 8, stderr: expect.stringContaining('no address that revokes') });
    expect(await authlib.send('events')).not.toContain('revoked');
    expect(await me()).toMatchObject({ code: 4 });
  });

  it('signs in when the token answer has no lifetime and no scope', async () => {
    await start({ omits: ['expires_in', 'scope'] });
    expect(await login()).toMatchObject({ code: 0 });
    expect(await me()).toMatchObject({ code: 0 });
  });

  it('registers again with the next login after an invalid_client error', async () => {
    const authlib = await start();
    await login();
    const { client_id, refresh_token } = await kept();
    await authlib.send('delete-clients');
    const refresh = await machine.svc(['auth', 'refresh']);
    expect(refresh).toMatchObject({ code: 4, stderr: expect.stringContaining(`svc login ${host}`) });
    expect(refresh.stderr).not.toContain(refresh_token);
    expect(await login()).toMatchObject({ code: 0 });
    expect((await kept()).client_id).not.toBe(client_id);
    expect(await me()).toMatchObject({ code: 0 });
  });

  it('exits 4 and asks for a new login after a refused refresh token', async () => {
    const authlib = await start();
    await login();
    await authlib.send('end-grants');
    expect(await me()).toMatchObject({ code: 4, stderr: expect.stringContaining(`svc login ${host}`) });
    expect(await authlib.send('events')).toContain('refresh refused');
    expect(await login()).toMatchObject({ code: 0 });
  });

  it('keeps the sign-in when the token endpoint fails with a page of HTML', async () => {
    const authlib = await start({ fails: true });
    await login();
    const before = await kept();
    await authlib.send('end-tokens');
    const { code, stderr } = await me();
    expect([code, stderr]).toEqual([8, expect.not.stringContaining('<h1>')]);
    expect((await kept()).refresh_token).toBe(before.refresh_token);
  });

  it.each([
    ['access_denied', { denies: true }],
    ['invalid_scope', { scopes: ['api:read'] }],
  ] satisfies [string, AuthlibOptions][])('exits 4 and reports the error %s of the authorization endpoint', async (error, options) => {
    await start(options);
    const { code, stderr } = await login();
    expect([code, stderr]).toEqual([4, expect.stringMatching(error === 'access_denied' ? /denied|refused|declined/i : /scope/i)]);
    expect(await me()).toMatchObject({ code: 4 });
  });
});
