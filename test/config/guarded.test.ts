// svc does not use files that other users can change, and closes files that other users can read.
import { chmod, cp, lchown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
/** A directory that everybody can read, like many homes. The test directories are not. */
let open: string;
let config: string;
let env: { SVC_CONFIG_DIR: string };
beforeEach(async () => {
  here = await signedIn();
  open = await mkdtemp('/tmp/svc-guarded-');
  config = join(open, 'config');
  env = { SVC_CONFIG_DIR: config };
  await cp(join(here.home, '.config', 'svc'), config, { recursive: true });
  await rm(join(here.home, '.config', 'svc'), { recursive: true });
  await chmod(open, 0o755);
});
afterEach(async () => {
  await here.remove();
  await rm(open, { recursive: true, force: true });
});

const isUnix = process.platform !== 'win32';

describe.skipIf(!isUnix)('settings and tokens', () => {
  it('are used when only you and the administrator can write to the directory', async () => {
    await chmod(config, 0o755);
    expect(await here.svc(['me', '--jq', '.id'], { env })).toMatchObject({ code: 0, stdout: '1\n' });
  });

  it.each([
    ['the directory', () => config, 0o777],
    ['the file', () => join(config, 'config.json'), 0o666],
    ['the directory above', () => open, 0o777],
  ])('are refused when other users can write to %s, and svc prints the chmod command', async (_name, path, mode) => {
    await chmod(config, 0o755);
    await chmod(path(), mode);
    const run = await here.svc(['me'], { env });
    expect(run).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`can change ${path()}: other users can write to it`),
    });
    expect(run.stderr).toContain(`chmod go-w ${path()}`);
    expect(await here.svc(['doctor', '--output', 'json'], { env })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Own files'),
    });
    expect(await here.svc(['config', 'path'], { env })).toMatchObject({ code: 0 });
  });

  it('are used with any file mode when nobody else can enter the directory', async () => {
    await chmod(join(config, 'config.json'), 0o666);
    await chmod(open, 0o700);
    expect(await here.svc(['me', '--jq', '.id'], { env })).toMatchObject({ code: 0 });
  });

  it('in an unsafe directory are not needed when you give --host and SVC_TOKEN', async () => {
    await chmod(config, 0o777);
    const SVC_TOKEN = here.sandbox.tokens[0]?.value ?? '';
    expect(await here.svc(['me', '--host', here.host, '--jq', '.id'], { env: { ...env, SVC_TOKEN } })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('svc uses no settings'),
    });
  });

  it('are refused when other users can write to the directory of a link to the file', async () => {
    await writeFile(join(open, 'kept.json'), '{}', { mode: 0o600 });
    await mkdir(join(open, 'shared'));
    await chmod(join(open, 'shared'), 0o777);
    await symlink(join(open, 'kept.json'), join(open, 'shared', 'config.json'));
    const run = await here.svc(['config', 'list'], { env: { SVC_CONFIG_DIR: join(open, 'shared') } });
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('shared: other users can write to it') });
  });

  it.skipIf(process.getuid?.() !== 0)('are refused when the file belongs to another user', async () => {
    await lchown(join(config, 'config.json'), 61_002, 61_002);
    const run = await here.svc(['me'], { env });
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('it belongs to another user') });
  });
});

it.skipIf(!isUnix)('a token directory that other users can enter gets mode 0700, with a notice', async () => {
  const tokens = join(config, 'tokens');
  await chmod(tokens, 0o755);
  const seen = await here.svc(['doctor', '--output', 'json'], { env });
  expect(seen.code).toBe(1);
  expect(seen.stdout).toContain(`other users can open ${tokens}`);
  await chmod(tokens, 0o755);
  const run = await here.svc(['me', '--jq', '.id'], { env });
  expect(run).toMatchObject({
    code: 0,
    stdout: '1\n',
    stderr: expect.stringContaining(`could open ${tokens}, and svc has removed this permission`),
  });
  expect((await stat(tokens)).mode & 0o777).toBe(0o700);
  expect((await here.svc(['me'], { env })).stderr).toBe('');
});
