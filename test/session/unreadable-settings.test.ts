// A home that cannot be read stops nobody who names the organisation and the token.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn({ personalToken: true });
  // Unlike a missing permission, this stops root too.
  const settings = join(here.home, '.config', 'svc', 'config.json');
  await rm(settings);
  await mkdir(settings);
});
afterEach(() => here.remove());

it('svc me succeeds with SVC_TOKEN and --host, and prints that svc uses no settings', async () => {
  const SVC_TOKEN = here.sandbox.tokens[0]?.value ?? '';
  expect(await here.svc(['me', '--host', here.host, '--jq', '.id'], { env: { SVC_TOKEN } })).toMatchObject({
    code: 0,
    stdout: '1\n',
    stderr: expect.stringContaining('svc uses no settings, because svc cannot read the settings: EISDIR'),
  });
});

it('svc reports unreadable settings when a command needs the settings', async () => {
  expect(await here.svc(['me', '--host', here.host])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('EISDIR') });
});
