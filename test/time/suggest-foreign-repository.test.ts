// A repository is a stranger's: what it configures must start no program, whichever way git has to start one.
import { execFileSync } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PinnedSandbox, signInAt } from './support.ts';

/** Whatever git may call, and a few more. */
const HOOKS = [
  'post-index-change',
  'reference-transaction',
  'fsmonitor-watchman',
  'post-checkout',
  'post-merge',
  'pre-auto-gc',
  'pre-commit',
];

let here: PinnedSandbox;
/** A whole repository, with a commit that is the person's. */
let whole: string;
/** The same repository, with a signature of the last commit, and the id of the commit before it. */
let signed: string;
let missing: string;
/** What every attack runs, and the file that it leaves. */
let evil: string;
let mark: string;
/** A directory with a git that does not know GIT_NO_LAZY_FETCH (before 2.45). */
let oldGit: string;

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: here.home,
      GIT_AUTHOR_DATE: '2031-02-04T09:30:00+01:00',
      GIT_COMMITTER_DATE: '2031-02-04T09:30:00+01:00',
    },
  }).trim();

beforeAll(async () => {
  const still = await signInAt('2026-06-05T10:00:00Z');
  here = { ...still, svc: (argv, options) => still.svc(argv, { now: Date.parse('2031-02-05T20:00:00Z'), ...options }) };
  [whole, evil, mark] = [join(here.home, 'whole'), join(here.home, 'evil'), join(here.home, 'ran')];
  await writeFile(evil, `#!/bin/sh\necho "$0 $*" >> '${mark}'\nexit 1\n`);
  await chmod(evil, 0o755);
  await mkdir(whole);
  git(whole, 'init', '-q', '-b', 'main');
  for (const [name, value] of [
    ['user.name', 'Sanne'],
    ['user.email', 'sanne@example.com'],
  ] as const)
    git(whole, 'config', name, value);
  await writeFile(join(whole, 'form.txt'), 'A form\n');
  await writeFile(join(whole, '.gitattributes'), '* diff=evil filter=evil\n');
  git(whole, 'add', '.');
  git(whole, 'commit', '-q', '-m', 'ABC-5: Draw the form');
  await writeFile(join(whole, 'form.txt'), 'A better form\n');
  git(whole, 'commit', '-q', '-a', '-m', 'ABC-7: Draw it again');
  missing = git(whole, 'rev-parse', 'HEAD~1');
  signed = join(here.home, 'signed');
  await cp(whole, signed, { recursive: true });
  // The signature is not valid. A git that checks the signature starts gpg.program.
  const commit = git(whole, 'cat-file', 'commit', 'HEAD').replace(
    /\n\n/,
    '\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n',
  );
  await writeFile(join(signed, 'commit'), `${commit}\n`);
  git(signed, 'update-ref', 'refs/heads/main', git(signed, 'hash-object', '-t', 'commit', '-w', 'commit'));
  await writeFile(join(here.home, 'more'), `[core]\n\tsshCommand = ${evil}\n\tfsmonitor = ${evil}\n\tpager = ${evil}\n`);
  for (const hook of HOOKS) await cp(evil, join(here.home, 'hooks', hook));
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  oldGit = join(here.home, 'old-git');
  await mkdir(oldGit);
  await writeFile(join(oldGit, 'git'), `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec '${real}' "$@"\n`);
  await chmod(join(oldGit, 'git'), 0o755);
});
afterAll(() => here.remove());
beforeEach(() => rm(mark, { force: true }));

const suggest = (cwd: string, env = {}) => here.svc(['worklogs', 'suggest', '--git', '2031-02-04'], { cwd, env });

/** Settings of a repository with which git fetches the commit that it lacks, by each protocol. */
const FETCHES: readonly [name: string, settings: () => Readonly<Record<string, string>>][] = [
  ['core.sshCommand', () => ({ 'core.sshCommand': evil, 'remote.evil.url': 'ssh://example.com/x' })],
  [
    'core.sshCommand that protocol.ssh.allow permits',
    () => ({ 'core.sshCommand': evil, 'remote.evil.url': 'ssh://example.com/x', 'protocol.ssh.allow': 'always' }),
  ],
  ['remote.*.uploadpack', () => ({ 'remote.evil.url': whole, 'remote.evil.uploadpack': evil, 'protocol.file.allow': 'always' })],
  ['an address of ext::', () => ({ 'remote.evil.url': `ext::${evil} x`, 'protocol.ext.allow': 'always' })],
  ['core.gitProxy', () => ({ 'remote.evil.url': 'git://example.com/x', 'core.gitProxy': evil, 'protocol.git.allow': 'always' })],
  [
    'core.sshCommand of include.path',
    () => ({ 'include.path': join(here.home, 'more'), 'remote.evil.url': 'ssh://example.com/x', 'protocol.ssh.allow': 'always' }),
  ],
];

