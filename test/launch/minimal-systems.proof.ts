// Places with less in them than a person's machine has: svc runs, or says what it lacks.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { svcBinary } from '../support/binary.ts';
import { canWrap, within } from './fixtures/within.ts';

let sandbox: Sandbox;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  sandbox = await startSandbox({ limits: 'off' });
  const [token] = sandbox.tokens;
  env = { SVC_HOST: new URL(sandbox.origin).host, SVC_TOKEN: token?.value ?? '', LANG: 'C' };
});
afterAll(() => sandbox.close());

describe.skipIf(!canWrap)('svc on a read-only system, without HOME, with LANG=C (skipped without bubblewrap)', () => {
  const { path } = svcBinary();
  // The files of the tests can be in /dev/shm, and the root has another /dev.
  const installed = join(dirname(path), '..');
  const places = { '/': '/', [installed]: installed };
  const svc = (...argv: string[]) => within(places, [process.execPath, path, ...argv], env);

  it('reads records, and prints letters beyond ASCII', async () => {
    expect(await svc('users', 'get', '3', '--jq', '.name')).toEqual({ code: 0, stdout: 'Zoë Müller-Lüdenscheidt\n', stderr: '' });
  });

  it('writes a record, and reports that the journal is not writable', async () => {
    const { code, stdout, stderr } = await svc('worklogs', 'add', '--minutes', '5', '--description', 'Zoë', '--jq', '.description');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Zoë\n' });
    expect(stderr).toMatch(
      /^svc (?:cannot use|has no permission to write) the journal .*\. svc cannot list or undo your writes from now on\./,
    );
  });

  it('refuses a sign-in that svc cannot store, before the browser opens', async () => {
    const before = sandbox.requests.filter(({ path }) => path === '/oauth/authorize').length;
    const { code, stderr } = await svc('login', env['SVC_HOST'] ?? '', '--no-browser');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('svc cannot write to') });
    expect(sandbox.requests.filter(({ path }) => path === '/oauth/authorize')).toHaveLength(before);
  });
});

it('svc refuses a Node without ICU with one line', async () => {
  const home = await mkdtemp(join(tmpdir(), 'svc-home-'));
  const preload = [new URL('fixtures/no-intl.ts', import.meta.url).pathname];
  const { code, stdout, stderr } = await svcBinary().run(['me'], { home, env, preload });
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^svc needs a Node with ICU.*\n$/) });
  await rm(home, { recursive: true });
});
