import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HostRecord } from '../../src/auth/record.ts';
import { refreshGrant } from '../../src/auth/refresh.ts';
import { revokeGrant } from '../../src/auth/revoke.ts';
import { NetworkError, NotFoundError, RateLimitError, SignInError, UnavailableError } from '../../src/errors.ts';
import { nodeFiles } from '../../src/system/files.ts';
import { createNetwork } from '../../src/system/network.ts';
import { parseHost } from '../../src/values/addresses.ts';
import { createManualClock } from '../support/clock.ts';
import { type FakeAuthorizationServer, json, startFakeAuthorizationServer } from '../support/fake-as.ts';
import { createAuthScenario, createFakeInterrupts, recordFor } from './fixtures/auth-scenario.ts';
import { createFakeKeychain } from './fixtures/fake-keychain.ts';

const network = createNetwork({ env: {} });

let service: FakeAuthorizationServer;
beforeEach(async () => {
  service = await startFakeAuthorizationServer(true);
});
afterEach(async () => {
  await service.close();
});

/** Creates a sign-in whose access token has expired. */
async function createStale(options: Parameters<typeof createAuthScenario>[0] = {}) {
  const interrupts = createFakeInterrupts();
  const scenario = await createAuthScenario({ store: 'file', interrupts, ...options });
  const host = parseHost(service.origin);
  const record = recordFor(service.origin, { expires_at: Date.now() });
  await scenario.accounts.update(host.name, () => record);
  const stored = async () => (await scenario.accounts.find(host.name))?.record;
  const refresh = (timeoutMs?: number) => refreshGrant(host, 'access-0', { ...scenario.deps, network }, { ...scenario, timeoutMs });
  return { ...scenario, host, record, interrupts, stored, refresh };
}

test('svc stores the new tokens, and keeps the personal access token and the registration (rules 13.40 to 13.42)', async () => {
  const { refresh, stored, record, host, accounts } = await createStale();
  await accounts.update(host.name, (old) => old && { ...old, personal: { token: 'mine', added_at: 1 }, account: { user_name: 'Ada' } });
  const fresh = await refresh();
  expect(service.forms()).toEqual([
    { path: '/oauth/token', grant_type: 'refresh_token', client_id: 'client-1', refresh_token: 'refresh-0' },
  ]);
  expect(fresh.grant).toMatchObject({ access_token: 'access-1', refresh_token: 'refresh-1', scope: ['api:read', 'api:write'] });
  expect(fresh.grant.expires_at - fresh.grant.issued_at).toBe(3_600_000);
  expect(await stored()).toEqual(fresh);
  expect(fresh).toMatchObject({ registration: record.registration, personal: { token: 'mine' }, account: { user_name: 'Ada' } });
});

test.each([
  ['no expires_in (rule 13.67)', { expires_in: undefined }, { life: 3_600_000 }],
  ['a short life (rule 13.39)', { expires_in: 90 }, { life: 90_000 }],
  ['no new refresh token', { refresh_token: undefined }, { refresh: 'refresh-0' }],
  ['a narrower scope', { scope: 'api:read' }, { scope: ['api:read'] }],
])('svc accepts an answer to a refresh with %s', async (_name, answer, expected) => {
  const { refresh } = await createStale();
  service.tokens = answer;
  const { grant } = await refresh();
  expect({ life: grant.expires_at - grant.issued_at, refresh: grant.refresh_token, scope: grant.scope }).toMatchObject(expected);
});

test('svc uses the tokens that another process has stored, and sends no request', async () => {
  const { refresh, accounts, host } = await createStale();
  await accounts.update(host.name, () => recordFor(service.origin, { access_token: 'theirs' }));
  expect((await refresh()).grant.access_token).toBe('theirs');
  expect(service.forms()).toEqual([]);
});

test('svc stops waiting for the lock as soon as another process has stored new tokens', {
  timeout: 15_000,
}, async () => {
  const { refresh, accounts, host } = await createStale();
  await accounts.hold(host.name, async (held) => {
    const refreshing = refresh();
    await held.write(recordFor(service.origin, { access_token: 'theirs' }));
    expect((await refreshing).grant.access_token).toBe('theirs');
  });
  expect(service.forms()).toEqual([]);
});

