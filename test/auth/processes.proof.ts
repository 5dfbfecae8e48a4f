// Many processes of svc share one sign-in in files. keychain-real.test.ts does the same with a real keychain.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { withLock } from '../../src/auth/lock.ts';
import { systemClock } from '../../src/system/clock.ts';
import { svcBinary } from '../support/binary.ts';
import { IS_FULL } from '../support/parts.ts';
import { createMachine, type SignedIn, signedIn } from '../support/svc.ts';
import { recordFor } from './fixtures/auth-scenario.ts';
import { startShortLivedService } from './fixtures/short-lived-service.ts';

/** Sized for some seconds on two cores. SVC_TEST_FULL=1 runs the full size. */
const CROWD = IS_FULL ? 200 : 30;
const STORM_MS = IS_FULL ? 60_000 : 8_000;

const binary = svcBinary();

const env = { SVC_TOKEN_STORE: 'file' };

test(`${CROWD} simultaneous processes with an expired access token all succeed, after one refresh`, { timeout: 240_000 }, async () => {
  const { sandbox, home, remove } = await signedIn({ limits: 'off' });
  sandbox.expireAccessTokens();
  // The answer is so slow that the other processes wait for it.
  sandbox.setFaults([{ method: 'POST', path: '/oauth/token', delayMs: IS_FULL ? 15_000 : 4_000 }]);
  const crowd = await Promise.all(Array.from({ length: CROWD }, () => binary.run(['me', '--jq', '.id'], { home, env })));
  expect(crowd.map(({ code, stdout, stderr }) => (code === 0 ? stdout : stderr))).toEqual(crowd.map(() => '1\n'));
  expect(crowd.filter(({ stderr }) => stderr.includes('Waiting for another svc')).length).toBeGreaterThan(CROWD / 4);
  expect(sandbox.events.refreshes).toBe(1);
  await remove();
});

describe('svc', () => {
  let machine: SignedIn;
  beforeEach(async () => {
    machine = await signedIn({ limits: 'off' });
    return () => machine.remove();
  });

  /** Starts a process that is in the middle of its refresh: it has the lock, and the service is slow. */
  async function startRefresh() {
    machine.sandbox.expireAccessTokens();
    machine.sandbox.setFaults([{ method: 'POST', path: '/oauth/token', delayMs: 2_000 }]);
    const refreshing = binary.start(['auth', 'refresh'], { home: machine.home, env });
    await vi.waitFor(() => expect(machine.sandbox.requests.some(({ path }) => path === '/oauth/token')).toBe(true), { timeout: 20_000 });
    return refreshing;
  }

  const stored = async () => JSON.parse((await machine.svc(['auth', 'status'])).stdout)[0];

  test('keeps the tokens of a login during a refresh, and both processes exit 0', async () => {
    const refreshing = await startRefresh();
    const login = await machine.svc(['login', machine.host, '--read-only']);
    expect(login).toMatchObject({ code: 0 });
    expect(await refreshing.ended).toMatchObject({ code: 0 });
    expect(machine.sandbox.events).toMatchObject({ refreshes: 1, signIns: 2 });
    expect((await stored()).scopes).toBe('api:read');
    expect((await machine.svc(['me'])).code).toBe(0);
    expect(machine.sandbox.events.refreshes).toBe(1);
  });

  test('stores no revoked tokens after a logout during a refresh', async () => {
    const refreshing = await startRefresh();
    const logout = await machine.svc(['logout', machine.host]);
    expect(logout).toMatchObject({ code: 0 });
    await refreshing.ended;
    expect(machine.sandbox.events).toMatchObject({ refreshes: 1, revocations: 1 });
    expect(machine.sandbox.apps).toEqual([]);
    expect(await machine.svc(['auth', 'status'])).toMatchObject({ code: 4 });
  });

  test('uses the tokens of a login for a refresh that waited, without a token request', async () => {
    machine.sandbox.expireAccessTokens();
    const directory = join(machine.home, '.config', 'svc', 'tokens');
    const lockPath = join(directory, `${encodeURIComponent(machine.host)}.lock`);
    const waiting = await withLock(lockPath, { clock: systemClock, subject: 'the test' }, async () => {
      const svc = binary.start(['me'], { home: machine.home, env });
      await svc.shows(/Waiting for another svc/);
      // The login that has the lock writes the tokens of a sign-in on another machine.
      const other = await createMachine();
      expect(await other.svc(['login', machine.host])).toMatchObject({ code: 0 });
      const token = (await other.svc(['auth', 'print-token'])).stdout.trim();
      const record = recordFor(machine.sandbox.origin, { access_token: token, refresh_token: 'the-newest' });
      await writeFile(join(directory, `${encodeURIComponent(machine.host)}.json`), JSON.stringify(record));
      await other.remove();
      return svc;
    });
    expect(await waiting.ended).toMatchObject({ code: 0 });
    expect(machine.sandbox.events.refreshes).toBe(0);
  });

  test('logout ends the sign-in while four processes wait to refresh', async () => {
    machine.sandbox.expireAccessTokens();
    const lockPath = join(machine.home, '.config', 'svc', 'tokens', `${encodeURIComponent(machine.host)}.lock`);
    const crowd = await withLock(lockPath, { clock: systemClock, subject: 'the test' }, async () => {
      const waiting = Array.from({ length: 4 }, () => binary.start(['me'], { home: machine.home, env }));
      const leaving = binary.start(['logout'], { home: machine.home, env });
      await Promise.all([...waiting, leaving].map((svc) => svc.shows(/Waiting for another svc/)));
      return [...waiting, leaving];
    });
    for (const { ended } of crowd) expect([0, 4]).toContain((await ended).code);
    expect(machine.sandbox.apps).toEqual([]);
    expect(await machine.svc(['auth', 'status'])).toMatchObject({ code: 4 });
  });
});

test(`ten shells with one-second tokens run ${STORM_MS / 1000} s without a failure or a needless refresh`, {
  timeout: 240_000,
}, async () => {
  const service = await startShortLivedService();
  const machine = await createMachine();
  const { host } = new URL(service.origin);
  const directory = join(machine.home, '.config', 'svc', 'tokens');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(
    join(directory, `${encodeURIComponent(host)}.json`),
    JSON.stringify(recordFor(service.origin, { expires_at: Date.now() })),
    { mode: 0o600 },
  );

  const began = performance.now();
  const failures: string[] = [];
  let runs = 0;
  const shell = async () => {
    while (performance.now() - began < STORM_MS) {
      const { code, stderr } = await binary.run(['me', '--host', host], { home: machine.home, env });
      runs += 1;
      if (code !== 0) failures.push(stderr);
    }
  };
  await Promise.all(Array.from({ length: 10 }, shell));
  const seconds = (performance.now() - began) / 1000;
  expect(failures).toEqual([]);
  expect(service.answered).toBe(runs);
  expect(service.reused).toBe(0);
  // A token is renewed after nine tenths of its life at the earliest.
  expect(service.refreshes).toBeLessThanOrEqual(Math.ceil(seconds / 0.9));
  expect(service.refreshes).toBeGreaterThan(1);
  await machine.remove();
  await service.close();
});
