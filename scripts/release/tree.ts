import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeVersion, SYSTEMS, type SystemName } from './systems.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Writes everything that a system needs to the directory `place`, in the layout of /usr/local: the executable, its libraries, man pages,
 * completions, notices and the SBOM. Needs the built package in dist.
 */
export async function layOut(place: string, system: SystemName): Promise<void> {
  run('scripts/build-standalone.ts', place, system);
  run('scripts/man.ts', join(place, 'share/man/man1'));
  run('scripts/completions.ts', '--check');
  await mkdir(join(place, 'share/doc/svc'), { recursive: true });
  await rename(join(place, 'THIRD-PARTY-NOTICES.txt'), join(place, 'share/doc/svc/THIRD-PARTY-NOTICES.txt'));
  await writeFile(join(place, 'share/doc/svc/sbom.cdx.json'), await sbomOf(place, system));
  for (const [from, to] of [
    ['completions/svc.bash', 'share/bash-completion/completions/svc'],
    ['completions/_svc', 'share/zsh/site-functions/_svc'],
    ['completions/svc.fish', 'share/fish/vendor_completions.d/svc.fish'],
    ['completions/svc.ps1', 'share/svc/svc.ps1'],
    ['README.md', 'share/doc/svc/README.md'],
    ['CHANGELOG.md', 'share/doc/svc/CHANGELOG.md'],
    ['LICENSE', 'share/doc/svc/LICENSE'],
  ] as const) {
    await mkdir(dirname(join(place, to)), { recursive: true });
    await copyFile(join(root, from), join(place, to));
  }
  await recordInstallation(place, 'archive');
}

/** Records how svc is installed, for `svc version --check` (src/system/installation.ts). */
export async function recordInstallation(place: string, method: string): Promise<void> {
  await mkdir(join(place, 'lib/svc'), { recursive: true });
  await writeFile(join(place, 'lib/svc/installed-by'), `${method}\n`);
}

/** Returns the SBOM of the package, with Node and the libraries beside the executable. */
async function sbomOf(place: string, system: SystemName): Promise<string> {
  const sbom: { components: object[] } = JSON.parse(await readFile(join(root, 'dist/sbom.cdx.json'), 'utf8'));
  const version = await nodeVersion(system);
  const libraries = (await readdir(join(place, 'lib/svc')).catch(() => [])).filter((name) => name.includes('.so.'));
  sbom.components.push({
    type: 'application',
    name: 'node',
    version,
    purl: `pkg:npm/${SYSTEMS[system].node}@${version}`,
    hashes: [{ alg: 'SHA-256', content: SYSTEMS[system].sha256 }],
  });
  for (const name of libraries.sort()) {
    const content = createHash('sha256')
      .update(await readFile(join(place, 'lib/svc', name)))
      .digest('hex');
    sbom.components.push({ type: 'library', name, hashes: [{ alg: 'SHA-256', content }] });
  }
  return `${JSON.stringify(sbom, undefined, 2)}\n`;
}

function run(script: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
