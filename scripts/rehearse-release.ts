/**
 * Rehearses a release without publishing it. In a clone of the last commit, a simulated person runs scripts/release.ts at a terminal (with
 * `script` of bsdutils). The result is published to an empty local registry, installed from there, and runs the demo. The registry has no
 * upstream, because svc needs no other package.
 *
 * Before that, the present version and the released one take turns at an import, and each is killed in the middle.
 *
 * The script leaves no files behind, and only reads this project, which must be built (`npm run build`).
 */
import { execFile, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), 'svc-rehearsal-'));
const copy = join(scratch, 'svc');
const config = join(scratch, 'npmrc');
/** The system whose files the rehearsal makes. All of them take too long for every run of CI. */
const SYSTEM = 'linux-x64';
/** Files that an archive must contain, relative to /usr/local. */
const IN_ARCHIVE = [
  'bin/svc',
  'lib/svc/libatomic.so.1',
  'lib/svc/libstdc++.so.6',
  'lib/svc/libgcc_s.so.1',
  'share/man/man1/svc.1',
  'share/man/man1/svc-worklogs.1',
  'share/bash-completion/completions/svc',
  'share/zsh/site-functions/_svc',
  'share/fish/vendor_completions.d/svc.fish',
  'share/doc/svc/LICENSE',
  'share/doc/svc/sbom.cdx.json',
  'lib/svc/installed-by',
  'share/doc/svc/THIRD-PARTY-NOTICES.txt',
];

/** The environment of a machine on which nobody has used npm or svc, and which is not a CI. */
const { CI: _ci, ...outer } = process.env;
const env = { ...outer, HOME: join(scratch, 'home'), npm_config_userconfig: config };

