import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeKeychain } from '../auth/fixtures/fake-keychain.ts';
import { createMachine, type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn({ personalToken: true });
});
afterEach(() => here.remove());

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly what_to_do: string | null;
}

async function examine(options: RunOptions = {}, machine: Pick<SignedIn, 'svc'> = here) {
  const result = await machine.svc(['doctor'], options);
  const findings = JSON.parse(result.stdout) as Finding[];
  return { ...result, find: (check: string) => findings.find((finding) => finding.check === check), findings };
}

describe('svc doctor', () => {
  it('exits 0 when every check passes', async () => {
    const { code, stderr, findings } = await examine();
    expect([code, stderr]).toEqual([0, '']);
    expect(findings.map(({ check, status }) => [check, status])).toEqual([
      ['Node', 'ok'],
      ['Settings', 'ok'],
      ['Own files', 'ok'],
      ['Keychain', 'note'],
      ['Proxy', 'ok'],
      ['Organisation', 'ok'],
      ['Sign-in service', 'ok'],
      ['Clock', 'ok'],
      ['Sign-in', 'ok'],
      ['Personal access token', 'ok'],
    ]);
  });

  it('lists the settings that you set', async () => {
    const file = `${here.home}/.config/svc/config.json`;
    const { host } = JSON.parse(await readFile(file, 'utf8'));
    expect([host, (await examine()).find('Settings')?.detail]).toEqual([here.host, `${file}: host`]);
    await here.svc(['config', 'unset', 'host']);
    expect((await examine({ env: { SVC_HOST: here.host } })).find('Settings')?.detail).toBe(`${file}, nothing set`);
  });

  it('prints the next step under a problem in a table', async () => {
    const { stdout } = await here.svc(['doctor', '--output', 'table'], { env: { SVC_TOKEN_STORE: 'keychain' } });
    expect(stdout).toMatch(/^Node {19}ok {7}\d/);
    expect(stdout).toMatch(/^Keychain {15}problem {2}\S.*\n {32}Without a keychain, svc keeps tokens in /m);
  });

  it('prints the table lines of the checks on this machine before the first request', async () => {
    const shown: string[] = [];
    let before: string | undefined;
    const around: RunOptions['around'] = (deps) => ({
      ...deps,
      network: {
        ...deps.network,
        request(request) {
          before ??= shown.join('');
          return deps.network.request(request);
        },
      },
    });
    expect(await here.svc(['doctor', '-o', 'table'], { around, onStdout: (text) => void shown.push(text) })).toMatchObject({ code: 0 });
    expect(before).toMatch(/^Node .*\nSettings .*\nOwn files .*\nKeychain /);
    expect(before).not.toContain('Organisation');
  });

  it('suggests svc login on a new machine', async () => {
    const { code, find, stderr } = await examine({}, await createMachine());
    expect(code).toBe(1);
    expect(find('Organisation')).toMatchObject({ status: 'problem', detail: 'You are not signed in.' });
    expect(stderr).toBe('svc: There is a problem: Organisation.\n  Sign in: svc login <host>, for example svc login acme.example.com\n');
  });

  it('makes the remaining checks after a problem', async () => {
    await writeFile(`${here.home}/.config/svc/config.json`, '{');
    const { code, find } = await examine({ env: { SVC_HOST: here.host } });
    expect(code).toBe(1);
    expect(find('Settings')).toMatchObject({ status: 'problem', detail: expect.stringContaining('is not a JSON object') });
    expect(find('Organisation')).toMatchObject({ status: 'ok' });
  });

  it('reports a missing keychain as a problem when SVC_TOKEN_STORE requires a keychain', async () => {
    const { code, find } = await examine({ env: { SVC_TOKEN_STORE: 'keychain' } });
    expect([code, find('Keychain')?.status]).toEqual([1, 'problem']);
  });

  it('reports a locked keychain as a problem, and leaves no entry in an open keychain', async () => {
    const keychain = createFakeKeychain();
    const machine = await createMachine({ keychain });
    try {
      expect((await examine({}, machine)).find('Keychain')).toMatchObject({ status: 'ok', detail: 'Secret Service keyring' });
      expect(keychain.entries.size).toBe(0);
      keychain.locked = true;
      const { code, find } = await examine({}, machine);
      expect([code, find('Keychain')]).toEqual([
        1,
        expect.objectContaining({
          status: 'problem',
          detail: expect.stringContaining('locked'),
          what_to_do: expect.stringContaining('Unlock'),
        }),
      ]);
    } finally {
      await machine.remove();
    }
  });

  it('reports by how many seconds the clock of this machine is wrong', async () => {
    const { find } = await examine({ now: Date.now() - 600_000 });
    expect(find('Clock')).toMatchObject({ status: 'problem', detail: expect.stringMatching(/^(599|60[01]) s different/) });
    expect(find('Clock')?.what_to_do).toContain('Set this machine’s clock');
  });

  it('reports a host that refuses the connection', async () => {
    await here.sandbox.close();
    const { code, find } = await examine({ hurried: true });
    expect(code).toBe(1);
    expect(find('Organisation')).toMatchObject({ status: 'problem', detail: expect.stringContaining('refused the connection') });
  });

  it('reports an API that is switched off, and prints the next step', async () => {
    here.sandbox.switchApi(false);
    const { find } = await examine();
    expect(find('Sign-in service')).toMatchObject({ status: 'problem', what_to_do: expect.stringContaining('switched off') });
  });

  it('reports a sign-in that has ended', async () => {
    here.sandbox.revokeAll();
    const { find } = await examine();
    expect(find('Sign-in')).toMatchObject({ status: 'problem', what_to_do: `Sign in again: svc login ${here.host}` });
  });

  it('reports a personal access token that is missing, expires soon or has expired', async () => {
    const now = Date.now();
    const day = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
    await here.svc(['token', 'set', '--expires', day(7)], { stdin: here.sandbox.tokens[0]?.value ?? '' });
    expect((await examine()).find('Personal access token')).toMatchObject({ status: 'note', detail: `expires on ${day(7)}` });
    expect((await examine({ now: now + 9 * 86_400_000 })).find('Personal access token')).toMatchObject({
      status: 'problem',
      detail: `expired on ${day(7)}`,
    });
    await here.svc(['token', 'remove']);
    expect((await examine()).find('Personal access token')).toMatchObject({
      status: 'note',
      what_to_do: `svc token set --host ${here.host}`,
    });
  });

  it('masks the password of a proxy', async () => {
    const { find, stdout } = await examine({ env: { HTTPS_PROXY: 'http://ada:secret@proxy.example:3128' } });
    expect(find('Proxy')?.detail).toBe('HTTPS_PROXY=http://***@proxy.example:3128');
    expect(stdout).not.toContain('secret');
    const bare = await examine({ env: { HTTPS_PROXY: 'ada:secret@proxy.example:3128' } });
    expect(bare.find('Proxy')?.detail).toBe('HTTPS_PROXY=***@proxy.example:3128');
  });

  it('reports an invalid proxy address, and a proxy variable that svc does not use', async () => {
    const wrong = await examine({ env: { https_proxy: 'http://proxy:99999' } });
    expect(wrong.find('Proxy')).toMatchObject({ status: 'problem', detail: 'https_proxy is not the address of a proxy.' });
    const socks = await examine({ env: { HTTPS_PROXY: 'socks5://ada:secret@proxy.example:1080' } });
    expect(socks.find('Proxy')?.detail).toBe('HTTPS_PROXY names a SOCKS proxy, and svc supports only HTTP proxies.');
    expect(socks.stdout).not.toContain('secret');
    const other = await examine({ env: { HTTP_PROXY: 'http://proxy.example:3128' } });
    expect(other.find('Proxy')).toMatchObject({ status: 'ok', detail: expect.stringContaining('not used') });
  });

  it('checks SVC_TOKEN instead of the sign-in when SVC_TOKEN is set', async () => {
    const ok = await examine({ env: { SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' } });
    expect(ok.find('Sign-in')?.detail).toContain('with SVC_TOKEN');
    const wrong = await examine({ env: { SVC_TOKEN: 'wrong' } });
    expect(wrong.find('Sign-in')).toMatchObject({ status: 'problem', detail: expect.stringContaining('SVC_TOKEN') });
  });
});
