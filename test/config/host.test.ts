import { chmod, chown, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostTyped } from '../../src/config/resolve-host.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { sent } from '../support/sent.ts';
import { createMachine, type Machine, type SignedIn, signedIn } from '../support/svc.ts';

/** Two signed-in organisations. The first is the default. */
let here: SignedIn;
let other: Sandbox;
let second: string;
beforeEach(async () => {
  here = await signedIn();
  other = await startSandbox({ approve: true });
  second = new URL(other.origin).host;
  await here.svc(['login', second]);
  forget();
});
afterEach(async () => {
  await here.remove();
  await other.close();
});

function forget(): void {
  here.sandbox.requests.length = 0;
  other.requests.length = 0;
}

/** Returns which of the two got requests. */
function asked(): string[] {
  return [...sent(here.sandbox).map(() => 'first'), ...sent(other).map(() => 'second')];
}

async function directoryWith(content: string, below = ''): Promise<string> {
  const directory = `${here.home}/work`;
  await mkdir(`${directory}/${below}`, { recursive: true });
  await writeFile(`${directory}/.svc.json`, content);
  return below === '' ? directory : `${directory}/${below}`;
}

describe('the chosen organisation', () => {
  it('is the default organisation when you name no organisation', async () => {
    await here.svc(['me']);
    expect(asked()).toEqual(['first']);
  });

  it('comes from the .svc.json of a parent directory rather than from the default', async () => {
    await here.svc(['me'], { cwd: await directoryWith(`{"host":"${second}"}`, 'deep/down') });
    expect(asked()).toEqual(['second']);
  });

  it('comes from SVC_HOST rather than from .svc.json', async () => {
    await here.svc(['me'], { cwd: await directoryWith(`{"host":"${second}"}`), env: { SVC_HOST: here.host } });
    expect(asked()).toEqual(['first']);
  });

  it('comes from --host, at any place in the command, rather than from SVC_HOST', async () => {
    await here.svc(['--host', second, 'me'], { env: { SVC_HOST: here.host } });
    await here.svc(['me', `--host=${second}`], { env: { SVC_HOST: here.host } });
    expect(asked()).toEqual(['second', 'second']);
  });

  it('is the default organisation when SVC_HOST is empty', async () => {
    const { code, stderr } = await here.svc(['me'], { env: { SVC_HOST: '' } });
    expect([code, asked()], stderr).toEqual([0, ['first']]);
  });

  it('is the only signed-in organisation when there is no default', async () => {
    await here.svc(['logout', second]);
    await here.svc(['config', 'unset', 'host']);
    forget();
    await here.svc(['me']);
    expect(asked()).toEqual(['first']);
  });

  it('is unknown, and svc exits 2, with several sign-ins and no default', async () => {
    await here.svc(['config', 'unset', 'host']);
    const result = await here.svc(['me']);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(
      'svc: You are signed in to several organisations, and none is the default.\n  Choose an organisation: svc auth switch <host>',
    );
    expect(asked()).toEqual([]);
  });

  it('can be given as the address in the browser', async () => {
    await here.svc(['me', '--host', `http://${second}/projects/12?tab=1`]);
    expect(asked()).toEqual(['second']);
  });
});

it('an empty --host makes svc exit 2 instead of using the default', async () => {
  expect(await here.svc(['me', '--host', ''])).toMatchObject({ code: 2, stdout: '' });
  expect(asked()).toEqual([]);
});

