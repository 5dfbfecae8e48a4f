// No secret leaves the store. The test checks arguments and environments of other programs, all other files, all output, and crash
// reports.
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import type { HostRecord } from '../../src/auth/record.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type Ended, type StartOptions, svcBinary } from '../support/binary.ts';
import { createMachine, forgetLimits, type Machine } from '../support/svc.ts';

const SPY = new URL('fixtures/spy.ts', import.meta.url).pathname;
const CRASH = new URL('fixtures/crash.ts', import.meta.url).pathname;

const binary = svcBinary();
let sandbox: Sandbox;
let machine: Machine;
let host: string;
/** Every secret so far, by name. */
const secrets = new Map<string, string>();
/** Everything that svc printed. */
const printed: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ approve: true, limits: 'off' });
  machine = await createMachine();
  host = new URL(sandbox.origin).host;
  return async () => {
    await machine.remove();
    await sandbox.close();
  };
});

/** Directory for what other programs were given, and for the bodies of the requests of svc. */
const spied = () => join(machine.home, 'spied');
const store = () => join(machine.home, '.config', 'svc', 'tokens', `${encodeURIComponent(host)}.json`);

const environment = () => ({
  SVC_TOKEN_STORE: 'file',
  SVC_BROWSER: join(machine.home, 'browser'),
  EDITOR: join(machine.home, 'editor'),
  SVC_TEST_SPIED: spied(),
  SVC_DEBUG: '1',
});

async function svc(argv: readonly string[], options: Partial<StartOptions> = {}): Promise<Ended> {
  const env = { ...environment(), ...options.env };
  const ended = await binary.run([...argv], { home: machine.home, preload: [SPY], ...options, env });
  printed.push(ended.stdout, ended.stderr);
  await rememberSecrets();
  return ended;
}

async function rememberSecrets(): Promise<void> {
  const text = await readFile(store(), 'utf8').catch(() => '{}');
  const { grant, personal } = JSON.parse(text) as Partial<HostRecord>;
  if (grant !== undefined)
    secrets.set(`access token ${secrets.size}`, grant.access_token).set(`refresh token ${secrets.size}`, grant.refresh_token);
  if (personal !== undefined) secrets.set('personal token', personal.token);
  for (const { path, body } of sandbox.requests) {
    if (path !== '/oauth/token') continue;
    const form = new URLSearchParams(body);
    for (const name of ['code', 'code_verifier']) if (form.has(name)) secrets.set(`${name} ${form.get(name)}`, form.get(name) ?? '');
  }
}

/** Returns all files below a directory except the store. */
async function filesBelow(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== store());
}

/** Returns the names of the secrets in a string. */
function found(text: string): readonly string[] {
  return [...secrets]
    .filter(([, secret]) => text.includes(secret) || text.includes(Buffer.from(secret).toString('base64')))
    .map(([name]) => name);
}

async function writeProgram(name: string, lines: readonly string[]): Promise<void> {
  const path = join(machine.home, name);
  await writeFile(path, ['#!/bin/sh', `{ echo "$@"; env; } > "${spied()}/${name}.$$"`, ...lines, ''].join('\n'));
  await chmod(path, 0o755);
}

test('svc writes no secret to its output, other files or other programs during login, requests, refresh and logout', async () => {
  await mkdir(spied());
  await writeProgram('browser', ['curl --silent --location --output /dev/null "$1"']);
  await writeProgram('editor', ['exit 0']);
  const full = sandbox.tokens[0]?.value ?? '';
  secrets.set('SVC_TOKEN', full);

  expect(await svc(['login', host])).toMatchObject({ code: 0 });
  expect(await svc(['me', '--debug'])).toMatchObject({ code: 0 });
  sandbox.expireAccessTokens();
  expect(await svc(['projects', 'list', '--debug'])).toMatchObject({ code: 0 });
  expect(await svc(['auth', 'refresh', '--debug'])).toMatchObject({ code: 0 });
  expect(await svc(['token', 'set'], { stdin: sandbox.tokens[1]?.value ?? '' })).toMatchObject({ code: 0 });
  expect(await svc(['auth', 'status', '--check', '--debug'])).toMatchObject({ code: 0 });
  await svc(['api', '/worklogs', '--include', '--debug']);
  await svc(['doctor', '--debug']);
  // With SVC_TOKEN set, svc starts a browser, and an editor, which needs a terminal.
  const withToken = { SVC_TOKEN: full, SVC_HOST: host };
  await svc(['open', 'work-items', 'ABC-12'], { env: withToken });
  const edit = [process.execPath, '--import', SPY, binary.path, 'work-items', 'edit', 'ABC-12'].map((word) => `'${word}'`).join(' ');
  const env = { HOME: machine.home, PATH: process.env['PATH'], ...environment(), ...withToken };
  printed.push((await promisify(execFile)('script', ['-qec', edit, '/dev/null'], { env })).stdout);
  // Every kind of failure, printed as lines and as JSON.
  for (const fault of [{ status: 403 }, { garbage: true }, { status: 429, retryAfter: 900 }]) {
    sandbox.setFaults([{ path: '/me', times: 20, ...fault }]);
    await svc(['me', '--debug', '--error-format', 'json']);
    sandbox.expireAccessTokens();
    sandbox.setFaults([{ method: 'POST', path: '/oauth/token', times: 2, ...fault }]);
    await svc(['me', '--debug']);
    sandbox.setFaults([]);
    await svc(['login', host]);
  }
  expect(await svc(['logout', '--debug'])).toMatchObject({ code: 0 });

  expect(secrets.size).toBeGreaterThan(10);
  expect(found(printed.join('\n'))).toEqual([]);
  const files = await filesBelow(machine.home);
  // The files contain the environments of a browser and an editor, and the programs that Node started.
  for (const kind of ['browser', 'editor', 'spawned']) expect(files.some((path) => path.startsWith(join(spied(), kind)))).toBe(true);
  for (const path of files) expect([path, found(await readFile(path, 'latin1'))]).toEqual([path, []]);
});

test('a crash writes no file, and a Node diagnostic report has no secret', async () => {
  expect(await svc(['login', host])).toMatchObject({ code: 0 });
  const env = { SVC_TOKEN: sandbox.tokens[0]?.value ?? '', SVC_HOST: host };
  // Compiled code stays in the cache, as after any run.
  const kept = async () => (await filesBelow(machine.home)).filter((path) => !path.includes('/.cache/svc/code/'));
  // The refused requests above set rate limits for every svc of this home.
  await forgetLimits(machine.home);
  const before = await kept();
  const plain = await svc(['me'], { env, preload: [CRASH] });
  expect(plain).toMatchObject({ stderr: expect.stringContaining('a crash on purpose') });
  expect(plain.code).not.toBe(0);
  expect(await kept()).toEqual(before);

  for (const asOAuth of [false, true]) {
    const report = { NODE_OPTIONS: `--report-uncaught-exception --report-directory=${machine.home} --report-filename=report.json` };
    await svc(['me', '--host', host], { env: asOAuth ? report : { ...env, ...report }, preload: [CRASH] });
    const text = await readFile(join(machine.home, 'report.json'), 'utf8');
    expect(JSON.parse(text)).toHaveProperty('header');
    expect(JSON.parse(text)).not.toHaveProperty('environmentVariables');
    expect(found(text)).toEqual([]);
  }
  expect(found(printed.join('\n'))).toEqual([]);
});

test('the token file has mode 0600 and its directory 0700', async () => {
  expect((await stat(store())).mode & 0o777).toBe(0o600);
  expect((await stat(join(store(), '..'))).mode & 0o777).toBe(0o700);
});
