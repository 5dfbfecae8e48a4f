// Uses a real Secret Service through the real keytar. The tests write and delete entries of svc. vitest.config.ts therefore includes
// this file only in the temporary session of scripts/with-keyring.sh, never in your own keychain.
import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { KEYCHAIN_SERVICE } from '../../src/auth/stores/keychain-chunks.ts';
import { createKeychainStore } from '../../src/auth/stores/keychain-store.ts';
import type { Keychain } from '../../src/deps.ts';
import { SignInError } from '../../src/errors.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { systemClock } from '../../src/system/clock.ts';
import { nodeFiles } from '../../src/system/files.ts';
import { openKeychain } from '../../src/system/keychain.ts';
import { svcBinary } from '../support/binary.ts';
import { IS_FULL } from '../support/parts.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { visit } from '../support/visit.ts';
import { createAuthScenario } from './fixtures/auth-scenario.ts';
import { killAtEveryStep } from './fixtures/kill-at-every-step.ts';
import { sampleRecord, storeContract } from './fixtures/store-contract.ts';

const ACCOUNT_HOME = new URL('fixtures/account-home.ts', import.meta.url).pathname;
const SECRETS = ['--session', '--dest', 'org.freedesktop.secrets', '--object-path', '/org/freedesktop/secrets', '--method'];
const BUS = ['--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus', '--method'];

const CROWD = IS_FULL ? 200 : 60;
const env = {
  SVC_TOKEN_STORE: 'keychain',
  DBUS_SESSION_BUS_ADDRESS: process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '',
  XDG_RUNTIME_DIR: process.env['XDG_RUNTIME_DIR'] ?? '',
};

function lock(): void {
  execFileSync('gdbus', ['call', ...SECRETS, 'org.freedesktop.Secret.Service.Lock', "['/org/freedesktop/secrets/collection/login']"]);
}

/** The process of the Secret Service. */
function daemonPid(): number {
  const answer = execFileSync('gdbus', ['call', ...BUS, 'org.freedesktop.DBus.GetConnectionUnixProcessID', 'org.freedesktop.secrets']);
  return Number(/uint32 (\d+)/.exec(answer.toString())?.[1]);
}

