import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { writeManifests } from '../../scripts/release/manifests.ts';
import { readPublisher, requireAddresses } from '../../scripts/release/publisher.ts';
import { isSystemName, nodeVersion, SYSTEMS } from '../../scripts/release/systems.ts';
import { unsignedNode } from '../../scripts/standalone/signature.ts';

const manifest = JSON.parse(await readFile('package.json', 'utf8'));

describe('the npm package', () => {
  it('has no dependencies and no install script', () => {
    for (const field of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'])
      expect(manifest).not.toHaveProperty(field);
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|publish)$|^prepare$/.test(name))).toEqual([]);
  });

  it('has addresses under its home page, and is not released with the example addresses', async () => {
    const publisher = await readPublisher();
    const [base = ''] = /^https:\/\/[^/]+\/[^/]+\/[^/#]+/.exec(publisher.homepage) ?? [];
    expect(publisher).toMatchObject({
      bugs: `${base}/issues`,
      releases: `${base}/releases`,
      repository: { type: 'git', url: `git+${base}.git` },
    });
    expect(() => requireAddresses(publisher)).toThrow('package.json has addresses that lead nowhere');
    const set = JSON.parse(JSON.stringify(publisher).replaceAll('.example', '.test'));
    expect(() => requireAddresses(set)).not.toThrow();
  });

  it('has its addresses in package.json, and the integrations and the guide have the same addresses', async () => {
    const { homepage, releases } = await readPublisher();
    const files = globSync('integrations/**/*', { withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = ['docs/guides/install.md', ...files.map(({ parentPath, name }) => join(parentPath, name))];
    const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    const addresses = texts.flatMap((text) => text.match(/https?:\/\/\S+?(?:\/releases\b|#readme)/g) ?? []);
    expect(new Set(addresses)).toEqual(new Set([homepage, releases]));
    expect(texts.join('').match(/\.example\/\S+/g)?.length).toBe(addresses.length);
  });
});

it('the lockfile has the digest of Node for each system, in one version', async () => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const names = Object.keys(SYSTEMS).filter(isSystemName);
  const [version = '', ...others] = new Set(await Promise.all(names.map(nodeVersion)));
  expect(others).toEqual([]);
  for (const name of names)
    expect(packages[`node_modules/${SYSTEMS[name].node}`]).toMatchObject({ version, integrity: expect.any(String) });
});

const here = `${process.platform}-${process.arch}`;
const isReleased = isSystemName(here) && `v${await nodeVersion(here)}` === process.version;

it.skipIf(!isReleased)('the executables have the Node that the project runs on', async () => {
  const digest = createHash('sha256')
    .update(await readFile(process.execPath))
    .digest('hex');
  expect(Object.values(SYSTEMS).map(({ sha256 }) => sha256)).toContain(digest);
});

describe.skipIf(process.platform === 'win32')('bin/svc of the archive for macOS', () => {
  it('runs the Node and the bundle of its own directory, through links', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc macos-'));
    try {
      // The same layout, with the Node of this system.
      const place = join(directory, 'Cellar/lib/svc');
      await cp(inject('bundle'), place, { recursive: true });
      execFileSync(
        'sh',
        [
          '-c',
          'mkdir -p Cellar/bin bin && ln -s "$0" Cellar/lib/svc/node && cp "$1" Cellar/bin/svc && chmod +x Cellar/bin/svc',
          process.execPath,
          join(process.cwd(), 'scripts/standalone/svc.sh'),
        ],
        { cwd: directory },
      );
      execFileSync('sh', ['-c', 'ln -s ../Cellar/bin/svc bin/linked && ln -s "$PWD/bin/linked" bin/svc'], { cwd: directory });
      for (const path of ['Cellar/bin/svc', 'bin/linked', 'bin/svc'])
        expect(execFileSync(join(directory, path), ['--version'], { cwd: '/', env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' })).toBe(
          `svc ${manifest.version}\n`,
        );
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('Node for Windows', () => {
  it('loses its signature, and a program without a signature is refused', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-signature-'));
    try {
      const [node, copy] = [join(directory, 'node.exe'), join(directory, 'copy.exe')];
      // The header of a 64-bit program, with a signature of 16 bytes at the end.
      const program = Buffer.alloc(1024, 1);
      program.writeUInt32LE(0x80, 0x3c);
      program.write('PE\0\0', 0x80);
      program.writeUInt16LE(0x20b, 0x80 + 24);
      program.writeUInt32LE(1008, 0x80 + 24 + 144);
      program.writeUInt32LE(16, 0x80 + 24 + 148);
      await writeFile(node, program);
      await unsignedNode(node, copy);
      const unsigned = await readFile(copy);
      expect([unsigned.length, unsigned.readBigUInt64LE(0x80 + 24 + 144)]).toEqual([1008, 0n]);
      await expect(unsignedNode(copy, join(directory, 'again.exe'))).rejects.toThrow('has no signature at its end');
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('the manifests of package managers', () => {
  const digests = new Map<string, string>();
  const made = async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-manifests-'));
    for (const system of Object.keys(SYSTEMS)) {
      const file = `svc-${manifest.version}-${system}.${system.startsWith('win32') ? 'zip' : 'tar.gz'}`;
      await writeFile(join(directory, file), system);
      digests.set(system, execFileSync('sha256sum', [join(directory, file)], { encoding: 'utf8' }).slice(0, 64));
    }
    const names = await writeManifests(directory, await readPublisher());
    const texts = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const)),
    );
    await rm(directory, { recursive: true });
    return texts;
  };
  const address = (system: string, end = 'tar.gz') =>
    `${manifest.releases}/download/v${manifest.version}/svc-${manifest.version}-${system}.${end}`;

  it('name the address and the digest of each archive for Linux and macOS', async () => {
    const texts = await made();
    for (const system of ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'])
      for (const name of ['svc.rb', 'mise.toml', 'flake.nix']) {
        expect(texts[name]).toContain(`"${address(system)}"`);
        expect(texts[name]).toContain(digests.get(system));
      }
  });

  it('include a manifest for Scoop with the members that Scoop requires', async () => {
    const scoop = JSON.parse((await made())['svc.json'] ?? '');
    expect(scoop).toMatchObject({
      version: manifest.version,
      homepage: manifest.homepage,
      license: 'MIT',
      architecture: { '64bit': { url: address('win32-x64', 'zip'), hash: digests.get('win32-x64') } },
      bin: 'bin\\svc.exe',
    });
  });

  it('for winget have the members that its three schemas require', async () => {
    const texts = await made();
    const { load } = await import('js-yaml');
    const [installer, locale, version] = ['.installer', '.locale.en-GB', ''].map((part) =>
      load(texts[`winget/SvcContributors.svc${part}.yaml`] ?? ''),
    );
    const common = { PackageIdentifier: 'SvcContributors.svc', PackageVersion: manifest.version, ManifestVersion: '1.6.0' };
    expect(version).toEqual({ ...common, DefaultLocale: 'en-GB', ManifestType: 'version' });
    expect(locale).toMatchObject({
      ...common,
      PackageLocale: 'en-GB',
      Publisher: manifest.author.name,
      PackageName: 'svc',
      License: 'MIT',
      ManifestType: 'defaultLocale',
    });
    expect((locale as { ShortDescription: string }).ShortDescription.length).toBeLessThanOrEqual(256);
    expect(installer).toMatchObject({
      ...common,
      InstallerType: 'zip',
      NestedInstallerType: 'portable',
      Installers: [
        { Architecture: 'x64', InstallerUrl: address('win32-x64', 'zip'), InstallerSha256: digests.get('win32-x64')?.toUpperCase() },
      ],
      ManifestType: 'installer',
    });
  });
});
