import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type Account, createAccount } from './support/account.ts';

/** The built binary as scripts use it: separate processes, pipes, signals. */
let sandbox: Sandbox;
let host: string;
let account: Account;
beforeEach(async () => {
  sandbox = await startSandbox({ limits: 'off' });
  host = new URL(sandbox.origin).host;
  account = await createAccount();
});
afterEach(async () => {
  await sandbox.close();
  await account.remove();
});

async function signIn(): Promise<void> {
  const login = await account.svc(['login', host]);
  expect(login.code, login.stderr).toBe(0);
}

describe('with an empty home', () => {
  it('svc signs in on the consent page, logs time, lists, deletes and signs out', async () => {
    await signIn();
    const added = await account.svc(['worklogs', 'add', '--minutes', '90', '--description', 'Review']);
    const { id } = JSON.parse(added.stdout) as { id: number };
    const listed = await account.shell(`svc absences list --year 2025 | cat`);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(listed.stdout)).toBeInstanceOf(Array);
    expect((await account.svc(['worklogs', 'delete', String(id), '--yes'])).code).toBe(4);
    expect((await account.svc(['token', 'set'], sandbox.tokens[0]?.value)).code).toBe(0);
    expect((await account.svc(['worklogs', 'delete', String(id), '--yes'])).code).toBe(0);
    expect((await account.svc(['logout'])).code).toBe(0);
    expect(await account.svc(['auth', 'status'])).toMatchObject({ code: 4, stdout: '' });
  });
});

describe('an expired access token', () => {
  it('is renewed once by twenty processes at the same time, and each process exits 0', async () => {
    await signIn();
    sandbox.expireAccessTokens();
    sandbox.requests.length = 0;
    const results = await Promise.all(Array.from({ length: 20 }, () => account.svc(['me', '--jq', '.id'])));
    expect(results.map(({ code, stdout, stderr }) => ({ code, stdout, stderr }))).toEqual(
      Array(20).fill({ code: 0, stdout: '1\n', stderr: expect.stringMatching(/^(Waiting for another svc .*\n)?$/) }),
    );
    // Not even tried twice: each further try would have been refused, and might have ended the sign-in.
    expect(sandbox.requests.filter(({ path }) => path === '/oauth/token')).toHaveLength(1);
    expect((await account.svc(['me'])).code).toBe(0);
  }, 120_000);
});

describe('a deleted registration', () => {
  it('makes svc exit 4 without a terminal, and the printed svc login registers svc again', async () => {
    await signIn();
    sandbox.deleteRegistrations();
    sandbox.expireAccessTokens();
    const result = await account.svc(['me']);
    expect(result).toMatchObject({ code: 4, stdout: '' });
    expect(result.stderr).toContain(`svc login ${host}`);
    await signIn();
    expect(sandbox.events.registrations).toBe(2);
    expect((await account.svc(['me'])).code).toBe(0);
  });
});

describe('a pipe', () => {
  it('causes no failure when the reader closes early (`| head`)', async () => {
    await signIn();
    const result = await account.shell('svc worklogs list -o ndjson | head -1');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toHaveProperty('id');
  });

  it('gets no colours, no pager and no question', async () => {
    await signIn();
    const result = await account.shell('PAGER=false svc users list -o table | cat');
    expect(result.code).toBe(0);
    expect(result.stdout).not.toContain('\u001b');
    expect((await account.svc(['worklogs', 'delete', '1'])).code).toBe(4);
    expect((await account.svc(['token', 'set'], sandbox.tokens[0]?.value)).code).toBe(0);
    expect((await account.svc(['worklogs', 'delete', '1'])).code).toBe(2);
  });
});

it('svc exits 1 with an error and no stack trace when its output goes to a full device', async () => {
  const result = await account.shell('svc config list > /dev/full');
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/^svc: .*ENOSPC.*\n/);
  expect(result.stderr).not.toMatch(/\n {4}at /);
});

describe('Ctrl-C', () => {
  it('makes svc exit 130 with one line during a request', async () => {
    await signIn();
    sandbox.setFaults([{ path: '/me', delayMs: 60_000 }]);
    sandbox.requests.length = 0;
    const running = account.start(['me']);
    await expect.poll(() => sandbox.requests.length, { timeout: 20_000 }).toBe(1);
    running.interrupt();
    expect(await running.outcome).toEqual({ code: 130, stdout: '', stderr: 'svc: Interrupted (SIGINT).\n' });
  });

  it('makes svc exit 130 without a sign-in during the wait for the browser', async () => {
    const running = account.start(['login', host, '--no-browser']);
    await expect.poll(() => sandbox.events.registrations, { timeout: 20_000 }).toBe(1);
    running.interrupt();
    expect((await running.outcome).code).toBe(130);
    expect((await account.svc(['auth', 'status'])).code).toBe(4);
  });

  it('stops a sandbox', async () => {
    const running = account.start(['sandbox', '--port', '0']);
    await running.prints(/Stop the sandbox with Ctrl-C/);
    running.interrupt();
    expect(await running.outcome).toMatchObject({ code: 0, stderr: '' });
  });
});

it('svc exits 143 after one SIGTERM', async () => {
  await signIn();
  sandbox.setFaults([{ path: '/me', delayMs: 60_000 }]);
  sandbox.requests.length = 0;
  const running = account.start(['me']);
  await expect.poll(() => sandbox.requests.length, { timeout: 20_000 }).toBe(1);
  running.interrupt('SIGTERM');
  expect(await running.outcome).toEqual({ code: 143, stdout: '', stderr: 'svc: Interrupted (SIGTERM).\n' });
});