describe('an untrusted .svc.json', () => {
  it('makes svc exit 2 when the file is a directory', async () => {
    const cwd = `${here.home}/trap`;
    await mkdir(`${cwd}/.svc.json`, { recursive: true });
    const result = await here.svc(['me'], { cwd });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`${cwd}/.svc.json is not a regular file of at most 64 KiB.`);
  });

  it.skipIf(process.platform === 'win32')('is ignored when the file is a link to a device', async () => {
    const cwd = `${here.home}/trap`;
    await mkdir(cwd);
    await symlink('/dev/zero', `${cwd}/.svc.json`);
    const result = await here.svc(['me'], { cwd });
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining(`svc does not use ${cwd}/.svc.json`) });
  });

  it('cannot choose a host that you are not signed in to', async () => {
    const cwd = await directoryWith('{"host":"evil.example.com"}');
    const result = await here.svc(['me'], { cwd });
    expect(result).toMatchObject({ code: 4, stdout: '' });
    expect(result.stderr).toContain(`${cwd}/.svc.json names evil.example.com, and you are not signed in there.`);
    expect(result.stderr).toContain('If you trust the host: svc login evil.example.com.');
    expect(asked()).toEqual([]);
  });

  it('does not make svc send SVC_TOKEN to the named host', async () => {
    const result = await here.svc(['me'], { cwd: await directoryWith(`{"host":"${second}"}`), env: { SVC_TOKEN: 'secret' } });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`svc does not send SVC_TOKEN to ${second}`);
    expect(asked()).toEqual([]);
  });

  it('cannot change settings other than the host', async () => {
    const cwd = await directoryWith(`{"host":"${second}","browser":"evil","pager":"evil","output":"yaml","editor":"evil"}`);
    const result = await here.svc(['me', '--jq', '.id'], { cwd, terminal: 80 });
    expect(result.code, result.stderr).toBe(0);
    expect((await here.svc(['config', 'list', '--jq', 'map(select(.value)) | map(.name)'], { cwd })).stdout).toBe('["host"]\n');
  });

  it.each([
    ['{', 'is not a JSON object.'],
    ['[]', 'is not a JSON object.'],
    ['{"host":5}', 'host is not a string.'],
    ['{"project":{}}', 'project is not a string.'],
    ['{"host":"two words"}', '"two words" is not a host name.'],
  ])('makes svc exit 2 and name the file with the content %j', async (content, message) => {
    const cwd = await directoryWith(content);
    for (const argv of [['me'], ['worklogs', 'add', '--minutes', '5']]) {
      const result = await here.svc(argv, { cwd });
      expect(result.code).toBe(2);
      expect(result.stderr).toContain(`${cwd}/.svc.json`);
      expect(result.stderr).toContain(message);
    }
    expect(asked()).toEqual([]);
    expect((await here.svc(['me', '--host', second], { cwd })).code).toBe(0);
  });

  it('is ignored when the file names no host', async () => {
    await here.svc(['me'], { cwd: await directoryWith('{"other":1}') });
    expect(asked()).toEqual(['first']);
  });
});

