// The executable for people without Node. Built by Node's own `--build-sea`, which older versions do not have.
import { execFile, execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SVC_VERSION } from '../../src/version.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { canWrap, within } from './fixtures/within.ts';

const exec = promisify(execFile);
const canBuild = Number(process.versions.node.split('.', 1)[0]) >= 26;

describe.skipIf(!canBuild)('the standalone executable (built by Node 26 and later)', () => {
  let directory: string;
  let svc: string;
  let person: SignedIn;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-standalone-'));
    await exec(process.execPath, ['scripts/build-standalone.ts', directory]);
    svc = join(directory, 'bin', process.platform === 'win32' ? 'svc.exe' : 'svc');
    person = await signedIn();
  });
  afterAll(async () => {
    await person?.remove();
    await rm(directory, { recursive: true, force: true });
  });

  /** Without Node in the path, and without a keyring to reach. */
  const run = (argv: readonly string[], env: Record<string, string> = {}) =>
    exec(svc, [...argv], { cwd: person.home, env: { HOME: person.home, PATH: '/nowhere', ...env } });

  it('prints its version', async () => {
    expect((await run(['--version'])).stdout).toBe(`svc ${SVC_VERSION}\n`);
  });

  it('sends a request', async () => {
    const { stdout } = await run(['me'], { SVC_TOKEN_STORE: 'file' });
    expect(JSON.parse(stdout)).toHaveProperty('name');
    expect(person.sandbox.requests.map(({ path }) => path)).toContain('/api/v2/me');
  });

  it('stores compiled code in the cache', async () => {
    await run(['me'], { SVC_TOKEN_STORE: 'file' });
    const [place = ''] = await readdir(join(person.home, '.cache', 'svc', 'code'));
    expect(await readdir(join(person.home, '.cache', 'svc', 'code', place))).toContain('main.cjs.run');
  });

  it('contains the keychain addon, and writes the addon to a private directory', async () => {
    const { stdout } = await run(['doctor', '--output', 'json', '--host', person.host]).catch((error: { stdout: string }) => error);
    expect(stdout).toContain('Keychain');
    expect(stdout).not.toMatch(/not installed/);
    const addon = join(person.home, '.cache', 'svc', 'addon');
    expect((await stat(addon)).mode & 0o777).toBe(0o700);
    expect(await readdir(addon)).toEqual(['keytar.node']);
  });

  it('comes with the licences of its parts', async () => {
    const notices = await readFile(join(directory, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const part of ['undici', `Node.js ${process.versions.node}`, 'keytar', 'Permission is hereby granted'])
      expect(notices).toContain(part);
    if (process.platform === 'linux')
      expect(notices).toMatch(/^gcc-\S+ \S+, a source package of Debian[\s\S]*GCC RUNTIME LIBRARY EXCEPTION/im);
  });

  describe.skipIf(!canWrap)('in a read-only image with only libc (skipped without bubblewrap)', () => {
    let root: string;
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'svc-root-'));
      for (const name of ['proc', 'dev', 'opt']) await mkdir(join(root, name));
      const files = execFileSync('dpkg', ['--listfiles', 'libc6'], { encoding: 'utf8' }).split('\n');
      const needed = files.filter((file) => /^(\/usr)?\/lib.*\/(ld-linux[^/]*|lib[^/]*\.so\.\d+)$/.test(file));
      for (const file of [...needed, '/lib64/ld-linux-x86-64.so.2']) {
        await mkdir(dirname(join(root, file)), { recursive: true });
        await copyFile(file, join(root, file));
      }
    });
    afterAll(() => rm(root, { recursive: true, force: true }));

    const alone = (...argv: string[]) => {
      const [token] = person.sandbox.tokens;
      return within({ '/': root, '/opt': directory }, ['/opt/bin/svc', ...argv], { SVC_HOST: person.host, SVC_TOKEN: token?.value ?? '' });
    };

    it('prints help, sends requests, writes CSV, and checks itself', async () => {
      // The compiler’s libraries are those beside it.
      expect((await readdir(root, { recursive: true })).filter((name) => /lib(atomic|stdc\+\+|gcc_s)/.test(name))).toEqual([]);
      expect(await alone('--version')).toEqual({ code: 0, stdout: `svc ${SVC_VERSION}\n`, stderr: '' });
      expect(await alone('worklogs', 'add', '--help')).toMatchObject({ code: 0 });
      expect(await alone('users', 'get', '3', '--jq', '.name')).toEqual({ code: 0, stdout: 'Zoë Müller-Lüdenscheidt\n', stderr: '' });
      const csv = await alone('worklogs', 'list', '--limit', '2', '--output', 'csv', '--fields', 'id');
      expect(csv).toMatchObject({ code: 0, stdout: expect.stringMatching(/^id\n\d+\n\d+\n$/) });
      expect(await alone('doctor')).toMatchObject({ code: 0 });
    });
  });
});
