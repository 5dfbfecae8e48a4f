// Runs svc against a certified authorization server of other authors. Its refresh tokens rotate, and one that is used twice ends the
// sign-in. A single mistake of svc would show.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { HostRecord } from '../../src/auth/record.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { startProvider, type TestProvider } from './fixtures/provider.ts';

let provider: TestProvider;
let machine: Machine;
let host: string;
beforeAll(() => {
  // The server prints long advice for production.
  for (const method of ['info', 'warn'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
});
beforeEach(async () => {
  provider = await startProvider();
  machine = await createMachine();
  host = new URL(provider.origin).host;
});
afterEach(async () => {
  await machine.remove();
  await provider.close();
});

async function kept(): Promise<HostRecord> {
  const path = join(machine.home, '.config', 'svc', 'tokens', `${encodeURIComponent(host)}.json`);
  return JSON.parse(await readFile(path, 'utf8'));
}

/** A browser that keeps cookies, which the sign-in of this server needs. */
async function browser(address: string): Promise<void> {
  const cookies = new Map<string, string>();
  let url: string | null = address;
  while (url !== null) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response: Response = await fetch(url, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' });
    for (const [name = '', value = ''] of response.headers.getSetCookie().map((line) => line.split(';', 1)[0]?.split('=') ?? []))
      cookies.set(name, value);
    const location = response.headers.get('location');
    url = location === null ? null : new URL(location, url).href;
  }
}

test('a sign-in to a certified server lasts for forty refreshes, and svc logout revokes the sign-in', async () => {
  expect(await machine.svc(['login', host], { browser })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Ada, you are signed in'),
  });
  const seen = new Set([(await kept()).grant?.refresh_token]);
  for (let count = 1; count <= 40; count++) {
    // In every second round the service refuses the token, as after an hour. In the others a person asks for a new one.
    if (count % 2 === 0) await provider.endAccessToken((await kept()).grant?.access_token ?? '');
    else expect(await machine.svc(['auth', 'refresh'])).toMatchObject({ code: 0 });
    expect(await machine.svc(['me'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Ada') });
    seen.add((await kept()).grant?.refresh_token);
  }
  expect(seen.size).toBe(41);
  expect(provider.events.filter((name) => name === 'refresh_token.consumed')).toHaveLength(40);

  const { access_token, refresh_token } = (await kept()).grant ?? {};
  expect(await machine.svc(['logout'])).toMatchObject({ code: 0, stderr: expect.stringContaining('Signed out') });
  expect(provider.events).toContain('grant.revoked');
  const me = await fetch(`${provider.origin}/api/v2/me`, { headers: { authorization: `Bearer ${access_token}` } });
  expect([me.status, typeof refresh_token]).toEqual([401, 'string']);
  expect(provider.events.filter((name) => name === 'grant.error' || name === 'server_error')).toEqual([]);
});

test('eight processes at once never use a refresh token twice (rule 13.43)', async () => {
  await machine.svc(['login', host], { browser });
  for (let round = 0; round < 5; round++) {
    await provider.endAccessToken((await kept()).grant?.access_token ?? '');
    const all = await Promise.all(Array.from({ length: 8 }, () => machine.svc(['me'])));
    expect(all.map(({ code }) => code)).toEqual(all.map(() => 0));
  }
  expect(provider.events.filter((name) => name === 'refresh_token.consumed')).toHaveLength(5);
  expect(provider.events.filter((name) => name === 'grant.error' || name === 'grant.revoked')).toEqual([]);
});

test('svc reports a deleted registration, and registers again with the next login (rule 13.74)', async () => {
  await machine.svc(['login', host], { browser });
  const { client_id, refresh_token } = (await kept()).grant ?? { client_id: '', refresh_token: '' };
  await provider.deleteClient(client_id);
  const refresh = await machine.svc(['auth', 'refresh']);
  expect(refresh).toMatchObject({ code: 4, stderr: expect.stringContaining(`svc login ${host}`) });
  expect(refresh.stderr).not.toContain(refresh_token);
  expect(await machine.svc(['login', host], { browser })).toMatchObject({ code: 0 });
  expect((await kept()).grant?.client_id).not.toBe(client_id);
  // Each registration first returns a secret, as in OpenID Connect, so svc requests a public client as well.
  expect(provider.events.filter((name) => name === 'registration_create.success')).toHaveLength(4);
  expect(await machine.svc(['me'])).toMatchObject({ code: 0 });
});
