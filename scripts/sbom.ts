/**
 * Writes the software bill of materials of the svc package in CycloneDX format: node scripts/sbom.ts. The file is sbom.cdx.json in the
 * given directory (default: dist).
 *
 * npm makes the list from the lockfile. The script removes development packages, unless their code is in the bundle. The notices list the
 * packages in the bundle.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releaseTime } from './release/release-time.ts';

/** The members of a CycloneDX document that the script uses. */
interface Sbom {
  readonly serialNumber: string;
  readonly metadata: { timestamp: string; readonly component: { name: string; readonly 'bom-ref': string } };
  components: readonly {
    readonly 'bom-ref': string;
    readonly purl: string;
    readonly properties?: readonly { readonly name: string; readonly value: string }[];
  }[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const [directory = join(root, 'dist')] = process.argv.slice(2);

const { name }: { readonly name: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const notices = await readFile(join(directory, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
const bundled = new Set([...notices.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(/gm)].map(([, name, version]) => `${name}@${version}`));
await writeFile(join(directory, 'sbom.cdx.json'), `${JSON.stringify(await shipped(everyPackage()), undefined, 2)}\n`);

function everyPackage(): Sbom {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
    // On Windows, npm is a script that needs a shell.
    shell: process.platform === 'win32',
  });
  return JSON.parse(text);
}

/** Removes packages that svc does not ship. @throws Error if npm does not list a package of the bundle. */
async function shipped(sbom: Sbom): Promise<Sbom> {
  const nameOf = ({ purl }: { readonly purl: string }) => decodeURIComponent(purl.replace(/^pkg:npm\//, ''));
  const isDevelopment = ({ properties = [] }: Sbom['components'][number]) =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
  const components = sbom.components.filter((one) => !isDevelopment(one) || bundled.has(nameOf(one)));
  const missing = bundled.difference(new Set(components.map(nameOf)));
  if (missing.size > 0) throw new Error(`npm does not list packages of the bundle: ${[...missing].join(', ')}.`);
  const { component } = sbom.metadata;
  // npm would use the name of the directory.
  component.name = name;
  const refs = new Set([component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = sbom.dependencies.flatMap(({ ref, dependsOn }) =>
    refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }] : [],
  );
  // npm would write the present time, and a random number. Two builds of a commit must be equal.
  sbom.metadata.timestamp = new Date((await releaseTime()) * 1000).toISOString();
  const digest = createHash('sha256')
    .update(JSON.stringify([component, components]))
    .digest('hex');
  const serialNumber = `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return { ...sbom, serialNumber, components, dependencies };
}