test('svc renews the tokens of another process when those tokens have expired too', async () => {
  const { refresh, accounts, host } = await createStale();
  await accounts.update(host.name, () => recordFor(service.origin, { access_token: 'theirs', expires_at: Date.now() }));
  expect((await refresh()).grant.access_token).toBe('access-1');
});

test('a refresh after a logout stores no tokens and sends no request', async () => {
  const { refresh, accounts, host, stored } = await createStale();
  await accounts.forget(host.name);
  await expect(refresh()).rejects.toMatchObject({ name: 'SignInError', hint: expect.stringContaining('svc login') });
  expect(await stored()).toBeUndefined();
  expect(service.forms()).toEqual([]);
});

test('svc sends one refresh for twenty callers in one process (rule 13.43)', async () => {
  const { refresh } = await createStale();
  const tokens = await Promise.all(Array.from({ length: 20 }, async () => (await refresh()).grant.access_token));
  expect(new Set(tokens)).toEqual(new Set(['access-1']));
  expect(service.redemptions).toBe(1);
});

describe('a token refresh', () => {
  test('fails before svc sends the refresh token when the keychain is unwritable', async () => {
    const keychain = createFakeKeychain();
    const { refresh } = await createStale({ keychain, store: 'keychain' });
    keychain.changesLeft = 0;
    await expect(refresh()).rejects.toThrow('died here');
    expect(service.forms()).toEqual([]);
    keychain.changesLeft = Number.POSITIVE_INFINITY;
    expect((await refresh()).grant.access_token).toBe('access-1');
  });

  test('stores the new tokens on the second attempt, before the command uses the tokens', async () => {
    const keychain = createFakeKeychain();
    const { refresh, stored } = await createStale({ keychain, store: 'keychain' });
    const set = keychain.set;
    let failures = 1;
    keychain.set = async (service, account, secret) => {
      if (secret.includes('access-1') && failures-- > 0) throw new Error('hiccup');
      await set(service, account, secret);
    };
    const fresh = await refresh();
    expect(await stored()).toEqual(fresh);
  });

  test('stores the new tokens in a file when the keychain refuses, and later in the keychain', async () => {
    const keychain = createFakeKeychain();
    const { accounts, host, paths, refresh, stored } = await createStale({ keychain, store: 'keychain' });
    const { set } = keychain;
    keychain.set = async (service, account, secret) => {
      if (secret.includes('access-')) throw new Error('the person said no');
      await set(service, account, secret);
    };
    const fresh = await refresh();
    expect(fresh.grant.access_token).toBe('access-1');
    expect(keychain.entries.get(host.name)).toContain('refresh-0');
    expect(await stored()).toEqual(fresh);
    const parked = join(paths.keychain, 'parked');
    const [file = ''] = await readdir(parked);
    expect([(await stat(parked)).mode & 0o777, (await stat(join(parked, file))).mode & 0o777]).toEqual([0o700, 0o600]);
    keychain.set = set;
    await accounts.update(host.name, (record) => record);
    expect(keychain.entries.get(host.name)).toContain('access-1');
    expect(await readdir(parked)).toEqual([]);
    expect(await stored()).toEqual(fresh);
  });

  test('leaves no older tokens in the file than in the keychain between two writes', async () => {
    const keychain = createFakeKeychain();
    const { deps, host, paths, refresh, stored, ...scenario } = await createStale({ keychain, store: 'keychain' });
    const { set } = keychain;
    keychain.set = async (service, account, secret) => {
      if (secret.includes('access-1')) throw new Error('the person said no');
      await set(service, account, secret);
    };
    await refresh();
    let found: HostRecord | undefined;
    keychain.set = async (service, account, secret) => {
      await set(service, account, secret);
      // Another svc would read this if svc ended here.
      if (secret.includes('access-2')) found ??= await stored();
    };
    const fresh = await refreshGrant(host, 'access-1', { ...deps, network }, scenario);
    expect(fresh.grant.access_token).toBe('access-2');
    expect(found).toEqual(fresh);
    expect(await stored()).toEqual(fresh);
    expect(await readdir(join(paths.keychain, 'parked'))).toEqual([]);
  });

  test('stores the new tokens even if the disk becomes full after the request', async () => {
    let isFull = false;
    const disk = nodeFiles();
    const files: typeof disk = {
      ...disk,
      writeAtomic: async (path, text, mode) => {
        if (isFull) throw new Error('no space left on device');
        await disk.writeAtomic(path, text, mode);
      },
      append: () => Promise.reject(new Error('no space left on device')),
      // Overwriting existing bytes takes no space.
      writePieces: async (path, pieces, from) => {
        const before = await disk.stat(path);
        const all = Buffer.concat(await Array.fromAsync(pieces));
        if (isFull && from + all.length > (before?.size ?? 0)) throw new Error('no space left on device');
        await disk.writePieces(path, Readable.from([all]), from);
      },
    };
    const { paths, refresh, stored } = await createStale({ files });
    service.lie('token', (_response, next) => {
      isFull = true;
      next();
    });
    const fresh = await refresh();
    expect(fresh.grant.refresh_token).toBe('refresh-1');
    expect(await stored()).toEqual(fresh);
    expect((await readdir(paths.tokens)).filter((name) => !/\.(lock|sending)$/.test(name))).toEqual([expect.stringMatching(/\.json$/)]);
  });

  test('leaves no sign-in record after a logout, even if the keychain refused the new tokens', async () => {
    const keychain = createFakeKeychain();
    const { accounts, host, refresh, stored } = await createStale({ keychain, store: 'keychain' });
    const { set } = keychain;
    keychain.set = async (service, account, secret) => {
      if (secret.includes('access-')) throw new Error('the person said no');
      await set(service, account, secret);
    };
    await refresh();
    expect(await accounts.forget(host.name)).toBe(true);
    expect(await stored()).toBeUndefined();
  });

  test('reports lost tokens when an earlier svc was killed after its request', async () => {
    const { accounts, host, refresh } = await createStale();
    // A killed process leaves this: the token is spent, and the new tokens are not stored.
    await accounts.hold(host.name, (held) => held.recordSending('refresh-0'));
    service.live.delete('refresh-0');
    await expect(refresh()).rejects.toThrow('The answer to the first request was lost, with the new tokens');
  });

  test('deletes the record of the sent refresh token after the renewal', async () => {
    const { accounts, host, refresh } = await createStale();
    await refresh();
    expect(await accounts.hold(host.name, (held) => held.wasSent('refresh-0'))).toBe(false);
  });

  test('names the next command when neither the keychain nor a file stores the tokens', async () => {
    const keychain = createFakeKeychain();
    const { paths, refresh } = await createStale({ keychain, store: 'keychain' });
    await writeFile(join(paths.keychain, 'parked'), 'in the way');
    const set = keychain.set;
    keychain.set = async (service, account, secret) => {
      if (secret.includes('access-1')) throw new Error('disk full');
      await set(service, account, secret);
    };
    await expect(refresh()).rejects.toMatchObject({
      message: expect.stringMatching(/could not store the new tokens.*disk full/),
      hint: expect.stringContaining('svc login'),
    });
  });

  test('defers interrupts from the request until the tokens are stored', async () => {
    const keychain = createFakeKeychain();
    const { refresh, interrupts } = await createStale({ keychain, store: 'keychain' });
    const seen: [string, number][] = [];
    const { set } = keychain;
    keychain.set = (service, account, secret) => {
      seen.push([account.startsWith('probe') ? 'probe' : 'write', interrupts.deferred()]);
      return set(service, account, secret);
    };
    service.lie('token', (_response, next) => {
      seen.push(['request', interrupts.deferred()]);
      next();
    });
    await refresh();
    expect(seen).toEqual([
      ['probe', 0],
      ['probe', 0],
      ['request', 1],
      ['write', 1],
    ]);
    expect(interrupts.deferred()).toBe(0);
  });
});

