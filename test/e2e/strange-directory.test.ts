// svc, as people run it, in a directory that somebody filled with programs named like those that svc starts.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { svcBinary } from '../support/binary.ts';

const svc = svcBinary();
/** What a program of the person's own does, and the same one of the directory before it does that. */
const DOES: Readonly<Record<string, string>> = {
  git: 'exec /usr/bin/git "$@"',
  sh: 'exec /bin/sh "$@"',
  'xdg-open': `exec '${process.execPath}' '${fileURLToPath(new URL('../../scripts/approve.ts', import.meta.url))}' "$@"`,
  'on-change': 'exec cat',
  // An editor or a pager.
  show: 'test -n "$1" || exec cat',
};

let sandbox: Sandbox;
let host: string;
let home: string;
let own: string;
let cwd: string;
beforeAll(async () => {
  sandbox = await startSandbox({ limits: 'off' });
  host = new URL(sandbox.origin).host;
  home = await realpath(await mkdtemp(join(tmpdir(), 'svc-strange-')));
  own = join(home, 'own');
  cwd = join(home, 'checkout');
  for (const [name, does] of Object.entries(DOES)) {
    for (const directory of [own, cwd, join(cwd, 'bin')]) {
      await mkdir(directory, { recursive: true });
      const log = join(home, dirname(join(directory, name)) === own ? 'own.log' : 'theirs.log');
      await writeFile(join(directory, name), `#!/bin/sh\necho ${name} >> '${log}'\n${does}\n`);
      await chmod(join(directory, name), 0o755);
    }
  }
});
afterAll(async () => {
  await sandbox.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const name of ['own.log', 'theirs.log']) await rm(join(home, name), { force: true });
});

const started = async (name: string) => (await readFile(join(home, name), 'utf8').catch(() => '')).trim();
/** With PATH as somebody may have it who wants programs of the directory at hand, and worse. */
const run = (argv: readonly string[], env = {}) =>
  svc.run(argv, { home, cwd, env: { PATH: `:.:bin:./bin:${cwd}:${own}:/usr/bin:/bin`, SVC_TOKEN_STORE: 'file', ...env } });

describe.skipIf(process.platform !== 'linux')('a program of the current directory', () => {
  it('is not started by a sign-in, which opens the system browser', async () => {
    const { code, stderr } = await run(['login', host]);
    expect(code, stderr).toBe(0);
    expect([await started('own.log'), await started('theirs.log')]).toEqual(['xdg-open', '']);
  });

  it('is not started by a sign-in when SVC_BROWSER is a name without a path', async () => {
    const { code, stderr } = await run(['login', host], { SVC_BROWSER: 'xdg-open' });
    expect(code, stderr).toBe(0);
    expect([await started('own.log'), await started('theirs.log')]).toEqual(['xdg-open', '']);
  });

  it('is not started by an alias for a shell', async () => {
    expect(await run(['alias', 'set', 'hello', '!echo hello'])).toMatchObject({ code: 0 });
    expect(await run(['hello'])).toMatchObject({ code: 0, stdout: 'hello\n' });
    expect([await started('own.log'), await started('theirs.log')]).toEqual(['sh', '']);
  });

  it('is not started by worklogs suggest --git', async () => {
    const { stderr } = await run(['worklogs', 'suggest', '--git', '--author', 'ada@example.com']);
    expect(stderr).toContain('There is no git repository to read here');
    expect([await started('own.log'), await started('theirs.log')]).toEqual(['git', '']);
  });

  it('is not started by changes --exec, unless you type the path of the program', async () => {
    const changes = async (...argv: string[]) => {
      expect(await run(['labels', 'update', '1', '--name', `Label ${argv.length}`])).toMatchObject({ code: 0 });
      expect(await run(['sync', 'labels'])).toMatchObject({ code: 0 });
      expect(await run(['changes', 'labels', ...argv])).toMatchObject({ code: 0, stderr: '' });
    };
    await run(['sync', 'labels']);
    await run(['changes', 'labels']);
    await changes('--exec', 'on-change');
    expect([await started('own.log'), await started('theirs.log')]).toEqual(['on-change', '']);
    await changes('--exec', './on-change', '--quiet');
    expect([await started('own.log'), await started('theirs.log')]).toEqual(['on-change', 'on-change']);
  });

  const hasScript = spawnSync('script', ['--version']).status === 0;
  it.runIf(hasScript).each([
    ['an editor', ['config', 'edit'], { EDITOR: 'show' }],
    ['a pager', ['labels', 'list'], { PAGER: 'show' }],
  ])('is not started as %s, at a terminal (skipped without script)', async (_name, argv, env) => {
    const PATH = `:.:bin:${cwd}:${own}:/usr/bin:/bin`;
    const line = ['stty rows 5;', process.execPath, svc.path, ...argv].join(' ');
    const child = spawn('/usr/bin/script', ['-qec', line, '/dev/null'], {
      cwd,
      env: { HOME: home, SVC_TOKEN_STORE: 'file', TERM: 'xterm', SHELL: '/bin/sh', PATH, ...env },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'exit');
    expect([await started('own.log'), await started('theirs.log')]).toEqual(['show', '']);
  });
});
