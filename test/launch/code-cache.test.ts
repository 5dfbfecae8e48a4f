// V8's compiled code, kept from one run to the next.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resolvePaths } from '../../src/config/paths.ts';
import { codeDirectory } from '../../src/launch/launch.ts';
import { json, startHttpServer } from '../support/http-server.ts';
import { type Built, builtSvc, copyOfSvc } from './fixtures/built.ts';

let built: Built;
let home: string;
beforeAll(async () => {
  built = await builtSvc();
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-home-'));
  return () => rm(home, { recursive: true, force: true });
});

const code = () => join(home, '.cache', 'svc', 'code');
const help = (env: Record<string, string> = {}) => built.run(['--help'], { home, env });

/** The largest file of the bundle that help runs, in `dist` and as compiled code. */
async function largest() {
  const kept = await place();
  const names = await readdir(kept);
  const sizes = await Promise.all(names.map(async (name) => ({ name, size: (await stat(join(kept, name))).size })));
  const { name, size } = sizes.reduce((one, other) => (other.size > one.size ? other : one));
  const file = name.replace(/\.help$/, '');
  // The first file of the bundle stands above the others.
  return { file: file === 'main.cjs' ? file : `chunks/${file}`, path: join(kept, name), size };
}

/** The one directory of this bundle and this Node. */
async function place(): Promise<string> {
  const [only, ...others] = await readdir(code());
  expect(others).toEqual([]);
  return join(code(), only ?? '');
}

describe('compiled code', () => {
  it('is used for every file of the second run, which prints the same output', async () => {
    const first = await help();
    const second = await help();
    expect(first.files.some(({ kept }) => kept)).toBe(false);
    expect(second.files.every(({ kept }) => kept)).toBe(true);
    expect(second.stdout).toBe(first.stdout);
  });

  it('includes functions that the run called', async () => {
    await help();
    const kept = await largest();
    const bundle = await stat(join(built.directory, 'dist', kept.file));
    // What V8 compiles at load is a tenth of it.
    expect(kept.size).toBeGreaterThan(bundle.size / 2);
  });

  it('is used for every file of a run after a list that changed the memory flags of V8', async () => {
    const server = await startHttpServer();
    server.fallback((request, response, socket) => {
      const from = Number(request.query.get('cursor') ?? 0);
      const next = from < 500 ? `${server.origin}/api/v2/worklogs?per_page=100&cursor=${from + 100}` : null;
      const data = Array.from({ length: 100 }, (_, index) => ({ id: from + index }));
      json(200, { data, links: { next } })(request, response, socket);
    });
    const env = { SVC_HOST: server.origin, SVC_TOKEN: 'a-token' };
    try {
      const first = await built.run(['worklogs', 'list', '--output', 'ids'], { home, env });
      const second = await built.run(['worklogs', 'list', '--output', 'ids'], { home, env });
      expect(first.stdout.trim().split('\n')).toHaveLength(600);
      expect(second.files.filter(({ kept }) => !kept)).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it('is readable and writable only by its owner, with mode 0600', async () => {
    await help();
    const directory = await place();
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(directory)) expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
  });

  it('does not run when other users can write to its directory', async () => {
    await help();
    await chmod(await place(), 0o777);
    const run = await help();
    expect(run.code).toBe(0);
    expect(run.files.some(({ kept }) => kept)).toBe(false);
  });

  it.each([
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['damaged by a block of zeros', (bytes: Buffer) => bytes.fill(0, 4096, 4096 + 512)],
    ['full of zeros', (bytes: Buffer) => bytes.fill(0)],
  ])('is compiled again when the file is %s', async (_name, damage) => {
    await help();
    const { file: damaged, path } = await largest();
    await writeFile(path, damage(await readFile(path)));
    const run = await help();
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.files.filter(({ kept }) => !kept).map(({ file }) => file)).toEqual([damaged]);
    expect((await help()).files.every(({ kept }) => kept)).toBe(true);
  });

  it('is deleted when a newer bundle runs', async () => {
    await mkdir(join(code(), '0123456789abcdef-v1.0.0-x64'), { recursive: true });
    await help();
    expect(await place()).not.toContain('0123456789abcdef');
  });

  it('is not used by another bundle', async () => {
    await help();
    const other = await copyOfSvc();
    try {
      const path = join(other.directory, 'dist', 'start.cjs');
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace(/[0-9a-f]{16}/, 'ffffffffffffffff'));
      const run = await other.run(['--help'], { home });
      expect(run.files.some(({ kept }) => kept)).toBe(false);
    } finally {
      await other.remove();
    }
  });
});

describe('svc without compiled code', () => {
  it('runs when svc cannot write to the cache', async () => {
    await writeFile(join(home, '.cache'), 'a file');
    expect(await help()).toMatchObject({ code: 0, stderr: '' });
  });

  it('runs without a home directory', async () => {
    const run = await built.run(['--help'], { home, env: { HOME: '' } });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(home)).toEqual([]);
  });

  it('runs when the environment disables the cache', async () => {
    expect(await help({ NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(home)).toEqual([]);
  });

  it('runs from a read-only directory, and stores the code in the cache of the user', async () => {
    const copy = await copyOfSvc();
    const directories = [copy.directory, join(copy.directory, 'bin'), join(copy.directory, 'dist')];
    const names = async () => Promise.all(directories.map((directory) => readdir(directory)));
    try {
      const before = await names();
      for (const directory of directories) await chmod(directory, 0o500);
      const run = await copy.run(['--help'], { home });
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(run.files.some(({ kept }) => kept)).toBe(false);
      // Modes do not stop root, so the names show whether svc wrote to the directory.
      expect(await names()).toEqual(before);
      expect((await readdir(await place())).length).toBeGreaterThan(0);
      expect((await copy.run(['--help'], { home })).files.every(({ kept }) => kept)).toBe(true);
    } finally {
      for (const directory of directories) await chmod(directory, 0o700);
      await copy.remove();
    }
  });
});

describe('the directory of compiled code', () => {
  const system = { platform: 'linux', home: '/home/ada', accountHome: '/home/ada' } as const;
  it.each([
    ['linux', { HOME: '/home/ada' }],
    ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: '/var/cache/ada' }],
    ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: 'not/absolute' }],
    ['linux', { HOME: '/home/ada', SVC_CONFIG_DIR: '/etc/svc' }],
  ] as const)('is in the cache of svc on %s with %j', (platform, env) => {
    expect(codeDirectory(env, platform)).toBe(`${resolvePaths(env, { ...system, platform }).cache}/code`);
  });
});