describe('a refused refresh', () => {
  test('with invalid_grant deletes the sign-in, and keeps the personal access token and the registration', async () => {
    const { refresh, accounts, host, stored, record } = await createStale();
    await accounts.update(host.name, (old) => old && { ...old, personal: { token: 'mine', added_at: 1 } });
    service.live.clear();
    const failure: unknown = await refresh().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SignInError);
    expect(failure).toMatchObject({ details: { code: 'invalid_grant' }, hint: `Sign in again: svc login ${host.name}` });
    const { grant: _gone, ...rest } = record;
    expect(await stored()).toEqual({ ...rest, personal: { token: 'mine', added_at: 1 } });
    expect(service.forms()).toHaveLength(1);
  });

  test('with invalid_grant deletes no tokens that another process stored later', async () => {
    const { refresh, host, stored, deps, paths } = await createStale();
    const theirs = recordFor(service.origin, { access_token: 'theirs', refresh_token: 'their-refresh' });
    service.lie('token', async (response) => {
      // An svc that does not use the lock.
      await deps.files.writeAtomic(`${paths.tokens}/${encodeURIComponent(host.name)}.json`, JSON.stringify(theirs));
      json(response, 400, { error: 'invalid_grant' });
    });
    expect((await refresh()).grant.access_token).toBe('theirs');
    expect(await stored()).toEqual(theirs);
  });

  test.each([
    ['400', 400, {}],
    ['401 with a challenge', 401, { 'www-authenticate': 'Basic realm="oauth"' }],
  ])('with invalid_client (%s) also deletes the registration', async (_name, status, headers) => {
    const { refresh, stored } = await createStale();
    service.lie('token', (response) => json(response, status, { error: 'invalid_client' }, headers));
    await expect(refresh()).rejects.toMatchObject({ name: 'SignInError', details: { code: 'invalid_client' } });
    const kept = await stored();
    expect(kept).toBeDefined();
    expect(kept?.grant).toBeUndefined();
    expect(kept?.registration).toBeUndefined();
  });

  test('with invalid_client keeps a registration that is newer than the sign-in', async () => {
    const { refresh, accounts, host, stored, record } = await createStale();
    const newer = { ...record.registration, client_id: 'newer', registered_at: 1, redirect_uris: [] };
    await accounts.update(host.name, (old) => old && { ...old, registration: newer });
    service.lie('token', (response) => json(response, 400, { error: 'invalid_client' }));
    await expect(refresh()).rejects.toMatchObject({ details: { code: 'invalid_client' } });
    const kept = await stored();
    expect([kept?.grant, kept?.registration]).toEqual([undefined, newer]);
  });

  test('with invalid_grant after a lost answer reports that the new tokens were lost', async () => {
    const { refresh } = await createStale();
    service.lie('token', (response) => {
      service.live.clear();
      response.destroy();
    });
    await expect(refresh()).rejects.toMatchObject({
      name: 'SignInError',
      message: expect.stringContaining('The answer to the first request was lost, with the new tokens'),
      details: { code: 'invalid_grant' },
    });
  });
});

