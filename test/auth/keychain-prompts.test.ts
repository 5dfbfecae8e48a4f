// A keychain that asks the person at each write, as some do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock, Keychain } from '../../src/deps.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { systemClock } from '../../src/system/clock.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { createFakeKeychain } from './fixtures/fake-keychain.ts';

/** Waits of up to three seconds end after pending work. Longer waits never end. */
const clock: Clock = {
  ...systemClock,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (ms <= 3_000) setImmediate(resolve);
    }),
};

let sandbox: Sandbox;
let machine: Machine;
let host: string;
/** Writes that wait for the person. */
let asking: (() => void)[];
beforeEach(async () => {
  sandbox = await startSandbox({ approve: true });
  host = new URL(sandbox.origin).host;
  asking = [];
  const kept = createFakeKeychain();
  const ask = () => new Promise<void>((resolve) => asking.push(resolve));
  const keychain: Keychain = {
    ...kept,
    get: (service, account) => kept.get(service, account),
    set: (...entry) => ask().then(() => kept.set(...entry)),
    delete: (...entry) => ask().then(() => kept.delete(...entry)),
  };
  machine = await createMachine({ keychain });
});
afterEach(async () => {
  await sandbox.close();
  await machine.remove();
});

const around = (deps: Parameters<NonNullable<NonNullable<Parameters<Machine['svc']>[1]>['around']>>[0]) => ({ ...deps, clock });
/** The person answers when svc prints what it waits for. */
const onStderr = (text: string) => {
  if (text.includes('Waiting up to 60 s for the Secret Service keyring')) for (const answer of asking.splice(0)) answer();
};

describe('svc login with a keychain that asks at each write', () => {
  it('waits a minute for the answer at a terminal', async () => {
    const { code, stderr } = await machine.svc(['login', host], { answers: [], around, onStderr });
    expect(code, stderr).toBe(0);
    expect((await machine.svc(['auth', 'status'])).stdout).toContain('Secret Service keyring');
    expect((await machine.svc(['logout'], { answers: [], around, onStderr })).code).toBe(0);
  });

  it.each([
    ['without a terminal', {}, []],
    ['with --no-input', { answers: [] }, ['--no-input']],
  ])('exits 4 after three seconds %s', async (_, options, flags) => {
    const { code, stderr } = await machine.svc(['login', host, ...flags], { ...options, around, onStderr });
    expect([code, stderr]).toEqual([4, expect.stringContaining('did not answer within 3 s')]);
    expect(asking).toHaveLength(1);
  });
});
