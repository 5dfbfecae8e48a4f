// Tests svc as npm installs it, run by Node for Windows under Wine. The service runs on Linux. docs/guides/platforms.md lists the behaviour
// that Wine can’t show.
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { SVC_VERSION } from '../../src/version.ts';
import { createWindows, hasWine, type WindowsMachine } from './machine.ts';
import { powerShellMistakes } from './power-shell.ts';

describe.skipIf(!hasWine && process.env['SVC_TEST_WINE'] !== 'required')('svc on Windows (skipped where there is no Wine)', () => {
  let windows: WindowsMachine;
  let sandbox: Sandbox;
  let host: string;
  beforeAll(async () => {
    sandbox = await startSandbox({ limits: 'off' });
    host = new URL(sandbox.origin).host;
    windows = await createWindows();
  });
  afterAll(async () => {
    await windows?.remove();
    await sandbox?.close();
  });

  const ok = { code: 0, stderr: '' };
  const signIn = (env: Record<string, string> = {}) => windows.svc(['login', host], { SVC_BROWSER: windows.browser, ...env });
  const sentTo = (path: string) => sandbox.requests.filter((request) => request.path === path);

  test('prints its version, its help, and paths with one kind of separator', async () => {
    expect(await windows.svc(['--version'])).toEqual({ ...ok, stdout: `svc ${SVC_VERSION}\n` });
    expect(await windows.svc(['worklogs', 'add', '--help'])).toMatchObject({ ...ok, stdout: expect.stringContaining('svc worklogs add') });
    expect(await windows.svc(['config', 'path'])).toEqual({ ...ok, stdout: `${windows.appData}\\svc\\config.json\n` });
    const { stdout } = await windows.svc(['doctor', '--output', 'json']);
    const { detail } = JSON.parse(stdout).find(({ check }: { check: string }) => check === 'Keychain');
    expect(detail).toContain('Windows Credential Manager');
    // A path contains no slash after a backslash.
    expect(stdout).not.toMatch(/\\\S*\/\S/);
  });

  test('stores settings in %APPDATA%', async () => {
    expect(await windows.svc(['config', 'set', 'timezone', 'Europe/Amsterdam'])).toMatchObject({ code: 0 });
    const file = windows.onLinux(`${windows.appData}\\svc\\config.json`);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ timezone: 'Europe/Amsterdam' });
    expect(await windows.svc(['config', 'unset', 'timezone'])).toMatchObject({ code: 0 });
  });

  test('signs in with the browser, and stores the tokens in the Credential Manager', async () => {
    expect(await signIn()).toMatchObject({ code: 0, stderr: expect.stringContaining('Windows Credential Manager') });
    const { stdout } = await windows.svc(['auth', 'status', '--jq', '.[].kept_in']);
    expect(stdout).toBe('Windows Credential Manager\n');
    expect(sandbox.events.signIns).toBe(1);
    expect(existsSync(windows.onLinux(`${windows.appData}\\svc\\tokens`))).toBe(false);
  });

  // By hand, with SVC_TEST_EXECUTABLE=1, since Wine takes minutes for it. The release’s executable has Node 26, which does not start here. The
  // rest of the executable is the same.
  const byHand = process.env['SVC_TEST_EXECUTABLE'] === undefined ? () => undefined : test;
  byHand(
    'runs as one executable, and reads the tokens from the Credential Manager',
    async () => {
      expect(await windows.executable(['--version'])).toEqual({ ...ok, stdout: `svc ${SVC_VERSION}\n` });
      expect(await windows.executable(['labels', '--help'])).toMatchObject({ ...ok, stdout: expect.stringContaining('svc labels') });
      expect(await windows.executable(['me', '--jq', '.id'])).toEqual({ ...ok, stdout: '1\n' });
      expect(await windows.executable(['no-such-command'])).toMatchObject({ code: 2, stdout: '' });
      // The first call also makes the executable.
    },
    480_000,
  );

  test('writes, lists, prints CSV, and refuses to delete without a personal access token', async () => {
    const add = ['worklogs', 'add', '--minutes', '90', '--description', 'Zoë “quotes” & 100 %'];
    const { code, stdout } = await windows.svc(add);
    expect(code).toBe(0);
    const { id } = JSON.parse(stdout);
    expect(await windows.svc(['worklogs', 'get', String(id), '--jq', '.description'])).toEqual({ ...ok, stdout: 'Zoë “quotes” & 100 %\n' });
    const csv = await windows.svc([
      'worklogs',
      'list',
      '--user',
      'me',
      '--from',
      'today',
      '--sort',
      '-id',
      '--limit',
      '1',
      '--output',
      'csv',
      '--fields',
      'id,minutes',
    ]);
    expect(csv).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^id,minutes\r?\n${id},90\r?\n$`)) });
    const before = sandbox.requests.length;
    expect(await windows.svc(['worklogs', 'delete', String(id), '--yes'])).toMatchObject({ code: 4 });
    expect(sandbox.requests.length).toBe(before);
  });

  test('records a write in the journal in %LOCALAPPDATA%', async () => {
    expect(await windows.svc(['worklogs', 'add', '--minutes', '15'])).toMatchObject({ code: 0 });
    const { stdout } = await windows.svc(['history', '--limit', '1', '--output', 'json']);
    expect(JSON.parse(stdout)).toHaveLength(1);
    const local = windows.appData.replace('Roaming', 'Local');
    expect(await readdir(windows.onLinux(`${local}\\svc\\state\\journal`))).not.toEqual([]);
  });

  test('refreshes once for eight processes with an expired access token, and all processes succeed', async () => {
    const before = sandbox.events.refreshes;
    sandbox.expireAccessTokens();
    // The answer is so slow that the other processes must wait for it.
    sandbox.setFaults([{ method: 'POST', path: '/oauth/token', delayMs: 4_000 }]);
    const crowd = await Promise.all(Array.from({ length: 8 }, () => windows.svc(['me', '--jq', '.id'])));
    sandbox.setFaults([]);
    expect(crowd.map(({ code, stdout, stderr }) => (code === 0 ? stdout : stderr))).toEqual(crowd.map(() => '1\n'));
    expect(sandbox.events.refreshes).toBe(before + 1);
  });

  test('does not wait for a killed process that had the lock', async () => {
    sandbox.expireAccessTokens();
    const before = sentTo('/oauth/token').length;
    sandbox.setFaults([{ method: 'POST', path: '/oauth/token', delayMs: 30_000, status: 503 }]);
    const refreshing = windows.start(['auth', 'refresh']);
    await vi.waitFor(() => expect(sentTo('/oauth/token').length).toBeGreaterThan(before), { timeout: 20_000 });
    refreshing.kill();
    await refreshing.ended;
    sandbox.setFaults([]);
    expect(await windows.svc(['me', '--jq', '.id'])).toEqual({ ...ok, stdout: '1\n' });
  });

  test('exports records, and imports a file with CRLF line ends', async () => {
    expect(await windows.svc(['export', 'C:\\backup', 'labels', 'work-types', '--format', 'csv'])).toMatchObject({ code: 0 });
    const names = await readdir(windows.onLinux('C:\\backup'));
    expect(names).toEqual(expect.arrayContaining(['labels.csv', 'labels.ndjson', 'manifest.json', 'work-types.csv']));
    const rows = ['date,minutes,description', '2026-03-02,60,One', '2026-03-03,45,"Two, too"'];
    await writeFile(windows.onLinux('C:\\hours.csv'), rows.map((row) => `${row}\r\n`).join(''));
    expect(await windows.svc(['worklogs', 'import', 'C:\\hours.csv', '--yes'])).toMatchObject({ code: 0 });
    const { stdout } = await windows.svc([
      'worklogs',
      'list',
      '--user',
      'me',
      '--from',
      '2026-03-02',
      '--to',
      '2026-03-03',
      '--jq',
      'map([.minutes, .description])',
    ]);
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        [60, 'One'],
        [45, 'Two, too'],
      ]),
    );
    // A second import of the same file creates nothing.
    const before = sandbox.rows('worklogs').length;
    await windows.svc(['worklogs', 'import', 'C:\\hours.csv', '--yes']);
    expect(sandbox.rows('worklogs').length).toBe(before);
  });

  test('keeps quoted words and exit codes in cmd, and reads SVC_BROWSER of cmd', async () => {
    const said = await windows.cmd(['svc worklogs add --minutes 5 --description "Two words" --jq .description']);
    expect(said).toEqual({ ...ok, stdout: 'Two words\n' });
    expect(await windows.cmd(['svc worklogs get 999999999'])).toMatchObject({ code: 3 });
    // `set A="b"` keeps the quotes, and so does `set "A="b""`.
    const signIns = sandbox.events.signIns;
    for (const line of [`set SVC_BROWSER=${windows.browser}`, `set "SVC_BROWSER=${windows.browser}"`]) {
      expect(await windows.cmd([line, `svc login ${host}`])).toMatchObject({ code: 0 });
    }
    expect(sandbox.events.signIns).toBe(signIns + 2);
  });

  test('starts no git, sh or browser of the current directory', async () => {
    const trap = windows.onLinux('C:\\checkout');
    await mkdir(trap);
    // Links give Node other names. Node refuses the arguments for git and sh with 9, and acts as the browser.
    for (const name of ['git', 'sh', 'browse']) await link(windows.onLinux('C:\\Program Files\\nodejs\\node.exe'), `${trap}/${name}.exe`);
    const there = (line: string) => windows.cmd(['cd /d C:\\checkout', line]);
    expect(await there('svc worklogs suggest --git')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('svc could not start git'),
    });
    expect(await there('svc alias set hello "!echo hello"')).toMatchObject({ code: 0 });
    expect(await there('svc hello')).toMatchObject({ code: 1, stderr: expect.stringContaining('svc could not start sh') });
    const open = (browser: string, mark: string) =>
      windows.cmd([
        'cd /d C:\\checkout',
        `set SVC_BROWSER=${browser} -e "require('fs').writeFileSync('C:/${mark}', '')"`,
        'svc work-items get 1 --web',
      ]);
    const isRun = (mark: string) => existsSync(windows.onLinux(`C:\\${mark}`));
    await open('browse', 'by-name');
    // The path of this program decides.
    await open('.\\browse', 'by-path');
    await vi.waitFor(() => expect(isRun('by-path')).toBe(true), { timeout: 20_000 });
    expect(isRun('by-name')).toBe(false);
  });

  test('signs out, and exits 4 for the next command', async () => {
    expect(await windows.svc(['logout'])).toMatchObject({ code: 0 });
    expect(sandbox.apps).toEqual([]);
    expect(await windows.svc(['me'])).toMatchObject({ code: 4, stderr: expect.stringContaining('You are not signed in') });
  });

  test('stores tokens in files instead of the keychain, without a message about modes', async () => {
    const files = { SVC_TOKEN_STORE: 'file' };
    expect(await signIn(files)).toMatchObject({ code: 0 });
    expect(await readdir(windows.onLinux(`${windows.appData}\\svc\\tokens`))).toContain(`${encodeURIComponent(host)}.json`);
    const { code, stdout, stderr } = await windows.svc(['doctor', '--output', 'json'], files);
    expect({ code, stderr }).toEqual(ok);
    expect(stdout).not.toMatch(/others|chmod|0600/);
    expect(await windows.svc(['logout'], files)).toMatchObject({ code: 0 });
  });

  test('writes the completion for PowerShell next to the settings, with one kind of separator', async () => {
    const script = `${windows.appData}\\svc\\completion.ps1`;
    expect(await windows.svc(['completion', 'powershell', '--install'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`. '${script}'`),
    });
    const text = await readFile(windows.onLinux(script), 'utf8');
    expect(text).toContain('Register-ArgumentCompleter');
    expect(await powerShellMistakes(text)).toEqual([]);
    expect(await powerShellMistakes("@{ 'a' = @('b' }")).not.toEqual([]);
  });

  test('stores, replaces and removes tokens in the Credential Manager and in files', async () => {
    const { code, stdout, stderr } = await windows.run(fileURLToPath(new URL('inside/stores.ts', import.meta.url)));
    expect({ code, stderr }).toEqual(ok);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
    expect(lines).toHaveLength(16);
  });
});
