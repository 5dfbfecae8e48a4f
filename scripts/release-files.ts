/**
 * Makes the files of a release: node scripts/release-files.ts [directory] [system…]. Two runs of one commit make equal files. The directory
 * is release if none is given. If systems are given (scripts/release/systems.ts), only the files for these are made.
 *
 * Needs Node 26, GNU tar and the Debian packages in docs/contributing/releasing.md. Downloads Node for each system with npm. The script signs
 * nothing (scripts/release.ts).
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packTar, packZip } from './release/archive.ts';
import { makeDeb } from './release/deb.ts';
import { writeManifests } from './release/manifests.ts';
import { makeImage } from './release/oci.ts';
import { checksums } from './release/provenance.ts';
import { readPublisher } from './release/publisher.ts';
import { releaseTime } from './release/release-time.ts';
import { makeRpm } from './release/rpm.ts';
import { isSystemName, type ReleaseSystem, SYSTEMS, type SystemName } from './release/systems.ts';
import { layOut } from './release/tree.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const everySystem = Object.keys(SYSTEMS).filter(isSystemName);

const [given = 'release', ...names] = process.argv.slice(2);
const systems = names.length === 0 ? everySystem : names.filter(isSystemName);
const unknown = names.filter((name) => !isSystemName(name));
if (unknown.length > 0) throw new Error(`There is no system ${unknown.join(', ')}. Give some of ${everySystem.join(', ')}.`);

const out = resolve(given);
const publisher = await readPublisher();
const time = await releaseTime();
const work = await mkdtemp(join(tmpdir(), 'svc-release-'));
try {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  await copyFile(join(root, 'dist/sbom.cdx.json'), join(out, `${publisher.name}-${publisher.version}.cdx.json`));
  for (const system of systems) await filesFor(system);
  if (names.length === 0) {
    await makeImage(out, work, join(work, `svc-${publisher.version}-linux-x64`), publisher, time);
    await writeManifests(out, publisher);
  }
  await writeFile(join(out, 'newest.json'), `${JSON.stringify({ version: publisher.version })}\n`);
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((one) => one.isFile())
    .map((one) => relative(out, join(one.parentPath, one.name)))
    .sort();
  await writeFile(join(out, 'SHA256SUMS'), await checksums(out, files));
  console.log([...files, 'SHA256SUMS'].join('\n'));
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Makes the archive for a system and, for Linux, its packages. */
async function filesFor(system: SystemName): Promise<void> {
  const name = `svc-${publisher.version}-${system}`;
  const tree = join(work, name);
  await layOut(tree, system);
  if (system === 'win32-x64') await packZip(join(out, `${name}.zip`), work, name, time);
  else packTar(join(out, `${name}.tar.gz`), work, name, time);
  const { linux }: ReleaseSystem = SYSTEMS[system];
  if (linux === undefined) return;
  await makeDeb(out, tree, linux.deb, publisher, time);
  await makeRpm(out, tree, linux.rpm, publisher, time);
}
