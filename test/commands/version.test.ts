import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { System } from '../../src/deps.ts';
import { type HttpServer, json, startHttpServer } from '../support/http-server.ts';
import { createMachine, type Machine } from '../support/svc.ts';

let machine: Machine;
let server: HttpServer;
let place: string;
beforeEach(async () => {
  machine = await createMachine();
  server = await startHttpServer();
  place = await realpath(await mkdtemp(join(tmpdir(), 'svc-place-')));
});
afterEach(async () => {
  await rm(place, { recursive: true });
  await server.close();
  await machine.remove();
});

/** Runs `svc version --check` with facts of an installation. */
function check(system: Partial<System> = {}, ...argv: readonly string[]) {
  return machine.svc(['version', '--check', '--output', 'json', ...argv], {
    around: (deps) => ({
      ...deps,
      system: { ...deps.system, version: '0.1.0', releases: `${server.origin}/svc/releases`, installedIn: place, ...system },
    }),
  });
}

/** Records a way of installing, as packages do. */
async function installedBy(method: string): Promise<void> {
  await mkdir(join(place, 'lib/svc'), { recursive: true });
  await writeFile(join(place, 'lib/svc/installed-by'), `${method}\n`);
}

describe('svc version', () => {
  it('prints the version, and sends no request', async () => {
    expect(await machine.svc(['version'])).toMatchObject({ code: 0, stdout: 'svc 0.0.0-test\n' });
    expect(server.requests).toEqual([]);
  });
});

