/** What svc leaves behind, tried by another user of the machine. Run by root, since it takes two users. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';

const ADA = 61_001;
const MALLORY = 61_002;
const canBeOthers = process.platform === 'linux' && process.getuid?.() === 0;

let root: string;
let home: string;
let sandbox: Sandbox;
beforeAll(async () => {
  root = await mkdtemp('/tmp/svc-other-');
  await chmod(root, 0o755);
  await cp(inject('bundle'), join(root, 'svc'), { recursive: true, verbatimSymlinks: true });
  await cp(process.execPath, join(root, 'node'));
  await run(0, 'chmod', ['-R', 'a+rX', join(root, 'svc'), join(root, 'node')]);
  // As many systems make a home: others may look in.
  home = join(root, 'home');
  await mkdir(home);
  await chmod(home, 0o755);
  await chown(home, ADA, ADA);
  sandbox = await startSandbox({ approve: true });
});
afterAll(async () => {
  await sandbox.close();
  await rm(root, { recursive: true, force: true });
});

async function run(
  uid: number,
  command: string,
  args: readonly string[],
  input = '',
  cwd = '/',
): Promise<{ code: number | null; text: string }> {
  const env = {
    HOME: home,
    SVC_TOKEN_STORE: 'file',
    SVC_BROWSER: '/usr/bin/curl -sL -o /dev/null',
    PATH: '/usr/bin:/bin',
    SVC_CONFIG_DIR: '',
  };
  const child = spawn(command, args, { cwd, uid, gid: uid, env });
  child.stdin.on('error', () => undefined).end(input);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => {
      text += String(piece);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

const svc = (argv: readonly string[], input = '', cwd = '/') =>
  run(ADA, join(root, 'node'), [join(root, 'svc', 'bin', 'svc.js'), ...argv], input, cwd);
const find = async (...test: string[]) =>
  (await run(MALLORY, 'find', [home, ...test])).text.split('\n').filter((line) => line.startsWith('/'));

describe.skipIf(!canBeOthers)('another user of the machine', () => {
  it('cannot read or change tokens, settings, journal, cache, exports and local databases', async () => {
    const host = new URL(sandbox.origin).host;
    for (const [argv, input] of [
      [['login', host]],
      [['token', 'set'], sandbox.tokens[0]?.value],
      [['config', 'set', 'output', 'json']],
      [['worklogs', 'add', '--minutes', '5']],
      [['labels', 'list']],
      [['export', join(home, 'out'), 'projects', 'users']],
      [['sync', 'labels', 'users']],
      [['sync', 'labels', '--to', join(home, 'labels.sqlite')]],
      [['worklogs', 'add', '--minutes', '5', '--plan', join(home, 'hours.plan')]],
      [['sql', 'SELECT count(*) FROM labels']],
    ] as [string[], string?][]) {
      const { code, text } = await svc(argv, input);
      expect([argv.join(' '), code, code === 0 ? '' : text]).toEqual([argv.join(' '), 0, '']);
    }
    // It is there, and a lot of it.
    const files = (await run(ADA, 'find', [home, '-type', 'f'])).text.trim().split('\n');
    for (const part of ['tokens', 'config.json', 'journal', 'code', 'out/projects.ndjson', 'mirror', 'labels.sqlite', 'hours.plan'])
      expect(
        files.some((file) => file.includes(part)),
        part,
      ).toBe(true);
    expect(await find('-type', 'f', '-readable')).toEqual([]);
    expect(await find('-writable')).toEqual([]);
  });

  it('cannot choose a work item, block svc or run code through their own directory', async () => {
    const theirs = join(root, 'theirs');
    await mkdir(theirs);
    await chown(theirs, MALLORY, MALLORY);
    const plant = (script: string) => run(MALLORY, 'sh', ['-c', script], '', theirs);
    const host = new URL(sandbox.origin).host;
    const add = () => svc(['worklogs', 'add', '10m', 'Here', '--no-check', '--host', host], '', theirs);
    for (const script of [
      'mkdir .git && echo "ref: refs/heads/ABC-5" > .git/HEAD',
      'rm .git/HEAD && mkfifo .git/HEAD',
      'rm .git/HEAD && ln -s /dev/zero .git/HEAD',
      'rm -r .git && mkfifo .git',
      'rm .git && echo "{\\"work_item\\": 5}" > .svc.json',
      'rm .svc.json && mkfifo .svc.json',
    ]) {
      expect(await plant(script), script).toEqual({ code: 0, text: '' });
      const before = sandbox.requests.length;
      const { code, text } = await add();
      expect([script, code, text]).toEqual([script, 0, expect.stringContaining('it belongs to another user')]);
      const bodies = sandbox.requests.slice(before).filter(({ method }) => method === 'POST');
      expect(bodies.map(({ body }) => JSON.parse(body))).toEqual([expect.not.objectContaining({ work_item_id: 5 })]);
    }
    await plant(`git init -q; git config core.fsmonitor 'touch ${theirs}/ran'; git config core.sshCommand 'touch ${theirs}/ran'`);
    expect(await svc(['worklogs', 'suggest', '--git', '--author', 'ada@example.com', '--host', host], '', theirs)).toMatchObject({
      code: 2,
    });
    expect((await plant('ls ran')).code).not.toBe(0);
  });
});

it.skipIf(!canBeOthers)('svc queries a database in a directory without write access', async () => {
  const directory = join(root, 'read-only');
  await mkdir(directory);
  await chown(directory, ADA, ADA);
  const file = join(directory, 'labels.sqlite');
  expect(await svc(['sync', 'labels', '--to', file])).toMatchObject({ code: 0 });
  await chmod(directory, 0o500);
  const { code, text } = await svc(['sql', 'SELECT count(*) AS n FROM labels', '--db', file]);
  expect([code, text]).toEqual([0, expect.stringMatching(/"n": ?[1-9]/)]);
});