describe('a refresh without a usable answer', () => {
  const html = '<html>gateway</html>';
  test.each([
    ['a dropped connection', (response: import('node:http').ServerResponse) => response.destroy(), NetworkError],
    ['a 500', (response) => json(response, 500, { error: 'server_error' }), UnavailableError],
    ['a 503 page', (response) => response.writeHead(503, { 'content-type': 'text/html' }).end(html), UnavailableError],
    ['a 429', (response) => json(response, 429, {}, { 'retry-after': '0' }), RateLimitError],
    ['HTML with status 200', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html), UnavailableError],
    [
      'a truncated answer',
      (response) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': '90' }).end('{"acc'),
      UnavailableError,
    ],
    ['JSON without a token', (response) => json(response, 200, { hello: 'there' }), UnavailableError],
    ['10 MB', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(10_000_000)), NetworkError],
    ['a redirect', (response) => response.writeHead(307, { location: 'https://evil.example.com/token' }).end(), UnavailableError],
    ['no answer', () => undefined, NetworkError],
  ] satisfies [string, (response: import('node:http').ServerResponse) => unknown, unknown][])(
    'keeps the tokens and retries once after %s',
    async (_name, trick, type) => {
      const { refresh, stored, record, deps } = await createStale();
      deps.clock.sleep = async () => undefined;
      service.lie(
        'token',
        (response) => void trick(response),
        (response) => void trick(response),
      );
      const failure: unknown = await refresh(300).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(type);
      expect(String(failure)).not.toMatch(/refresh-0|access-0/);
      expect(await stored()).toEqual(record);
      expect(service.forms().map((request) => request['refresh_token'])).toEqual(['refresh-0', 'refresh-0']);
      service.lie('token', (response) => void trick(response));
      expect((await refresh(300)).grant.access_token).toBe('access-1');
    },
  );

  test.each([
    [404, {}, NotFoundError],
    [400, { error: 'unauthorized_client' }, SignInError],
  ])('does not retry after status %i', async (status, body, type) => {
    const { refresh, stored, record } = await createStale();
    service.lie('token', (response) => json(response, status, body));
    await expect(refresh()).rejects.toBeInstanceOf(type);
    expect(await stored()).toEqual(record);
    expect(service.forms()).toHaveLength(1);
  });

  test('keeps the tokens when the service cannot be reached', async () => {
    const { refresh, stored, record } = await createStale();
    await service.close();
    await expect(refresh()).rejects.toMatchObject({ kind: 'refused' });
    expect(await stored()).toEqual(record);
    service = await startFakeAuthorizationServer(true);
  });

  test('waits for Retry-After, at most five seconds, because other processes wait for the lock (rule 15.42)', async () => {
    const { accounts, deps, host } = await createStale();
    const clock = { ...createManualClock(Date.now(), true) };
    for (const wait of ['3', '3600']) {
      clock.slept.length = 0;
      service.lie(
        'token',
        (response) => json(response, 429, {}, { 'retry-after': wait }),
        (response) => json(response, 429, {}, {}),
      );
      await expect(refreshGrant(host, 'access-0', { ...deps, clock, network }, { accounts })).rejects.toMatchObject({
        details: { status: 429 },
      });
      expect(clock.slept).toEqual([Math.min(Number(wait) * 1000, 5_000)]);
    }
  });
});

