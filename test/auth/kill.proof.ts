// Kills svc with SIGKILL before effects outside the process, in one run each, until a run finishes: before each effect of a refresh, and
// before every second effect of a login and a logout (SVC_TEST_FULL=1: each). After each run, another svc checks the result.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { svcBinary } from '../support/binary.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { visit } from '../support/visit.ts';
import { type Hands, killAtEveryStep } from './fixtures/kill-at-every-step.ts';

const binary = svcBinary();
let machine: SignedIn;
beforeAll(async () => {
  machine = await signedIn({ limits: 'off', personalToken: true });
});
afterAll(async () => {
  await machine.remove();
});

const killAt = (argv: readonly string[], hands: Hands) =>
  killAtEveryStep(binary, argv, { home: machine.home, env: { SVC_TOKEN_STORE: 'file' } }, hands);

async function works(): Promise<boolean> {
  return (await machine.svc(['me'])).code === 0;
}

/** Expects that the next sign-in deleted the files of a killed writer. */
async function expectTidy(): Promise<void> {
  const names = await readdir(join(machine.home, '.config', 'svc', 'tokens'));
  expect(names.filter((name) => name.includes(encodeURIComponent(machine.host)) && name.endsWith('.tmp'))).toEqual([]);
}

async function signInAgain(): Promise<void> {
  expect(await machine.svc(['login', machine.host])).toMatchObject({ code: 0 });
  await expectTidy();
}

test('kill -9 at every step of a refresh leaves a usable sign-in, unless the new tokens were lost', async () => {
  const { sandbox } = machine;
  let refreshesBefore = 0;
  const lost: number[] = [];
  const steps = await killAt(['auth', 'refresh'], {
    stride: 1,
    async before() {
      await signInAgain();
      sandbox.expireAccessTokens();
      refreshesBefore = sandbox.events.refreshes;
    },
    async after({ step, killed }) {
      const rotated = sandbox.events.refreshes > refreshesBefore;
      const next = await machine.svc(['me']);
      if (next.code !== 0) {
        lost.push(step);
        expect([step, next.code, next.stderr, rotated, killed]).toEqual([
          step,
          4,
          expect.stringContaining('Sign in again: svc login'),
          true,
          true,
        ]);
      }
      // Nothing else is damaged.
      expect([step, await machine.svc(['token', 'status'])]).toMatchObject([step, { code: 0 }]);
      expect([step, await machine.svc(['config', 'get', 'host'])]).toMatchObject([
        step,
        { code: 0, stdout: expect.stringContaining(machine.host) },
      ]);
    },
  });
  // The important steps were among them, each in a run of its own.
  expect(steps).toEqual(
    expect.arrayContaining(['lock', 'connect', 'send', 'receive', 'handle writeFile', 'handle sync', 'rename', 'unlock']),
  );
  // A session is lost only between the answer of the service and the rename of the file.
  const named = lost.map((step) => steps[step - 1]);
  expect(named[0]).toBe('receive');
  expect(named.at(-1)).toBe('rename');
});

test('kill -9 at a step of a login leaves the old or the new sign-in usable', async () => {
  await signInAgain();
  const steps = await killAt(['login', machine.host, '--no-browser'], {
    async during(svc) {
      // A killed svc does not always print an address, or receive the answer of the browser.
      const shown = await svc.shows(/^ {2}http\S+/m).catch(() => '');
      const url = /^ {2}(http\S+)/m.exec(shown)?.[1];
      if (url !== undefined) await visit(url).catch(() => undefined);
    },
    async after({ step }) {
      expect([step, await works()]).toEqual([step, true]);
      expect([step, await machine.svc(['token', 'status'])]).toMatchObject([step, { code: 0 }]);
    },
  });
  expect(steps.filter((name) => name === 'rename').length).toBeGreaterThanOrEqual(2);
  expect(steps).toEqual(expect.arrayContaining(['lock', 'connect', 'send', 'receive', 'unlock']));
  await signInAgain();
});

test('a second logout signs out after kill -9 at a step of the first logout', async () => {
  await killAt(['logout'], {
    before: signInAgain,
    async after({ step, killed }) {
      const next = await machine.svc(['me']);
      expect([step, next.code === 0 || next.code === 4 || next.code === 2, next.stderr]).toEqual([step, true, expect.anything()]);
      const again = await machine.svc(['logout', machine.host]);
      // A sign-in that was deleted cannot be ended again.
      expect([step, again.code === 0 || again.code === 4, again.stderr]).toEqual([step, true, expect.anything()]);
      if (!killed) expect(next.code).not.toBe(0);
      expect([step, machine.sandbox.apps.length]).toEqual([step, 0]);
    },
  });
});
