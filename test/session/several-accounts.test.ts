// Several accounts on one host: how svc chooses one, and what it stores for each.
import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

const [SANNE, OLUMIDE] = ['Sanne de Vries', 'Olumide Adeyemi'];

/** Sanne has the sign-in without a name, and Olumide has the account `boss`. */
let here: SignedIn;
beforeAll(async () => {
  here = await signedIn();
  here.sandbox.setPerson(2);
  const login = await here.svc(['login', here.host, '--account', 'Boss']);
  expect(login).toMatchObject({ code: 0, stderr: expect.stringContaining(`svc auth switch ${here.host} --account boss`) });
});
afterAll(() => here.remove());

const who = async (argv: readonly string[] = [], options?: RunOptions) => {
  const { code, stdout, stderr } = await here.svc(['me', '--jq', '.name', ...argv], options);
  return code === 0 ? stdout.trim() : `${code} ${stderr}`;
};
const statusRows = async () => JSON.parse((await here.svc(['auth', 'status', '-o', 'json'])).stdout) as Record<string, unknown>[];

async function directoryWith(content: object): Promise<string> {
  const directory = `${here.home}/work`;
  await mkdir(directory, { recursive: true });
  await writeFile(`${directory}/.svc.json`, JSON.stringify(content));
  return directory;
}

it('svc chooses the account by --account, then SVC_ACCOUNT, then .svc.json, then the default', async () => {
  const cwd = await directoryWith({ account: 'boss' });
  const env = { SVC_ACCOUNT: 'default' };
  expect(await who()).toBe(SANNE);
  expect(await who([], { cwd })).toBe(OLUMIDE);
  expect(await who(['--host', here.host], { cwd })).toBe(SANNE);
  expect(await who([], { cwd, env })).toBe(SANNE);
  expect(await who(['--account', 'boss'], { cwd, env })).toBe(OLUMIDE);
  await here.svc(['auth', 'switch', here.host, '--account', 'boss']);
  expect(await who()).toBe(OLUMIDE);
  expect([await who(['--account', 'default']), await who([], { env })]).toEqual([SANNE, SANNE]);
  expect((await statusRows()).map((row) => [row['account'], row['default'], row['user']])).toEqual([
    ['default', false, SANNE],
    ['boss', true, OLUMIDE],
  ]);
  await here.svc(['auth', 'switch'], { answers: [here.host] });
  expect(await who()).toBe(SANNE);
});

it('a .svc.json chooses only an account with a sign-in, and svc names the account before a write', async () => {
  expect(await who([], { cwd: await directoryWith({ account: 'owner' }) })).toMatch(/^4 .*names the account owner on \S+, and you are not/);
  expect(await who([], { cwd: await directoryWith({ account: '../owner' }) })).toMatch(/^2 .*is not a name for an account/);
  expect(await who([], { cwd: await directoryWith({ account: 'boss', host: 'other.example.com' }) })).toMatch(/^4 /);
  const cwd = await directoryWith({ account: 'boss' });
  const written = await here.svc(['worklogs', 'add', '--minutes', '7'], { cwd });
  expect([written.code, written.stderr]).toEqual([0, expect.stringContaining(`Account: boss, from ${cwd}/.svc.json.`)]);
  expect(here.sandbox.rows('worklogs').at(-1)).toMatchObject({ minutes: 7, user_id: 2 });
});

it('each account has its own journal, local database and tokens', async () => {
  expect((await here.svc(['sync', 'projects', '--account', 'boss'])).code).toBe(0);
  expect((await here.svc(['sql', 'SELECT 1', '--account', 'boss'])).code).toBe(0);
  expect(await here.svc(['sql', 'SELECT 1'])).toMatchObject({ code: 3, stderr: expect.stringContaining('no local database') });
  expect(await here.svc(['projects', 'list', '--offline'])).toMatchObject({ code: 2 });
  expect((await here.svc(['projects', 'list', '--offline', '--account', 'boss'])).code).toBe(0);
  const count = async (...argv: string[]) => JSON.parse((await here.svc(['history', ...argv])).stdout).length as number;
  expect([await count(), await count('--account', 'boss')]).toEqual([0, 1]);
  const tokens = await Promise.all(
    [[], ['--account', 'boss']].map(async (argv) => (await here.svc(['auth', 'print-token', ...argv])).stdout),
  );
  expect(new Set(tokens).size).toBe(2);
});

it('svc refuses an unknown account and an account beside SVC_TOKEN, and hints name the account', async () => {
  expect(await who(['--account', 'nobody'])).toMatch(/^4 .*not signed in to nobody@.*\n.*svc login \S+ --account nobody/);
  expect(await who(['--account', 'boss'], { env: { SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '', SVC_HOST: here.host } })).toMatch(
    /^2 .*--account chooses a stored sign-in/,
  );
  const deleting = await here.svc(['worklogs', 'delete', '1', '--yes', '--account', 'boss']);
  expect(deleting.stderr).toContain(`svc token set --account boss --host ${here.host}`);
});

it('svc completes the names of accounts', async () => {
  const completed = await here.svc(['__complete', '--', 'me', '--account', 'b']);
  expect(completed.stdout).toBe('boss\t\n:\n');
});

it('svc logout signs out of the named account, and the other account stays signed in', async () => {
  await here.svc(['auth', 'switch', '--account', 'boss']);
  const unnamed = await here.svc(['logout']);
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('several accounts on')]);
  here.sandbox.requests.length = 0;
  expect((await here.svc(['logout', '--account', 'boss'])).code).toBe(0);
  expect(sent(here.sandbox).filter((line) => line.includes('revoke'))).toHaveLength(1);
  expect(await who()).toBe(SANNE);
  expect(await statusRows()).toMatchObject([{ host: here.host, account: 'default', default: true }]);
});
