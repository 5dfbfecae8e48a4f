// A token that still lives is used when its renewal, ahead of its end, fails or takes long.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withLock } from '../../src/auth/lock.ts';
import { systemClock } from '../../src/system/clock.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn();
});
afterEach(() => here.remove());

/** Half a minute before the access token ends, by the clock of this machine. */
const ahead = () => ({ now: Date.now() + 3_570_000 });
const past = () => ({ now: Date.now() + 3_610_000 });

it('a token endpoint that is down stops no command while the token lives', async () => {
  here.sandbox.setFaults([{ method: 'POST', path: '/oauth/token', status: 503, times: 10 }]);
  expect(await here.svc(['me', '--jq', '.id'], ahead())).toMatchObject({ code: 0, stdout: '1\n', stderr: '' });
  expect(here.sandbox.requests.some(({ path }) => path === '/oauth/token')).toBe(true);
  expect(await here.svc(['me'], past())).toMatchObject({ code: 8, stderr: expect.stringContaining('when the sign-in was to be renewed') });
});

it('a slow one is not waited for, and what it gives is kept all the same', async () => {
  here.sandbox.setFaults([{ method: 'POST', path: '/oauth/token', delayMs: 3_000 }]);
  expect(await here.svc(['me', '--jq', '.id'], ahead())).toMatchObject({ code: 0, stdout: '1\n', stderr: '' });
  expect(here.sandbox.events.refreshes).toBe(1);
  expect(await here.svc(['me', '--jq', '.id'], past())).toMatchObject({ code: 0, stdout: '1\n' });
  expect(here.sandbox.events.refreshes).toBe(1);
});

it('another svc that holds the sign-in is not waited for long', async () => {
  const tokens = join(here.home, '.config', 'svc', 'tokens');
  const name = (await readdir(tokens)).find((file) => file.endsWith('.lock')) ?? '';
  const waited: string[] = [];
  await withLock(join(tokens, name), { clock: systemClock, subject: 'it' }, async () => {
    const options = { ...ahead(), onStderr: (text: string) => void waited.push(text) };
    expect(await here.svc(['me', '--jq', '.id'], options)).toMatchObject({ code: 0, stdout: '1\n' });
  });
  expect(waited.join('')).toBe('');
  expect(here.sandbox.events.refreshes).toBe(0);
});