/** The page of the releases, with a version that is later than all others. */
const releases = await startReleases('999.0.0');
try {
  await mkdir(env.HOME);
  await writeFile(config, 'fund=false\naudit=false\nupdate-notifier=false\n');
  run(root, 'git', 'clone', '--quiet', root, copy);
  // A release writes nothing into node_modules. git ignores a directory of that name, but not a link.
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  await writeFile(join(copy, '.git/info/exclude'), 'node_modules\n');
  for (const setting of ['user.name Rehearsal', 'user.email rehearsal@example.com']) run(copy, 'git', 'config', ...setting.split(' '));
  // The addresses of a publisher, and a key that nobody uses again.
  run(copy, 'sed', '-i', `s#https://forge.example#${releases.url}#; s/forge.example/forge.test/`, 'package.json');
  run(copy, 'minisign', '-G', '-W', '-p', 'minisign.pub', '-s', join(scratch, 'minisign.key'));
  run(copy, 'git', 'add', '--all');
  run(copy, 'git', 'commit', '--quiet', '--message', 'Name the publisher');
  const version = laterThan(JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')).version);

  await release(version);
  if (run(copy, 'git', 'tag', '--points-at', 'HEAD').trim() !== `v${version}`) throw new Error('The release is not tagged.');
  run(join(copy, 'release'), 'sha256sum', '--check', '--quiet', 'SHA256SUMS');
  run(join(copy, 'release'), 'minisign', '-V', '-q', '-p', '../minisign.pub', '-m', 'SHA256SUMS');
  await checkArchive(`svc-${version}-${SYSTEM}`);
  run(copy, process.execPath, 'scripts/release-files.ts', join(scratch, 'again'), SYSTEM);
  run(scratch, 'diff', 'again/SHA256SUMS', join(copy, 'release/SHA256SUMS'));
  await checkDebianPackage(join(copy, 'release', `svc-cli_${version}-1_amd64.deb`), version);
  console.log(`Released svc ${version}: ${(await readdir(join(copy, 'release'))).join(', ')}`);

  const registry = await startRegistry();
  try {
    npm('publish', join(copy, 'release', `svc-cli-${version}.tgz`), '--provenance=false');
    const prefix = join(scratch, 'prefix');
    npm('install', '--global', '--prefix', prefix, 'svc-cli');
    const printed = run(scratch, join(prefix, 'bin', 'svc'), '--version').trim();
    if (printed !== `svc ${version}`) throw new Error(`The installed svc printed ${printed}.`);
    await checkUpgrade(join(prefix, 'bin/svc'), 'npm install --global svc-cli@999.0.0');
    await checkUpgrade(join(scratch, `svc-${version}-${SYSTEM}/bin/svc`), `tar -xzf svc-999.0.0-${SYSTEM}.tar.gz --strip-components=1`);
    run(
      copy,
      process.execPath,
      'scripts/release/try-upgrade.ts',
      join(root, 'bin/svc.js'),
      join(scratch, `svc-${version}-${SYSTEM}/bin/svc`),
    );
    console.log(`Published to ${registry.url} and installed from there: ${printed}\n`);
    execFileSync(process.execPath, [join(copy, 'scripts/demo.ts')], {
      env: { ...env, SVC: join(prefix, 'lib/node_modules/svc-cli/bin/svc.js') },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  } finally {
    await registry.stop();
  }
} finally {
  releases.stop();
  await rm(scratch, { recursive: true, force: true });
}

async function startReleases(version: string): Promise<{ readonly url: string; stop(): void }> {
  const server = createHttpServer((_request, response) => response.end(JSON.stringify({ version }))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, stop: () => void server.close() };
}

/** Checks that an installed svc finds the later version and prints a command for its way of installing. @throws Error if it does not. */
async function checkUpgrade(svc: string, command: string): Promise<void> {
  const { stdout } = await promisify(execFile)(svc, ['version', '--check', '--jq', '.upgrade'], { env });
  if (!stdout.includes(command)) throw new Error(`${svc} would upgrade with ${stdout}`);
}

/** Runs the release script, and types the expected answer. */
async function release(version: string): Promise<void> {
  const command = `"${process.execPath}" scripts/release.ts ${version} --checked --key ${join(scratch, 'minisign.key')} ${SYSTEM}`;
  const person = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: copy,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(person, 'close');
  const question = `type ${version}: `;
  let shown = '';
  for await (const text of person.stdout.setEncoding('utf8')) {
    const wasAsked = shown.includes(question);
    shown += text;
    if (!wasAsked && shown.includes(question)) person.stdin.write(`${version}\n`);
  }
  person.stdin.end();
  const [code] = (await closed) as [number];
  if (code !== 0) throw new Error(`scripts/release.ts ended with ${code}:\n${shown}`);
}

/** Checks the contents of the archive, and its size: at most 100 MB. @throws Error if the archive is wrong. */
async function checkArchive(name: string): Promise<void> {
  const archive = join(copy, 'release', `${name}.tar.gz`);
  const files = new Set(run(scratch, 'tar', '-tzf', archive).split('\n'));
  for (const file of IN_ARCHIVE) if (!files.has(`${name}/${file}`)) throw new Error(`The archive lacks ${file}.`);
  const { size } = await stat(archive);
  if (size > 100e6) throw new Error(`The archive is too large: ${size} bytes.`);
  run(scratch, 'tar', '-xzf', archive);
}

/** Installs the package of Debian in an empty root, runs its executable, and removes it. @throws Error if a file is left. */
async function checkDebianPackage(file: string, version: string): Promise<void> {
  const dpkg = (...args: readonly string[]) =>
    run(scratch, 'dpkg', `--root=${join(scratch, 'debian')}`, '--force-not-root', '--force-script-chrootless', '--force-depends', ...args);
  run(scratch, 'mkdir', '-p', 'debian/var/lib/dpkg/updates', 'debian/var/lib/dpkg/info');
  run(scratch, 'touch', 'debian/var/lib/dpkg/status', 'debian/var/lib/dpkg/available');
  dpkg('--install', file);
  const printed = run(scratch, join(scratch, 'debian/usr/bin/svc'), '--version').trim();
  if (printed !== `svc ${version}`) throw new Error(`The svc of the package printed ${printed}.`);
  await checkUpgrade(join(scratch, 'debian/usr/bin/svc'), 'sudo dpkg --install svc-cli_999.0.0-1_amd64.deb');
  dpkg('--purge', 'svc-cli');
  const left = run(scratch, 'find', 'debian', '-path', '*/dpkg', '-prune', '-o', '-type', 'f', '-print').trim();
  if (left !== '') throw new Error(`The package left files: ${left}`);
}

/** Installs and starts Verdaccio as a local registry without an upstream. */
async function startRegistry(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const directory = join(scratch, 'registry');
  await mkdir(directory);
  // A dependency of Verdaccio requires a tag instead of a version.
  await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, overrides: { 'node-fetch': '2.7.0' } }));
  execFileSync('npm', ['install', '--loglevel=error', '--no-save', '--ignore-scripts', '--prefix', directory, 'verdaccio@6'], {
    env,
    cwd: scratch,
  });
  const settings = {
    storage: join(directory, 'storage'),
    uplinks: {},
    packages: { '**': { access: '$all', publish: '$all' } },
    web: { enable: false },
    log: { type: 'stdout', level: 'error' },
    max_body_size: '50mb',
  };
  // JSON is also valid YAML.
  await writeFile(join(directory, 'config.yaml'), JSON.stringify(settings));
  const url = `http://127.0.0.1:${await freePort()}/`;
  const program = join(directory, 'node_modules/verdaccio/bin/verdaccio');
  const child = fork(program, ['--config', join(directory, 'config.yaml'), '--listen', url], { env, cwd: directory, stdio: 'inherit' });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('The registry ended before it was ready.');
    }),
  ]);
  await writeFile(
    config,
    `fund=false\naudit=false\nupdate-notifier=false\nregistry=${url}\n${url.replace('http:', '')}:_authToken=rehearsal\n`,
  );
  return {
    url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

function npm(...args: readonly string[]): void {
  execFileSync('npm', ['--loglevel=error', ...args], { env, cwd: scratch, stdio: ['ignore', 'ignore', 'inherit'] });
}

function run(cwd: string, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function laterThan(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return `${major}.${minor + 1}.0`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
