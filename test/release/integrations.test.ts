// What others install svc with, run in a shell against a server on this machine.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { type HttpServer, startHttpServer } from '../support/http-server.ts';

const NAME = `svc-0.2.0-${process.platform}-${process.arch}`;
const folder = new URL('../../integrations/', import.meta.url);
let server: HttpServer;
let scratch: string;
let digest: string;
let work: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'svc-integrations-'));
  await mkdir(join(scratch, NAME, 'bin'), { recursive: true });
  await writeFile(join(scratch, NAME, 'bin/svc'), '#!/bin/sh\necho "svc 0.2.0"\n', { mode: 0o755 });
  execFileSync('tar', ['-czf', 'archive.tar.gz', NAME], { cwd: scratch });
  const archive = await readFile(join(scratch, 'archive.tar.gz'));
  digest = createHash('sha256').update(archive).digest('hex');
  server = await startHttpServer();
  server.fallback(({ path }, response) => {
    response.writeHead(path === `/releases/download/v0.2.0/${NAME}.tar.gz` ? 200 : 404);
    response.end(archive);
  });
});
afterAll(async () => {
  await server.close();
  await rm(scratch, { recursive: true });
});
beforeEach(async () => {
  work = await mkdtemp(join(scratch, 'work-'));
});

/** Runs a script in an empty directory, without blocking this process, which serves the archive. */
async function inShell(shell: string, script: string, env: Readonly<Record<string, string>>) {
  const { PATH = '' } = process.env;
  const options = { cwd: work, env: { PATH, HOME: work, ...env } };
  return promisify(execFile)(shell, ['-c', script], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
}

describe.skipIf(process.platform === 'win32')('among the integrations,', () => {
  const variables = () => ({ VERSION: '0.2.0', SHA256: digest, RELEASES: `${server.origin}/releases` });

  describe('the devcontainer feature', () => {
    const script = `sh '${new URL('devcontainer/svc/install.sh', folder).pathname}'`;

    it('installs the version whose archive has the digest', async () => {
      expect(await inShell('sh', script, { ...variables(), PREFIX: join(work, 'usr') })).toEqual({
        code: 0,
        stdout: 'svc 0.2.0\n',
        stderr: '',
      });
      expect(await readdir(join(work, 'usr/bin'))).toEqual(['svc']);
    });

    it.each([
      [{ SHA256: '0'.repeat(64) }, 'Nothing was installed.'],
      [{ SHA256: '' }, 'Give the SHA-256 of the archive.'],
      [{ VERSION: '' }, 'Give the version of svc.'],
      [{ VERSION: '9.9.9' }, '404'],
    ])('installs nothing with %s', async (wrong, message) => {
      const { code, stderr } = await inShell('sh', script, { ...variables(), PREFIX: join(work, 'usr'), ...wrong });
      expect([code === 0, stderr]).toEqual([false, expect.stringContaining(message)]);
      expect(await readdir(work)).toEqual([]);
    });

    it('has an option for each variable of its script', async () => {
      const { options } = JSON.parse(await readFile(new URL('devcontainer/svc/devcontainer-feature.json', folder), 'utf8'));
      expect(Object.keys(options).map((name) => name.toUpperCase())).toEqual(Object.keys(variables()));
    });
  });

  describe('the action setup-svc', () => {
    const run = async (inputs: Readonly<Record<string, string>>) => {
      const action = load(await readFile(new URL('setup-svc/action.yml', folder), 'utf8')) as {
        readonly runs: { readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[] };
      };
      const [step] = action.runs.steps;
      const env = Object.entries(step?.env ?? {}).map(([name, value]) => [name, inputs[/inputs\.(\w+)/.exec(value)?.[1] ?? ''] ?? '']);
      return inShell('bash', step?.run ?? '', {
        ...Object.fromEntries(env),
        RUNNER_TEMP: join(work, 'temp'),
        GITHUB_ACTION_PATH: new URL('setup-svc', folder).pathname,
        GITHUB_ENV: join(work, 'env'),
        GITHUB_PATH: join(work, 'path'),
      });
    };
    const inputs = () => ({ version: '0.2.0', sha256: digest, releases: `${server.origin}/releases` });

    it('masks the token first, installs svc, and passes host and token to later steps', async () => {
      const { code, stdout } = await run({ ...inputs(), host: 'acme.example.com', token: 'a-secret' });
      expect([code, stdout]).toEqual([0, '::add-mask::a-secret\nsvc 0.2.0\n']);
      expect(await readFile(join(work, 'env'), 'utf8')).toBe('SVC_HOST=acme.example.com\nSVC_TOKEN=a-secret\n');
      expect(await readFile(join(work, 'path'), 'utf8')).toBe(`${join(work, 'temp/svc/bin')}\n`);
    });

    it('sets no variable without a host and a token', async () => {
      expect(await run(inputs())).toMatchObject({ code: 0, stdout: 'svc 0.2.0\n' });
      expect(await readdir(work)).toEqual(['path', 'temp']);
    });

    it('refuses a host that would set another variable', async () => {
      expect(await run({ ...inputs(), host: 'acme.example.com\nPATH=/evil' })).toMatchObject({ code: 1 });
      expect(await readdir(work)).toEqual([]);
    });
  });

  describe.skipIf(NAME !== 'svc-0.2.0-linux-x64')('the GitLab template', () => {
    const run = async (sha256: string) => {
      const template = load(await readFile(new URL('gitlab/svc.yml', folder), 'utf8')) as {
        readonly '.svc': { readonly before_script: readonly string[] };
      };
      // As GitLab’s runner does: each line must succeed.
      return inShell('sh', ['set -e', ...template['.svc'].before_script].join('\n'), {
        SVC_VERSION: '0.2.0',
        SVC_SHA256: sha256,
        SVC_RELEASES: `${server.origin}/releases`,
        CI_BUILDS_DIR: join(work, 'builds'),
      });
    };

    it('installs the version whose archive has the digest, and refuses another digest', async () => {
      expect(await run('0'.repeat(64))).toMatchObject({ code: 1, stdout: expect.stringContaining('FAILED') });
      expect(await run(digest)).toMatchObject({ code: 0, stdout: expect.stringContaining('svc 0.2.0\n') });
      expect(await readdir(work)).toEqual(['builds']);
    });
  });
});

it('the integrations take svc from the releases that package.json names', () => {
  const { stdout } = spawnSync('git', ['grep', '--only-matching', '-h', '-E', 'https://[a-z.]+/[^ "}]*/releases', 'integrations'], {
    encoding: 'utf8',
  });
  expect(new Set(stdout.trim().split('\n'))).toEqual(new Set([manifest.releases]));
});
