// svc uses a token that still lives. Another svc renews the token, and no command waits long for it.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withLock } from '../../src/auth/lock.ts';
import type { Clock } from '../../src/deps.ts';
import { systemClock } from '../../src/system/clock.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
/** Arguments of the svc processes that svc started. */
let started: (readonly string[])[];
beforeEach(async () => {
  here = await signedIn();
  started = [];
});
afterEach(() => here.remove());

/** Half a minute before the access token ends, on the clock of this machine. */
const ahead = () => ({ now: Date.now() + 3_570_000, onStartSelf: (argv: readonly string[]) => void started.push(argv) });
const past = () => ({ now: Date.now() + 3_610_000 });
const renewal = () => ['__renew', '--host', here.host, '--account', 'default', '--no-input', '--quiet'];
const renewals = () => here.sandbox.requests.filter(({ path }) => path === '/oauth/token').length;

it('a command uses an access token that expires in 30 s, and starts one renewal in the background', async () => {
  const { code, stdout, stderr } = await here.svc(['worklogs', 'list', '--limit', '250', '--output', 'ndjson', '--quiet'], ahead());
  expect([code, stdout.split('\n').length > 1, stderr]).toEqual([0, true, '']);
  expect(started).toEqual([renewal()]);
  expect(renewals()).toBe(0);
});

it('a renewal stores the token that the next command uses', async () => {
  expect(await here.svc(renewal(), ahead())).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(here.sandbox.events.refreshes).toBe(1);
  expect(await here.svc(['me', '--jq', '.id'], past())).toMatchObject({ code: 0, stdout: '1\n' });
  expect(here.sandbox.events.refreshes).toBe(1);
  expect(await here.svc(renewal())).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(here.sandbox.events.refreshes).toBe(1);
});

it('a finished command waits at most two seconds for the renewal to start', async () => {
  const slept: number[] = [];
  const clock: Clock = { ...systemClock, now: () => ahead().now, sleep: async (ms) => void slept.push(ms) };
  const onStartSelf = () => new Promise(() => undefined);
  expect(await here.svc(['me', '--jq', '.id'], { onStartSelf, around: (deps) => ({ ...deps, clock }) })).toMatchObject({
    code: 0,
    stdout: '1\n',
  });
  expect(slept).toEqual([2_000]);
});

it('a command succeeds with a valid token when the token endpoint fails', async () => {
  here.sandbox.setFaults([{ method: 'POST', path: '/oauth/token', status: 503, times: 10 }]);
  expect(await here.svc(renewal(), ahead())).toMatchObject({ code: 8 });
  expect(await here.svc(['me', '--jq', '.id'], ahead())).toMatchObject({ code: 0, stdout: '1\n', stderr: '' });
  expect(await here.svc(['me'], past())).toMatchObject({ code: 8, stderr: expect.stringContaining('when svc renewed your sign-in') });
});

it('an early renewal exits 8 without a request when another svc has the lock of the sign-in', async () => {
  const tokens = join(here.home, '.config', 'svc', 'tokens');
  const name = (await readdir(tokens)).find((file) => file.endsWith('.lock')) ?? '';
  await withLock(join(tokens, name), { clock: systemClock, subject: 'it' }, async () => {
    expect(await here.svc(renewal(), ahead())).toMatchObject({
      code: 8,
      stdout: '',
      stderr: expect.stringContaining('Another svc is renewing'),
    });
  });
  expect(renewals()).toBe(0);
});