describe('SVC_TOKEN', () => {
  let fresh: Machine;
  beforeEach(async () => {
    fresh = await createMachine();
  });
  afterEach(() => fresh.remove());

  it('takes precedence over the stored tokens', async () => {
    // The token belongs to user 3, the sign-in to user 1.
    const env = { SVC_TOKEN: here.sandbox.tokens[4]?.value ?? '' };
    expect((await here.svc(['me', '--jq', '.id'], { env })).stdout).toBe('3\n');
  });

  it('needs no stored sign-in, only a host', async () => {
    const env = { SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' };
    expect((await fresh.svc(['me', '--host', here.host, '--jq', '.id'], { env })).stdout).toBe('1\n');
    const without = await fresh.svc(['me'], { env });
    expect(without.code).toBe(2);
    expect(without.stderr).toBe('svc: SVC_TOKEN is set, but svc does not know its host.\n  Set SVC_HOST, or add --host <host>.\n');
  });

  it('is used for deletes', async () => {
    const env = { SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '', SVC_HOST: here.host };
    expect((await fresh.svc(['worklogs', 'delete', '1', '--yes'], { env })).code).toBe(0);
  });

  it('makes svc exit 4 when the service refuses the token, without a request with another token', async () => {
    const result = await here.svc(['me'], { env: { SVC_TOKEN: 'wrong' } });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain('refuses the token in SVC_TOKEN');
    expect(asked()).toEqual(['first']);
  });

  it('is mentioned at a terminal, but not in a pipe or with --quiet', async () => {
    const env = { SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' };
    expect((await here.svc(['me'], { env, answers: [] })).stderr).toBe('Using the token in SVC_TOKEN.\n');
    expect((await here.svc(['me', '--quiet'], { env, answers: [] })).stderr).toBe('');
    expect((await here.svc(['me'], { env })).stderr).toBe('');
  });

  it('makes svc exit 2 without a request when the value cannot be a token', async () => {
    const result = await here.svc(['me'], { env: { SVC_TOKEN: 'two words' } });
    expect(result.code).toBe(2);
    expect(result.stderr).toBe(
      'svc: SVC_TOKEN is not a token: it has spaces or characters that no token has.\n  Copy the whole token again, and nothing else.\n',
    );
    expect(asked()).toEqual([]);
  });

  it('is ignored when blank', async () => {
    expect((await here.svc(['me', '--jq', '.id'], { env: { SVC_TOKEN: ' ' } })).stdout).toBe('1\n');
  });
});

describe('a typed host name', () => {
  const signedInTo = ['acme.example.com', 'acme-test.example.com', 'globex.example.org'];
  const typed = async (text: string) => (await hostTyped(text, async () => signedInTo)).name;

  it('stands for the only signed-in host that contains the name', async () => {
    expect(await typed('globex')).toBe('globex.example.org');
    expect(await typed('Acme-T')).toBe('acme-test.example.com');
  });

  it('is refused when several hosts contain the name', async () => {
    await expect(typed('acme')).rejects.toThrow('"acme" is a part of several hosts: acme.example.com, acme-test.example.com.');
  });

  it('counts as complete with a dot, as localhost, or when no host contains the name', async () => {
    expect(await typed('example.com')).toBe('example.com');
    expect(await typed('intranet')).toBe('intranet');
    expect(await typed('localhost')).toBe('localhost');
  });
});

describe.skipIf(process.platform === 'win32')('a .svc.json in a directory that other users can read', () => {
  let open: string;
  beforeEach(async () => {
    open = await mkdtemp('/tmp/svc-place-');
    await chmod(open, 0o755);
    await writeFile(`${open}/.svc.json`, JSON.stringify({ host: second, project: '1' }));
  });
  afterEach(() => rm(open, { recursive: true, force: true }));

  it('is used when you own the file', async () => {
    await here.svc(['me'], { cwd: open });
    expect(asked()).toEqual(['second']);
  });

  it.each([
    ['other users can write to the file', () => chmod(`${open}/.svc.json`, 0o666)],
    ['other users can write to the directory', () => chmod(open, 0o777)],
    [
      'the file belongs to another user',
      () => (process.getuid?.() === 0 ? chown(`${open}/.svc.json`, 61_002, 61_002) : chmod(open, 0o777)),
    ],
  ])('is ignored when %s, with one notice', async (_name, spoil) => {
    await spoil();
    const { code, stderr } = await here.svc(['worklogs', 'add', '1h', '--dry-run'], { cwd: open });
    expect(code).toBe(0);
    expect(stderr.split('because other users of this machine can change')).toHaveLength(2);
    expect(asked()).not.toContain('second');
  });
});

it('worklogs add with --host and a project succeeds despite a broken .svc.json', async () => {
  const cwd = await directoryWith('{broken');
  for (const words of [
    ['15m', '--project', '1'],
    ['15m', 'project:1'],
  ]) {
    const run = await here.svc(['worklogs', 'add', ...words, '--dry-run', '--host', here.host], { cwd });
    expect(run).toMatchObject({ code: 0 });
  }
  expect(await here.svc(['auth', 'status'], { cwd })).toMatchObject({ code: 0 });
  expect(await here.svc(['worklogs', 'add', '15m', '--dry-run', '--host', here.host], { cwd })).toMatchObject({ code: 2 });
});
