import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addressOf, type Publisher } from './publisher.ts';
import type { SystemName } from './systems.ts';

/** The identifier of svc in winget: publisher, then name. */
const WINGET_ID = 'SvcContributors.svc';

/**
 * Writes the manifests of package managers that install the archives: `svc.rb` (Homebrew), `svc.json` (Scoop), `winget/`, `mise.toml` and
 * `flake.nix`. Each names the digests of the archives.
 *
 * @param directory The directory with the archives for all systems.
 * @returns the paths of the manifests, relative to the directory.
 */
export async function writeManifests(directory: string, publisher: Publisher): Promise<readonly string[]> {
  const archives = new Map<SystemName, Archive>();
  for (const system of ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'] as const) {
    const file = `svc-${publisher.version}-${system}.${system === 'win32-x64' ? 'zip' : 'tar.gz'}`;
    const sha256 = createHash('sha256')
      .update(await readFile(join(directory, file)))
      .digest('hex');
    archives.set(system, { url: addressOf(publisher, file), sha256 });
  }
  const archiveFor = (system: SystemName): Archive => {
    const found = archives.get(system);
    if (found === undefined) throw new Error(`There is no archive for ${system}.`);
    return found;
  };
  const manifests = {
    'svc.rb': homebrewFormula(publisher, archiveFor),
    'svc.json': scoopManifest(publisher, archiveFor('win32-x64')),
    ...wingetManifests(publisher, archiveFor('win32-x64')),
    'mise.toml': miseSettings(publisher, archiveFor),
    'flake.nix': nixFlake(publisher, archiveFor),
  };
  for (const [name, text] of Object.entries(manifests)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return Object.keys(manifests);
}

interface Archive {
  readonly url: string;
  readonly sha256: string;
}

type ArchiveFor = (system: SystemName) => Archive;

const SUMMARY = 'Command line for project work, time tracking and billing';

function homebrewFormula({ version, license, homepage }: Publisher, archiveFor: ArchiveFor): string {
  const source = (system: SystemName) => `url "${archiveFor(system).url}"\n      sha256 "${archiveFor(system).sha256}"`;
  return `class Svc < Formula
  desc "${SUMMARY}"
  homepage "${homepage}"
  version "${version}"
  license "${license}"

  on_macos do
    on_arm do
      ${source('darwin-arm64')}
    end
    on_intel do
      ${source('darwin-x64')}
    end
  end

  on_linux do
    on_arm do
      ${source('linux-arm64')}
    end
    on_intel do
      ${source('linux-x64')}
    end
  end

  def install
    (buildpath/"lib/svc/installed-by").atomic_write "brew\\n"
    bin.install "bin/svc"
    lib.install "lib/svc"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/svc"
    zsh_completion.install "share/zsh/site-functions/_svc"
    fish_completion.install "share/fish/vendor_completions.d/svc.fish"
    doc.install Dir["share/doc/svc/*"]
  end

  test do
    assert_equal "svc #{version}", shell_output("#{bin}/svc --version").strip
  end
end
`;
}

function scoopManifest({ version, license, homepage, releases }: Publisher, { url, sha256 }: Archive): string {
  const manifest = {
    version,
    description: `${SUMMARY}.`,
    homepage,
    license,
    architecture: { '64bit': { url, hash: sha256, extract_dir: `svc-${version}-win32-x64` } },
    bin: 'bin\\svc.exe',
    post_install: 'Set-Content -Path "$dir\\lib\\svc\\installed-by" -Value "scoop"',
    checkver: { url: `${releases}/latest/download/newest.json`, jsonpath: '$.version' },
    autoupdate: {
      architecture: {
        '64bit': { url: url.replaceAll(version, '$version'), extract_dir: 'svc-$version-win32-x64' },
      },
      hash: { url: '$baseurl/SHA256SUMS' },
    },
  };
  return `${JSON.stringify(manifest, undefined, 4)}\n`;
}

/** Returns the three files of a version in winget’s repository. JSON values are also valid in YAML. */
function wingetManifests(publisher: Publisher, { url, sha256 }: Archive): Readonly<Record<string, string>> {
  const { version, license, author, homepage, bugs } = publisher;
  const common = { PackageIdentifier: WINGET_ID, PackageVersion: version };
  const yaml = (type: string, fields: object) =>
    [
      `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.1.6.0.schema.json`,
      ...Object.entries({ ...common, ...fields, ManifestVersion: '1.6.0' }).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
      '',
    ].join('\n');
  return {
    [`winget/${WINGET_ID}.yaml`]: yaml('version', { DefaultLocale: 'en-GB', ManifestType: 'version' }),
    [`winget/${WINGET_ID}.locale.en-GB.yaml`]: yaml('defaultLocale', {
      PackageLocale: 'en-GB',
      Publisher: author.name,
      PublisherSupportUrl: bugs,
      PackageName: 'svc',
      PackageUrl: homepage,
      License: license,
      ShortDescription: `${SUMMARY}.`,
      Moniker: 'svc',
      ManifestType: 'defaultLocale',
    }),
    [`winget/${WINGET_ID}.installer.yaml`]: yaml('installer', {
      InstallerType: 'zip',
      NestedInstallerType: 'portable',
      NestedInstallerFiles: [{ RelativeFilePath: `svc-${version}-win32-x64\\bin\\svc.exe`, PortableCommandAlias: 'svc' }],
      Installers: [{ Architecture: 'x64', InstallerUrl: url, InstallerSha256: sha256.toUpperCase() }],
      ManifestType: 'installer',
    }),
  };
}

/** Returns the lines for mise, which downloads the archive for a system and compares its digest. */
function miseSettings({ version }: Publisher, archiveFor: ArchiveFor): string {
  const names = {
    'linux-x64': 'linux-x64',
    'linux-arm64': 'linux-arm64',
    'darwin-arm64': 'macos-arm64',
    'darwin-x64': 'macos-x64',
  } as const;
  const platforms = Object.entries(names).map(([system, name]) => {
    const { url, sha256 } = archiveFor(system as SystemName);
    return `${name} = { url = "${url}", checksum = "sha256:${sha256}" }\n`;
  });
  return `[tools."http:svc"]\nversion = "${version}"\nbin_path = "bin"\nstrip_components = 1\n\n[tools."http:svc".platforms]\n${platforms.join('')}`;
}

function nixFlake({ version, homepage }: Publisher, archiveFor: ArchiveFor): string {
  const names = {
    'x86_64-linux': 'linux-x64',
    'aarch64-linux': 'linux-arm64',
    'aarch64-darwin': 'darwin-arm64',
    'x86_64-darwin': 'darwin-x64',
  } as const;
  const sources = Object.entries(names).map(([system, name]) => {
    const { url, sha256 } = archiveFor(name);
    return `        ${system} = { url = "${url}"; sha256 = "${sha256}"; };\n`;
  });
  return `{
  description = "${SUMMARY}";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      sources = {
${sources.join('')}      };
      packageFor = system:
        let pkgs = nixpkgs.legacyPackages.\${system};
        in pkgs.stdenv.mkDerivation {
          pname = "svc";
          version = "${version}";
          src = pkgs.fetchurl sources.\${system};
          nativeBuildInputs = pkgs.lib.optional pkgs.stdenv.isLinux pkgs.patchelf;
          # Both would change the executable, which has svc's bundle inside.
          dontStrip = true;
          dontPatchELF = true;
          installPhase = ''
            mkdir -p $out
            cp -r bin lib share $out/
            echo nix > $out/lib/svc/installed-by
          '' + pkgs.lib.optionalString pkgs.stdenv.isLinux ''
            patchelf --set-interpreter "$(cat $NIX_CC/nix-support/dynamic-linker)" $out/bin/svc
            patchelf --set-rpath "\${pkgs.lib.makeLibraryPath [ pkgs.stdenv.cc.cc.lib pkgs.stdenv.cc.libc ]}" $out/bin/svc
          '';
          meta = {
            homepage = "${homepage}";
            mainProgram = "svc";
            platforms = builtins.attrNames sources;
          };
        };
    in {
      packages = nixpkgs.lib.genAttrs (builtins.attrNames sources) (system: { default = packageFor system; });
    };
}
`;
}