describe('svc version --check', () => {
  it('prints the newest version and the upgrade command, without a token or name in the request', async () => {
    await installedBy('brew');
    server.fallback(json(200, { version: '0.2.0' }));
    const { code, stdout } = await check();
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { version: '0.1.0', newest: '0.2.0', is_newest: false, installed_by: 'brew', upgrade: 'brew upgrade svc' },
    ]);
    expect(server.requests.map(({ path }) => path)).toEqual(['/svc/releases/latest/download/newest.json']);
    expect(Object.keys(server.requests[0]?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host']);
  });

  it.each([
    ['0.1.0', true],
    ['0.0.9', true],
    ['0.1.1', false],
    ['0.10.0', false],
    ['1.0.0', false],
  ])('compares the parts of versions as numbers: %s', async (newest, isNewest) => {
    server.fallback(json(200, { version: newest }));
    const { stdout } = await check();
    expect(JSON.parse(stdout)).toMatchObject({ newest, is_newest: isNewest, upgrade: null });
  });

  it.each([
    ['npm', '/usr/lib/node_modules/svc-cli', 'npm install --global svc-cli@0.2.0'],
    ['npm', 'C:\\Users\\Ada\\AppData\\Roaming\\npm\\node_modules\\svc-cli', 'npm install --global svc-cli@0.2.0'],
    ['pnpm', '/home/ada/pnpm/global/5/.pnpm/svc-cli@0.1.0/node_modules/svc-cli', 'pnpm add --global svc-cli@0.2.0'],
    ['yarn', '/home/ada/.config/yarn/global/node_modules/svc-cli', 'yarn global add svc-cli@0.2.0'],
    ['mise', '/home/ada/.local/share/mise/installs/http-svc/0.1.0', null],
    ['winget', 'C:\\Users\\Ada\\AppData\\Local\\Microsoft\\WinGet\\Packages\\SvcContributors.svc', 'winget upgrade svc'],
    ['source', '/home/ada/svc', null],
  ])('recognises an installation from %s at the path %s', async (method, installedIn, upgrade) => {
    server.fallback(json(200, { version: '0.2.0' }));
    const { stdout } = await check({ installedIn });
    expect(JSON.parse(stdout)).toMatchObject({ installed_by: method, upgrade });
  });

  it('recognises an npm package in a project', async () => {
    await writeFile(join(place, 'package.json'), '{}');
    server.fallback(json(200, { version: '0.2.0' }));
    const { stdout } = await check({ installedIn: join(place, 'node_modules/svc-cli') });
    expect(JSON.parse(stdout)).toMatchObject({ installed_by: 'npm-project', upgrade: 'npm install svc-cli@0.2.0' });
  });

  it.each([
    ['deb', 'svc-cli_0.2.0-1_amd64.deb', 'sudo dpkg --install svc-cli_0.2.0-1_amd64.deb'],
    ['rpm', 'svc-cli-0.2.0-1.x86_64.rpm', 'sudo rpm --upgrade svc-cli-0.2.0-1.x86_64.rpm'],
  ])('prints a command that downloads a %s, compares its digest and installs the package', async (method, file, install) => {
    await installedBy(method);
    server.fallback(json(200, { version: '0.2.0' }));
    const { upgrade } = JSON.parse((await check()).stdout);
    const base = `${server.origin}/svc/releases/download/v0.2.0`;
    expect(upgrade).toBe(
      `curl --fail --location --remote-name ${base}/${file} --remote-name ${base}/SHA256SUMS && sha256sum --check --ignore-missing SHA256SUMS && ${install}`,
    );
  });

  it('prints no upgrade command for an unknown installation method', async () => {
    await installedBy('rm -rf /');
    server.fallback(json(200, { version: '0.2.0' }));
    expect(JSON.parse((await check()).stdout)).toMatchObject({ installed_by: 'source', upgrade: null });
  });

  it('follows at most five redirects, and no redirect to another machine without https', async () => {
    server.script(json(302, undefined, { location: '/files/newest.json' }), json(200, { version: '0.2.0' }));
    expect(JSON.parse((await check()).stdout)).toMatchObject({ newest: '0.2.0' });
    expect(server.requests.map(({ path }) => path)).toEqual(['/svc/releases/latest/download/newest.json', '/files/newest.json']);
    server.script(json(302, undefined, { location: 'http://releases.example.com/newest.json' }));
    expect(await check()).toMatchObject({ code: 8, stderr: expect.stringContaining('http://releases.example.com, which is not https') });
    server.fallback(json(302, undefined, { location: '/again' }));
    expect(await check()).toMatchObject({ code: 8, stderr: expect.stringContaining('redirects more than 5 times') });
  });

  it.each([
    ['$(reboot)', 200],
    ['0.2', 200],
    ['0.2.0-rc.1', 200],
    [7, 200],
    ['0.2.0', 500],
  ])('refuses the unreadable answer %s with status %s', async (version, status) => {
    server.fallback(json(status, { version }));
    expect(await check()).toMatchObject({ code: 8, stdout: '', stderr: expect.stringContaining('is unreadable') });
  });

  it('sends no request offline', async () => {
    for (const argv of [['--offline'], ['--max-age', '1h']])
      expect(await check({}, ...argv)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('reads the local database') });
    await machine.svc(['config', 'set', 'offline', 'true']);
    expect(await check()).toMatchObject({ code: 2, stdout: '' });
    expect(server.requests).toEqual([]);
  });

  it('exits 3 when no version is published, and when svc has no address of releases', async () => {
    server.fallback(json(404));
    expect(await check()).toMatchObject({ code: 3, stderr: expect.stringContaining('has no published version') });
    expect(await check({ releases: 'https://forge.example/svc/releases' })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('built without an address'),
    });
  });
});

it('svc version --check prints a command that installs the newest version over an unpacked archive', async () => {
  await installedBy('archive');
  server.fallback(json(200, { version: '0.2.0' }));
  // The directory has characters that a shell would change.
  const odd = join(place, "Ada's tools");
  await mkdir(join(odd, 'lib/svc'), { recursive: true });
  await writeFile(join(odd, 'lib/svc/installed-by'), 'archive\n');
  const { upgrade } = JSON.parse((await check({ installedIn: odd })).stdout);
  const exec = promisify(execFile);
  await exec(
    'sh',
    ['-c', 'mkdir -p svc-0.2.0-linux-x64/bin && echo new > svc-0.2.0-linux-x64/bin/svc && tar -czf made.tar.gz svc-0.2.0-linux-x64'],
    { cwd: place },
  );
  const { stdout: archive } = await exec('cat', ['made.tar.gz'], { cwd: place, encoding: 'buffer' });
  const { stdout: digest } = await exec('sha256sum', ['made.tar.gz'], { cwd: place });
  server.fallback(
    ({ path }, response) =>
      void response.end(path.endsWith('SHA256SUMS') ? digest.replace('made.tar.gz', 'svc-0.2.0-linux-x64.tar.gz') : archive),
  );
  await exec('sh', ['-c', upgrade], { cwd: place });
  expect((await exec('cat', ['bin/svc'], { cwd: odd })).stdout).toBe('new\n');
});
