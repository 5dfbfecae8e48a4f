import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';

const run = promisify(execFile);
const there = spawnSync('man', ['--version']).status === 0;

describe.skipIf(!there && process.env['SVC_TEST_MAN'] !== 'required')('the man pages (skipped where there is no man)', () => {
  let directory: string;
  let names: string[];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-man-'));
    await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/man.ts', directory]);
    names = (await readdir(directory)).sort();
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const read = (...pages: string[]) => readIn('C.UTF-8', pages);
  const readIn = (language: string, pages: readonly string[]) =>
    run('man', ['--warnings', '-l', ...pages.map((page) => join(directory, page))], {
      env: { ...process.env, MANWIDTH: '80', MANPAGER: 'cat', LC_ALL: language, MANROFFOPT: '-c' },
      maxBuffer: 64 * 1024 * 1024,
    });

  it('are svc.1 and one page for each resource', () => {
    expect(names).toEqual(['svc.1', ...builtInCatalog().nouns.map(({ noun }) => `svc-${noun}.1`)].sort());
  });

  it('are read by man without a warning', async () => {
    const { stdout, stderr } = await read(...names);
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/[‐−]/);
    expect((await readIn('C', names)).stderr).toBe('');
  });

  it('write dashes and quotes so that a copied command has plain dashes and quotes', async () => {
    // Some systems mend these for every page, others do not.
    for (const name of names) {
      const text = (await readFile(join(directory, name), 'utf8')).replace(/^\.(TH|\\").*$/gm, '');
      expect(text, name).not.toMatch(/(?<!\\)-|['`^~]/);
    }
  });

  it('contain commands, flags, environment variables and exit codes, and no hidden command', async () => {
    const text = (await read('svc-work-items.1')).stdout.replace(/.\x08/g, '').replace(/\s+/g, ' ');
    expect(text).toContain('svc work-items transition <id> [flags]');
    expect(text).toContain('--to <id|name> Set this status (required).');
    expect(text).toContain('svc work-items transition ABC-12 --to Done');
    expect(text).toContain('svc work-items subtasks list <work-item> [flags]');
    const main = (await read('svc.1')).stdout.replace(/.\x08/g, '').replace(/\s+/g, ' ');
    for (const expected of [
      'svc-worklogs(1)',
      'svc auth print-token [flags]',
      '--max-wait <duration>',
      'SVC_READ_ONLY',
      '130 Interrupted (Ctrl-C).',
      '143 Stopped by SIGTERM.',
    ])
      expect(main).toContain(expected);
    expect(main).not.toContain('__complete');
  });
});
