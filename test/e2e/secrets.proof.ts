import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type Account, createAccount, type Outcome } from './support/account.ts';

/** Whatever svc does, and however it fails, no secret is anywhere but in its store. */
let sandbox: Sandbox;
let account: Account;
const outcomes: (Outcome & { readonly argv: string })[] = [];
const secrets = new Set<string>();

beforeAll(async () => {
  sandbox = await startSandbox({ limits: 'off' });
  account = await createAccount({ SVC_DEBUG: '1' });
});
afterAll(async () => {
  await sandbox.close();
  await account.remove();
});

async function run(argv: readonly string[], input?: string): Promise<Outcome> {
  const outcome = await account.svc([...argv, '--debug'], input);
  outcomes.push({ ...outcome, argv: argv.join(' ') });
  return outcome;
}

/** The file store, the one place where secrets belong. */
const STORE = '.config/svc/tokens';

/** Reads the secrets out of the store, and out of what was sent to the token endpoints. */
async function collect(): Promise<void> {
  for (const name of await readdir(join(account.home, STORE))) {
    const text = await readFile(join(account.home, STORE, name), 'utf8');
    for (const [, secret = ''] of text.matchAll(/"(?:access_token|refresh_token|token)":\s*"([^"]+)"/g)) secrets.add(secret);
  }
  for (const { body } of sandbox.requests) {
    const form = new URLSearchParams(body);
    for (const name of ['code', 'code_verifier', 'refresh_token', 'token']) {
      const secret = form.get(name);
      if (secret !== null) secrets.add(secret);
    }
  }
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const lists = await Promise.all(
    entries.map((entry) => (entry.isDirectory() ? filesBelow(join(directory, entry.name)) : [join(directory, entry.name)])),
  );
  return lists.flat();
}

it('svc with --debug writes no token, code or verifier to its output, or outside the token store', async () => {
  const host = new URL(sandbox.origin).host;
  const personal = sandbox.tokens[0]?.value ?? '';
  expect((await run(['login', host])).code).toBe(0);
  await collect();
  expect((await run(['token', 'set'], personal)).code).toBe(0);
  await run(['me']);
  await run(['worklogs', 'add', '--minutes', '5']);
  await run(['worklogs', 'add', '--minutes', '5', '-F', 'nosuch=1']);
  await run(['worklogs', 'delete', '3', '--yes', '--error-format', 'json']);
  await run(['worklogs', 'add', '--minutes', '5', '--dry-run']);
  await run(['api', '/me', '-i']);
  await run(['auth', 'status', '--check']);
  await run(['token', 'status']);
  await run(['doctor']);
  await run(['config', 'list']);
  sandbox.expireAccessTokens();
  expect((await run(['me'])).code).toBe(0);
  await collect();
  sandbox.setFaults([{ path: '/oauth/token', status: 500, times: Number.POSITIVE_INFINITY }]);
  expect((await run(['auth', 'refresh'])).code).toBe(8);
  sandbox.setFaults([]);
  sandbox.revokeAll();
  expect((await run(['me'])).code).toBe(4);
  expect((await run(['worklogs', 'delete', '4', '--yes'])).code).toBe(4);
  expect((await run(['login', host, '--with-token'], 'pat_made-up-and-refused')).code).toBe(4);
  secrets.add('pat_made-up-and-refused');
  expect((await run(['login', host])).code).toBe(0);
  await collect();
  expect((await run(['logout'])).code).toBe(0);

  // Two sign-ins, two refreshes: an access and a refresh token each, a code and a verifier each, and the personal ones.
  expect(secrets.size).toBeGreaterThanOrEqual(11);
  expect(secrets).toContain(personal);
  for (const { argv, stdout, stderr } of outcomes) {
    for (const secret of secrets) {
      expect(stdout, `stdout of svc ${argv}`).not.toContain(secret);
      expect(stderr, `stderr of svc ${argv}`).not.toContain(secret);
    }
  }
  expect(outcomes.map(({ stderr }) => stderr).join('')).toContain('POST http://');
  for (const file of await filesBelow(account.home)) {
    if (file.startsWith(join(account.home, STORE))) continue;
    const content = await readFile(file, 'latin1');
    for (const secret of secrets) expect(content, file).not.toContain(secret);
  }
}, 120_000);