/** Settings that start a program for something else. */
const OTHERS: readonly [name: string, settings: () => Readonly<Record<string, string>>][] = [
  ['core.fsmonitor', () => ({ 'core.fsmonitor': evil })],
  ['core.pager', () => ({ 'core.pager': evil, 'pager.log': evil, 'pager.config': evil })],
  [
    'diff.external and textconv',
    () => ({ 'diff.external': evil, 'diff.evil.textconv': evil, 'diff.evil.command': evil, 'log.diffMerges': 'on' }),
  ],
  [
    'filters',
    () => ({ 'filter.evil.clean': evil, 'filter.evil.smudge': evil, 'filter.evil.process': evil, 'filter.evil.required': 'true' }),
  ],
  ['core.hooksPath', () => ({ 'core.hooksPath': join(here.home, 'hooks') })],
  ['include.path', () => ({ 'include.path': join(here.home, 'more') })],
  ['aliases', () => ({ 'alias.log': `!${evil}`, 'alias.config': `!${evil}`, 'alias.for-each-ref': `!${evil}` })],
  ['gpg.program', () => ({ 'gpg.program': evil, 'log.showSignature': 'true', 'format.pretty': '%G?' })],
  [
    'editors, helpers and proxies',
    () => ({ 'core.editor': evil, 'core.askPass': evil, 'credential.helper': evil, 'core.alternateRefsCommand': evil }),
  ],
];

/** Writes a setting as git's own file has it: `remote.evil.url` is the key `url` of the section `remote "evil"`. */
function configLines(name: string, value: string): string {
  const [section = '', ...rest] = name.split('.');
  const key = rest.pop();
  const sub = rest.length === 0 ? '' : ` "${rest.join('.')}"`;
  return `[${section}${sub}]\n\t${key} = "${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"\n`;
}

/** A repository that the person got as it is, of which a commit is missing where it is to be fetched. */
async function repository(settings: Readonly<Record<string, string>>): Promise<string> {
  const directory = join(here.home, `got-${Math.random().toString(36).slice(2)}`);
  await cp(signed, directory, { recursive: true });
  const isFetched = settings['remote.evil.url'] !== undefined;
  const partial = { 'core.repositoryFormatVersion': '1', 'extensions.partialClone': 'evil', 'remote.evil.promisor': 'true' };
  const lines = Object.entries({ ...settings, ...(isFetched && partial) }).map(([name, value]) => configLines(name, value));
  await appendFile(join(directory, '.git', 'config'), lines.join(''));
  if (isFetched) await rm(join(directory, '.git', 'objects', missing.slice(0, 2), missing.slice(2)), { force: true });
  return directory;
}

const ran = () => readFile(mark, 'utf8').catch(() => 'nothing');

describe('svc worklogs suggest --git in a foreign repository', () => {
  it.each(FETCHES)('starts no program of %s to fetch missing objects', async (_name, settings) => {
    const directory = await repository(settings());
    expect(await suggest(directory)).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no git repository to read here') });
    expect(await ran()).toBe('nothing');
  });

  it.each(FETCHES)('starts no program of %s with a git that ignores GIT_NO_LAZY_FETCH', async (_name, settings) => {
    const directory = await repository(settings());
    await suggest(directory, { PATH: `${oldGit}:${process.env['PATH']}` });
    expect(await ran()).toBe('nothing');
  });

  it.each([...FETCHES, ...OTHERS])('starts no program of %s for a bare repository inside a checkout', async (_name, settings) => {
    const checkout = join(here.home, 'checkout');
    const bare = join(checkout, 'vendor', 'bare');
    await rm(checkout, { recursive: true, force: true });
    await cp(join(await repository(settings()), '.git'), bare, { recursive: true });
    git(bare, 'config', 'core.bare', 'true');
    expect(await suggest(bare)).toMatchObject({ code: 2 });
    expect(await ran()).toBe('nothing');
  });

  it.each(OTHERS)('starts no program of %s in the repository', async (_name, settings) => {
    const { code, stdout, stderr } = await suggest(await repository(settings()));
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect(await ran()).toBe('nothing');
  });
});

it('svc worklogs suggest --git starts no git of the current directory, even if PATH contains that directory', async () => {
  const directory = await repository({});
  await cp(evil, join(directory, 'git'));
  await cp(evil, join(directory, 'bin', 'git'));
  for (const entry of ['', '.', 'bin', './bin', directory]) {
    const { code, stderr } = await suggest(directory, { PATH: `${entry}:${process.env['PATH']}` });
    expect([entry, code, stderr, await ran()]).toEqual([entry, 0, expect.stringContaining('svc sent nothing'), 'nothing']);
  }
  expect(await suggest(directory, { PATH: `:.:bin:${directory}` })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('svc could not start git'),
  });
  expect(await ran()).toBe('nothing');
});