test('svc sends no token to a stored endpoint on another origin', async () => {
  const other = await startFakeAuthorizationServer(true);
  const { refresh, accounts, host } = await createStale();
  await accounts.update(host.name, () => recordFor(service.origin, { expires_at: 0, token_endpoint: `${other.origin}/oauth/token` }));
  await expect(refresh()).rejects.toBeInstanceOf(UnavailableError);
  expect(other.requests).toEqual([]);
  await other.close();
});

describe('the revocation of tokens', () => {
  test('sends the refresh token with its token type (rules 13.44, 13.45)', async () => {
    const { host, record } = await createStale();
    expect(await revokeGrant(host, record.grant, { network })).toEqual({ revoked: true });
    expect(service.forms()).toEqual([
      { path: '/oauth/revoke', token: 'refresh-0', token_type_hint: 'refresh_token', client_id: 'client-1' },
    ]);
  });

  test('returns a failure without an exception', async () => {
    const { host, record } = await createStale();
    service.lie('revoke', { status: 503 });
    expect(await revokeGrant(host, record.grant, { network })).toEqual({ revoked: false, problem: expect.stringContaining('503') });
    const { revocation_endpoint: _none, ...bare } = record.grant;
    expect(await revokeGrant(host, bare, { network })).toMatchObject({ revoked: false });
    const elsewhere = { ...record.grant, revocation_endpoint: 'https://evil.example.com/revoke' };
    expect(await revokeGrant(host, elsewhere, { network })).toMatchObject({ revoked: false });
    await service.close();
    expect(await revokeGrant(host, record.grant, { network })).toMatchObject({ revoked: false, problem: expect.any(String) });
    service = await startFakeAuthorizationServer(true);
  });

  test('stops at Ctrl-C', async () => {
    const { host, record } = await createStale();
    const signal = AbortSignal.abort(new Error('Ctrl-C'));
    await expect(revokeGrant(host, record.grant, { network, signal })).rejects.toThrow('Ctrl-C');
  });
});

// Another svc would take the reserved file for one of a killed svc.
test('a refresh reserves and frees disk space before the lock is released', async () => {
  const { accounts, host, deps } = await createStale();
  const order: string[] = [];
  const watched: typeof accounts.hold = (name, work) =>
    accounts.hold(name, async (held) => {
      order.push('locked');
      const result = await work({
        ...held,
        reserveSpace: async () => void order.push('made'),
        releaseSpace: async () => void order.push('given back'),
      });
      order.push('unlocked');
      return result;
    });
  await refreshGrant(host, 'access-0', { ...deps, network }, { accounts: { ...accounts, hold: watched } });
  expect(order).toEqual(['locked', 'made', 'given back', 'unlocked']);
});
