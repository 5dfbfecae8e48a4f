import { singleQuoted } from '../cli/shell-word.ts';
import type { Files, System } from '../deps.ts';
import { ownEntry } from '../values/json.ts';

/** The way svc was installed. */
export interface Installation {
  readonly method: string;
  /** Returns the command that installs a version with the same method. Undefined without such a command. */
  readonly upgradeTo: (version: string) => string | undefined;
}

type Facts = Pick<System, 'platform' | 'arch' | 'installedIn' | 'releases' | 'packageName'>;

/**
 * Returns the installation method of svc. Packages record the method in `lib/svc/installed-by`. The path of an npm package shows which
 * package manager installed svc.
 */
export async function readInstallation(files: Pick<Files, 'readText' | 'stat'>, system: Facts): Promise<Installation> {
  const place = system.installedIn.replaceAll('\\', '/');
  const method = await methodOf(files, system, place);
  const upgrade = ownEntry(UPGRADES, method);
  return { method, upgradeTo: (version) => upgrade?.(system, version) };
}

async function methodOf(files: Pick<Files, 'readText' | 'stat'>, { packageName }: Facts, place: string): Promise<string> {
  const [, project] = new RegExp(`^(.*)/node_modules/${packageName}$`).exec(place) ?? [];
  if (project !== undefined) {
    if (/\/\.pnpm\//.test(place)) return 'pnpm';
    if (/\/yarn\/(Data\/)?global$/i.test(project)) return 'yarn';
    return (await files.stat(`${project}/package.json`)) === undefined ? 'npm' : 'npm-project';
  }
  if (/\/mise\/installs\//.test(place)) return 'mise';
  if (/\/WinGet\/Packages\//.test(place)) return 'winget';
  const recorded = (await files.readText(`${place}/lib/svc/installed-by`)) ?? (await files.readText(`${place}/installed-by`));
  const method = recorded?.trim() ?? 'source';
  return ownEntry(UPGRADES, method) === undefined ? 'source' : method;
}

const UPGRADES: Readonly<Record<string, (facts: Facts, version: string) => string | undefined>> = {
  npm: ({ packageName }, version) => `npm install --global ${packageName}@${version}`,
  'npm-project': ({ packageName }, version) => `npm install ${packageName}@${version}`,
  pnpm: ({ packageName }, version) => `pnpm add --global ${packageName}@${version}`,
  yarn: ({ packageName }, version) => `yarn global add ${packageName}@${version}`,
  brew: () => 'brew upgrade svc',
  scoop: () => 'scoop update svc',
  winget: () => 'winget upgrade svc',
  // mise.toml and flake.nix contain the digests of a version, so no command can install another version.
  mise: () => undefined,
  nix: () => undefined,
  oci: () => undefined,
  source: () => undefined,
  deb(facts, version) {
    const file = `${facts.packageName}_${version}-1_${facts.arch === 'x64' ? 'amd64' : facts.arch}.deb`;
    return `${download(facts, version, file, 'sha256sum')} && sudo dpkg --install ${file}`;
  },
  rpm(facts, version) {
    const file = `${facts.packageName}-${version}-1.${facts.arch === 'x64' ? 'x86_64' : 'aarch64'}.rpm`;
    return `${download(facts, version, file, 'sha256sum')} && sudo rpm --upgrade ${file}`;
  },
  archive(facts, version) {
    const { platform, arch } = facts;
    if (platform === 'win32') return undefined;
    const file = `svc-${version}-${platform}-${arch}.tar.gz`;
    // On macOS svc runs from `lib/svc` of the archive.
    const place = facts.installedIn.replace(/\/lib\/svc$/, '');
    const sums = platform === 'darwin' ? 'shasum --algorithm 256' : 'sha256sum';
    return `${download(facts, version, file, sums)} && tar -xzf ${file} --strip-components=1 -C ${singleQuoted(place)}`;
  },
};

/** Returns the shell command that downloads a file of a version and checks its digest. */
function download({ releases }: Facts, version: string, file: string, sums: string): string {
  const base = `${releases}/download/v${version}`;
  return `curl --fail --location --remote-name ${base}/${file} --remote-name ${base}/SHA256SUMS && ${sums} --check --ignore-missing SHA256SUMS`;
}
