// svc looks for these files in the working directory, although nobody named them. A stranger can have put them there.
import { execFileSync } from 'node:child_process';
import { chmod, lchown, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

const MALLORY = 61_002;
const isRoot = process.getuid?.() === 0;

let here: SignedIn;
/** A directory that everybody can read, like many homes. Nobody else can enter the test directories. */
let cwd: string;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(async () => {
  cwd = await mkdtemp('/tmp/svc-unnamed-');
  await chmod(cwd, 0o755);
  here.sandbox.requests.length = 0;
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

/** Files that decide the work item. The last file of each list is the one that svc checks. */
const PLACES: Readonly<Record<string, readonly (readonly [name: string, text: string])[]>> = {
  '.svc.json': [['.svc.json', '{"work_item": 5}']],
  '.git/HEAD': [['.git/HEAD', 'ref: refs/heads/ABC-5\n']],
  '.git of a worktree': [
    ['kept/HEAD', 'ref: refs/heads/ABC-5\n'],
    ['.git', 'gitdir: kept\n'],
  ],
  'HEAD of a worktree': [
    ['.git', 'gitdir: kept\n'],
    ['kept/HEAD', 'ref: refs/heads/ABC-5\n'],
  ],
};

/** Writes the files, and returns the path of the checked one. */
async function put(place: string): Promise<string> {
  let path = '';
  for (const [name, text] of PLACES[place] ?? []) {
    path = join(cwd, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await writeFile(path, text, { mode: 0o644 });
  }
  return path;
}

const add = () => here.svc(['worklogs', 'add', '1h', 'Review', '--no-check'], { cwd });
const posted = () => here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
const placeless = [expect.not.objectContaining({ work_item_id: expect.anything() })];

describe.skipIf(process.platform === 'win32').each(Object.keys(PLACES))('the file %s in the working directory', (place) => {
  it('is used when you own the file', async () => {
    await put(place);
    expect(await add()).toMatchObject({ code: 0 });
    expect(posted()).toMatchObject([{ work_item_id: 5 }]);
  });

  it.each([
    ['other users can write to the file', (path: string) => chmod(path, 0o666)],
    ['other users can write to the directory', (path: string) => chmod(dirname(path), 0o777)],
    ['the file is a link to a device', (path: string) => rm(path).then(() => symlink('/dev/zero', path))],
  ])('is ignored when %s, with one notice', async (_name, spoil) => {
    await spoil(await put(place));
    const { code, stderr } = await add();
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual(placeless);
    expect(stderr.split('because other users of this machine can change')).toHaveLength(2);
  });

  it.runIf(isRoot)('is ignored when the file belongs to another user (skipped except for root)', async () => {
    await lchown(await put(place), MALLORY, MALLORY);
    const { code, stderr } = await add();
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual(placeless);
    expect(stderr).toContain('it belongs to another user');
  });

  it.each([
    ['a named pipe', (path: string) => rm(path).then(() => void execFileSync('mkfifo', ['-m', '644', path]))],
    ['larger than 64 KiB', (path: string) => writeFile(path, ' '.repeat(64 * 1024 + 1))],
  ])('is refused when the file is %s', async (_name, spoil) => {
    const path = await put(place);
    await spoil(path);
    expect(await add()).toMatchObject({ code: 2, stderr: expect.stringContaining(`${path} is not a regular file of at most 64 KiB.`) });
    expect(posted()).toEqual([]);
  });
});

it('svc ignores a worktree whose path names another machine', async () => {
  await writeFile(join(cwd, '.git'), `gitdir: /${cwd}/kept\n`);
  await mkdir(join(cwd, 'kept'));
  await writeFile(join(cwd, 'kept', 'HEAD'), 'ref: refs/heads/ABC-5\n');
  expect(await add()).toMatchObject({ code: 0 });
  expect(posted()).toEqual(placeless);
});
