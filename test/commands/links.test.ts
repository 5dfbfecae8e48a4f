// What svc does with a symbolic link in the place of a file.
import { once } from 'node:events';
import { lchown, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

const isRoot = process.getuid?.() === 0;

let here: SignedIn;
let directory: string;
/** The target of the links. */
let precious: string;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-links-'));
  precious = join(directory, 'precious');
  await writeFile(precious, 'precious\n', { mode: 0o640 });
  return () => rm(directory, { recursive: true });
});

describe('an output file', () => {
  it.each([
    ['report', '--html'],
    ['week', '--html'],
    ['absences calendar', '--html'],
    ['absences calendar', '--ics'],
    ['budgets burn', '--html'],
    ['worklogs add 1h standup --task 1', '--plan'],
  ])('replaces a symbolic link and leaves the target unchanged, for svc %s %s', async (words, flag) => {
    const file = join(directory, 'out');
    // svc first reads a plan, and refuses one that it did not write.
    const before = flag === '--plan' ? '' : 'precious\n';
    await writeFile(precious, before);
    await symlink(precious, file);
    // Anybody can have put the link into a directory that others can write to.
    if (isRoot) await lchown(file, 65_534, 65_534);
    const { code, stderr } = await here.svc([...words.split(' '), flag, file]);
    expect(code, stderr).toBe(0);
    expect(await readFile(precious, 'utf8')).toBe(before);
    const written = await lstat(file);
    expect([written.isFile(), written.mode & 0o777, written.size > 0]).toEqual([true, 0o600, true]);
  });

  it('makes svc exit 1 when the path of the file is a socket', async () => {
    const path = join(directory, 'socket');
    const server = createServer().listen(path);
    await once(server, 'listening');
    const { code, stderr } = await here.svc(['week', '--html', path]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${path} is a symbolic link`)]);
    expect((await lstat(path)).isSocket()).toBe(true);
    server.close();
  });

  it('replaces a symbolic link for svc skill install --project', async () => {
    await mkdir(join(directory, '.agents', 'skills', 'svc'), { recursive: true });
    const file = join(directory, '.agents', 'skills', 'svc', 'SKILL.md');
    await symlink(precious, file);
    expect(await here.svc(['skill', 'install', '--project', '--yes'], { cwd: directory })).toMatchObject({ code: 0 });
    expect(await readFile(precious, 'utf8')).toBe('precious\n');
    expect((await lstat(file)).isFile()).toBe(true);
  });
});

describe('a configuration file of yours', () => {
  const settings = () => join(here.home, '.config', 'svc', 'config.json');
  const aliases = () => join(here.home, '.config', 'svc', 'aliases.json');

  it.each([
    ['the settings', settings, ['config', 'set', 'timezone', 'Europe/Oslo'], '"timezone": "Europe/Oslo"'],
    ['the aliases', aliases, ['alias', 'set', 'mine', 'worklogs list'], '"mine": "worklogs list"'],
    ['the lines of .zshrc', () => join(here.home, '.zshrc'), ['completion', 'zsh', '--install'], '# completion of svc\n'],
  ])('is written through a symbolic link when the file has %s', async (_, at, words, text) => {
    await writeFile(precious, at().endsWith('json') ? '{}' : 'export EDITOR=vi\n');
    await rm(at(), { force: true });
    await symlink(precious, at());
    const { code, stderr } = await here.svc(words);
    expect(code, stderr).toBe(0);
    expect((await lstat(at())).isSymbolicLink()).toBe(true);
    expect(await readFile(precious, 'utf8')).toContain(text);
    if (!at().endsWith('json')) expect(await readFile(precious, 'utf8')).toMatch(/^export EDITOR=vi\n/);
    expect((await stat(precious)).mode & 0o777).toBe(0o640);
    await rm(at());
  });

  it.runIf(isRoot)('is not written through the link of another user', async () => {
    const zshrc = join(here.home, '.zshrc');
    await symlink(precious, zshrc);
    await lchown(zshrc, 65_534, 65_534);
    const { code, stderr } = await here.svc(['completion', 'zsh', '--install']);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${zshrc} is a symbolic link`)]);
    expect(await readFile(precious, 'utf8')).toBe('precious\n');
    await rm(zshrc);
  });

  it('is not written through a broken link, and svc prints the line to add', async () => {
    const zshrc = join(here.home, '.zshrc');
    await symlink(join(directory, 'not-there'), zshrc);
    const { code, stderr } = await here.svc(['completion', 'zsh', '--install']);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Add this line yourself: source '")]);
    expect(await readdir(directory)).toEqual(['precious']);
    await rm(zshrc);
  });
});
