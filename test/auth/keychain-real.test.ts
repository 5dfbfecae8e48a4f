// Against a real Secret Service, through the real keytar. It writes and deletes entries of svc, so it runs only in the
// throw-away session of scripts/with-keyring.sh, never against somebody's own keychain.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KEYCHAIN_SERVICE } from '../../src/auth/stores/keychain-chunks.ts';
import { createKeychainStore } from '../../src/auth/stores/keychain-store.ts';
import type { Keychain } from '../../src/deps.ts';
import { SignInError } from '../../src/errors.ts';
import { systemClock } from '../../src/system/clock.ts';
import { nodeFiles } from '../../src/system/files.ts';
import { openKeychain } from '../../src/system/keychain.ts';
import { createAuthWorld, recordFor } from './fixtures/auth-world.ts';
import { sampleRecord, storeContract } from './fixtures/store-contract.ts';
import { startTokenEndpoint } from './fixtures/token-endpoint.ts';

const ONE_TOKEN = new URL('fixtures/one-token.ts', import.meta.url).pathname;
const SECRETS = ['--session', '--dest', 'org.freedesktop.secrets', '--object-path', '/org/freedesktop/secrets', '--method'];
const BUS = ['--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus', '--method'];

const inSession = process.env['SVC_KEYRING_SESSION'] === 'started';
const required = process.env['SVC_TEST_KEYCHAIN'] === 'required';

test.runIf(!inSession)('a real keychain: only within scripts/with-keyring.sh', (context) => {
  if (required) throw new Error('SVC_TEST_KEYCHAIN=required, and this does not run within scripts/with-keyring.sh.');
  context.skip('needs the session of scripts/with-keyring.sh');
});

describe.runIf(inSession)('the Secret Service', () => {
  let keychain: Keychain;
  let directory: string;
  beforeAll(async () => {
    keychain = await openKeychain(process.platform);
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-keychain-'));
    for (const host of ['acme.example.com', '127.0.0.1:4010', '[::1]:4010', 'https://localhost:8443']) {
      await keychain.delete(KEYCHAIN_SERVICE, host);
    }
  });

  const createStore = () =>
    createKeychainStore({
      open: async () => keychain,
      platform: process.platform,
      files: nodeFiles(),
      directory,
      lock: { clock: systemClock },
      notify: () => undefined,
    });
  const record = sampleRecord('https://acme.example.com');

  storeContract(async () => createStore());

  test('twenty processes at once on an expired access token: twenty successes, one refresh', async () => {
    const service = await startTokenEndpoint();
    const { accounts } = await createAuthWorld({ directory, store: 'keychain', keychain });
    await accounts.update(new URL(service.origin).host, () => recordFor(service.origin, { expires_at: Date.now() }));
    const args = ['--disable-warning=ExperimentalWarning', ONE_TOKEN, directory, service.origin, 'keychain'];
    const runs = await Promise.all(Array.from({ length: 20 }, () => promisify(execFile)(process.execPath, args)));
    expect(runs.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 20 }, () => 'access-1'));
    expect(service.requests).toHaveLength(1);
    await accounts.forget(new URL(service.origin).host);
    await service.close();
  });

  // The last two steps leave no keyring behind, so they are one test, at the end.
  test('locked is told from not signed in, and nothing passes for forgotten; a daemon that dies is said in words', async () => {
    await createStore().write(record);
    execFileSync('gdbus', ['call', ...SECRETS, 'org.freedesktop.Secret.Service.Lock', "['/org/freedesktop/secrets/collection/login']"]);
    await expect(createStore().read(record.host)).rejects.toMatchObject({
      name: 'SignInError',
      message: expect.stringContaining('is locked'),
    });
    await expect(createStore().remove(record.host)).rejects.toBeInstanceOf(SignInError);
    await expect(createStore().probe()).rejects.toBeInstanceOf(SignInError);
    expect(await createStore().read('never.example.com')).toBeUndefined();
    expect(await createStore().hosts()).toEqual([record.host]);
    const world = await createAuthWorld({ directory: await mkdtemp(join(tmpdir(), 'svc-keychain-')), keychain });
    expect((await world.accounts.storeForLogin()).kind).toBe('file');

    const answer = execFileSync('gdbus', ['call', ...BUS, 'org.freedesktop.DBus.GetConnectionUnixProcessID', 'org.freedesktop.secrets']);
    process.kill(Number(/uint32 (\d+)/.exec(answer.toString())?.[1]), 'SIGKILL');
    await expect(createStore().read(record.host)).rejects.toMatchObject({
      name: 'SignInError',
      message: expect.stringContaining('Secret Service keyring does not work'),
    });
  });
});
