// The executable for people without Node. Built by Node's own `--build-sea`, which older versions do not have.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SVC_VERSION } from '../../src/version.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const exec = promisify(execFile);
const canBuild = Number(process.versions.node.split('.', 1)[0]) >= 26;

describe.skipIf(!canBuild)('the standalone executable (built by Node 26 and later)', () => {
  let directory: string;
  let svc: string;
  let person: SignedIn;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-standalone-'));
    await exec(process.execPath, ['scripts/build-standalone.ts', directory]);
    svc = join(directory, process.platform === 'win32' ? 'svc.exe' : 'svc');
    person = await signedIn();
  });
  afterAll(async () => {
    await person?.remove();
    await rm(directory, { recursive: true, force: true });
  });

  /** Without Node in the path, and without a keyring to reach. */
  const run = (argv: readonly string[], env: Record<string, string> = {}) =>
    exec(svc, [...argv], { cwd: person.home, env: { HOME: person.home, PATH: '/nowhere', ...env } });

  it('says its version', async () => {
    expect((await run(['--version'])).stdout).toBe(`svc ${SVC_VERSION}\n`);
  });

  it('sends a request', async () => {
    const { stdout } = await run(['me'], { SVC_TOKEN_STORE: 'file' });
    expect(JSON.parse(stdout)).toHaveProperty('name');
    expect(person.sandbox.requests.map(({ path }) => path)).toContain('/api/v2/me');
  });

  it('keeps compiled code too', async () => {
    await run(['me'], { SVC_TOKEN_STORE: 'file' });
    const [place = ''] = await readdir(join(person.home, '.cache', 'svc', 'code'));
    expect(await readdir(join(person.home, '.cache', 'svc', 'code', place))).toContain('main.cjs.run');
  });

  it('has the keychain addon inside, and puts it where only the person can write', async () => {
    const { stdout } = await run(['doctor', '--output', 'json', '--host', person.host]).catch((error: { stdout: string }) => error);
    expect(stdout).toContain('Keychain');
    expect(stdout).not.toMatch(/not installed/);
    const addon = join(person.home, '.cache', 'svc', 'addon');
    expect((await stat(addon)).mode & 0o777).toBe(0o700);
    expect(await readdir(addon)).toEqual(['keytar.node']);
  });
});