describe('with the Secret Service,', () => {
  let keychain: Keychain;
  let directory: string;
  beforeAll(async () => {
    keychain = await openKeychain(process.platform, (call) => call);
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

  describe('the keychain store', () => storeContract(async () => createStore()));

  describe('svc', () => {
    const binary = svcBinary();
    let sandbox: Sandbox;
    let machine: Machine;
    let host: string;
    beforeEach(async () => {
      sandbox = await startSandbox({ approve: true, limits: 'off' });
      machine = await createMachine({ keychain, env });
      host = new URL(sandbox.origin).host;
      expect(await machine.svc(['login', host])).toMatchObject({ code: 0, stderr: expect.stringContaining('Secret Service keyring') });
      return async () => {
        await machine.remove();
        await sandbox.close();
      };
    });

    const start = (argv: readonly string[]) => binary.start(argv, { home: machine.home, env, preload: [ACCOUNT_HOME] });

    test(`refreshes once for ${CROWD} processes with an expired access token, and all processes succeed`, {
      timeout: 240_000,
    }, async () => {
      sandbox.expireAccessTokens();
      sandbox.setFaults([{ method: 'POST', path: '/oauth/token', delayMs: IS_FULL ? 15_000 : 4_000 }]);
      // A keyring answers one request at a time, and the machine is busy.
      expect(await machine.svc(['config', 'set', 'keychain-wait', '2m'])).toMatchObject({ code: 0 });
      const crowd = await Promise.all(Array.from({ length: CROWD }, () => start(['me', '--jq', '.id']).ended));
      await machine.svc(['config', 'unset', 'keychain-wait']);
      expect(crowd.map(({ code, stdout, stderr }) => (code === 0 ? stdout : stderr))).toEqual(crowd.map(() => '1\n'));
      expect(sandbox.events.refreshes).toBe(1);
    });

    test('keeps the sign-in after kill -9 during a refresh, unless the new tokens were lost', { timeout: 300_000 }, async () => {
      let refreshesBefore = 0;
      const lost: number[] = [];
      const steps = await killAtEveryStep(
        binary,
        ['auth', 'refresh'],
        { home: machine.home, env, preload: [ACCOUNT_HOME] },
        {
          stride: 1,
          async before() {
            expect(await machine.svc(['login', host])).toMatchObject({ code: 0 });
            sandbox.expireAccessTokens();
            refreshesBefore = sandbox.events.refreshes;
          },
          async after({ step }) {
            const next = await machine.svc(['me']);
            if (next.code === 0) return;
            lost.push(step);
            const rotated = sandbox.events.refreshes > refreshesBefore;
            expect([step, next.code, next.stderr, rotated]).toEqual([step, 4, expect.stringContaining('Sign in again: svc login'), true]);
          },
        },
      );
      expect(steps).toEqual(expect.arrayContaining(['lock', 'getPassword', 'setPassword', 'receive', 'unlock']));
      expect(lost.map((step) => steps[step - 1])).toEqual(['receive', 'setPassword']);
    });

    test('exits 4 after three seconds when the keyring hangs, and prints the next command', async () => {
      const daemon = daemonPid();
      process.kill(daemon, 'SIGSTOP');
      try {
        for (const argv of [['me'], ['me', '--no-input'], ['auth', 'status']]) {
          expect(await start(argv).ended).toMatchObject({
            code: 4,
            stderr: expect.stringMatching(/did not answer within 3 s: the keychain is locked or hangs\.\n.*keychain-wait/),
          });
        }
        const doctor = await start(['doctor']).ended;
        expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/"Personal access token"|"Sign-in"/) });
        expect(doctor.stdout).toContain('did not answer within 3 s');
      } finally {
        process.kill(daemon, 'SIGCONT');
      }
      expect(await machine.svc(['me'])).toMatchObject({ code: 0 });
    });

    test('prints the longest wait, from keychain-wait, for a hanging keyring, and stops at Ctrl-C', async () => {
      const daemon = daemonPid();
      expect(await machine.svc(['config', 'set', 'keychain-wait', '1m'])).toMatchObject({ code: 0 });
      process.kill(daemon, 'SIGSTOP');
      try {
        expect(await start(['me', '--no-input']).ended).toMatchObject({ code: 4, stderr: expect.stringContaining('within 3 s') });
        const svc = start(['me']);
        await svc.shows(/Waiting up to 60 s for the Secret Service keyring\. Unlock the keychain if a window asks/);
        svc.kill('SIGINT');
        const { code, signal, stdout } = await svc.ended;
        expect([code ?? signal, stdout]).toEqual([130, '']);
      } finally {
        process.kill(daemon, 'SIGCONT');
        await machine.svc(['config', 'unset', 'keychain-wait']);
      }
      expect(await machine.svc(['me'])).toMatchObject({ code: 0 });
    });

    test('ends at a second Ctrl-C when the keyring hangs while svc stores tokens', async () => {
      const daemon = daemonPid();
      sandbox.expireAccessTokens();
      sandbox.setFaults([{ method: 'POST', path: '/oauth/token', delayMs: 1_000 }]);
      try {
        const svc = start(['auth', 'refresh']);
        await vi.waitFor(
          () => expect(sandbox.requests.some(({ path, body }) => path === '/oauth/token' && body.includes('refresh_token='))).toBe(true),
          20_000,
        );
        process.kill(daemon, 'SIGSTOP');
        svc.kill('SIGINT');
        await svc.shows(/Waiting up to \d+ s for the Secret Service keyring/);
        svc.kill('SIGINT');
        expect((await svc.ended).signal).toBe('SIGINT');
      } finally {
        process.kill(daemon, 'SIGCONT');
      }
    });

    test('stores the tokens in files at a login without a keyring', async () => {
      const { DBUS_SESSION_BUS_ADDRESS: _none, ...without } = env;
      const alone = { home: machine.home, preload: [ACCOUNT_HOME] };
      const me = await binary.run(['me'], { ...alone, env: without });
      expect(me).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(/svc cannot (use|open) the Secret Service keyring.*SVC_TOKEN_STORE=file/s),
      });
      const { SVC_TOKEN_STORE: _neither, ...free } = without;
      const svc = binary.start(['login', host, '--no-browser'], { ...alone, env: free });
      await visit(/^ {2}(http\S+)/m.exec(await svc.shows(/^ {2}http\S+/m))?.[1] ?? '');
      expect(await svc.ended).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/svc keeps the tokens in files that only you can read.*not in a keychain/),
      });
      expect(await binary.run(['auth', 'status', '--jq', '.[].kept_in'], { ...alone, env: free })).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(join(machine.home, '.config', 'svc', 'tokens')),
      });
    });

    // This test leaves no usable keyring, so it comes last.
    test('reports a locked keyring or a dead daemon instead of a missing sign-in', { timeout: 300_000 }, async () => {
      await createStore().write(record);
      lock();
      await expect(createStore().read(record.host)).rejects.toThrow(/is locked/);
      await expect(createStore().remove(record.host)).rejects.toBeInstanceOf(SignInError);
      await expect(createStore().probe()).rejects.toBeInstanceOf(SignInError);
      expect(await createStore().read('never.example.com')).toBeUndefined();
      expect(await createStore().hosts()).toEqual([record.host]);
      const scenario = await createAuthScenario({ directory: await mkdtemp(join(tmpdir(), 'svc-keychain-')), keychain });
      // svc does not fall back to files: a keychain that exists and cannot be written fails the login.
      await expect(scenario.accounts.storeForLogin()).rejects.toBeInstanceOf(SignInError);
      expect(await start(['me']).ended).toMatchObject({ code: 4, stderr: expect.stringContaining('the keychain is locked') });
      expect(await start(['logout']).ended).toMatchObject({ code: 4, stderr: expect.stringContaining('locked collection') });
      expect(await start(['auth', 'status']).ended).toMatchObject({ code: 4, stderr: expect.stringContaining('the keychain is locked') });
      expect(await start(['me', '--host', 'never.example.com']).ended).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('You are not signed in to never'),
      });

      const daemon = daemonPid();
      process.kill(daemon, 'SIGSTOP');
      const svc = start(['me']);
      await svc.shows(/Waiting up to \d+ s for the Secret Service keyring/);
      process.kill(daemon, 'SIGKILL');
      // By now the bus can have started another daemon, which is locked.
      const words = /svc cannot (use|open) the Secret Service keyring|Secret Service keyring returned no entry/;
      expect(await svc.ended).toMatchObject({ code: 4, stderr: expect.stringMatching(words) });
      await expect(createStore().read(record.host)).rejects.toThrow(words);
    });
  });
});
