/**
 * Makes a release: node scripts/release.ts 0.2.0 --key svc.key. Only works for a person at a terminal, and asks before it commits. The key
 * signs the checksums (minisign). `--checked` skips the checks that this commit has already passed. Names of systems after the options limit
 * the files to these systems (docs/contributing/releasing.md).
 *
 * The script checks the working tree, updates the changelog, sets the version and runs every check. It makes the files of the release
 * (scripts/release-files.ts), with a signature and a provenance statement. Then it commits and tags. It neither pushes nor publishes, but
 * prints the commands for this.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isLaterVersion } from '../src/values/versions.ts';
import { notesOf, releasedChangelog } from './release/changelog.ts';
import { provenance } from './release/provenance.ts';
import { readPublisher, requireAddresses } from './release/publisher.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'release');
/** minisign’s public key, relative to the root. */
const PUBLIC_KEY = 'minisign.pub';

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string', default: '' }, checked: { type: 'boolean', default: false } },
  });
  const [version = '', ...systems] = positionals;
  await release(version, { isChecked: values.checked, key: values.key, systems });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

interface Options {
  readonly isChecked: boolean;
  /** The path of minisign’s secret key. */
  readonly key: string;
  readonly systems: readonly string[];
}

async function release(version: string, { isChecked, key, systems }: Options): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY || process.env['CI'])
    throw new Error('Run this script yourself at a terminal. Nothing was changed.');
  const manifest: { version: string } = JSON.parse(await text('package.json'));
  if (!isLaterVersion(version, manifest.version))
    throw new Error(`Give a version later than ${manifest.version}: node scripts/release.ts <version>. Nothing was changed.`);
  if (git('status', '--porcelain') !== '') throw new Error('The working tree has uncommitted changes. Nothing was changed.');
  requireAddresses(await readPublisher());
  if (!existsSync(key)) throw new Error('Give the secret key of minisign: --key <file>. Nothing was changed.');
  if (!existsSync(join(root, PUBLIC_KEY))) throw new Error(`${PUBLIC_KEY} is missing. docs/contributing/releasing.md says how to make it.`);
  const day = new Date().toISOString().slice(0, 10);
  const changelog = releasedChangelog(await text('CHANGELOG.md'), version, day);

  try {
    await writeFile(join(root, 'CHANGELOG.md'), changelog);
    run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
    for (const script of ['completions', 'reference']) run(process.execPath, `scripts/${script}.ts`);
    if (!isChecked) run('npm', 'run', 'check');
    run(process.execPath, 'scripts/release-files.ts', out, ...systems);
    sign(key, version);
    console.log(`\n${notesOf(changelog, version)}\n\n${(await releasedFiles()).join('\n')}\n`);
    if (!(await confirmed(version))) throw new Error('Not released.');
    git('commit', '--all', '--message', `Release ${version}`);
    git('tag', '--annotate', `v${version}`, '--message', `svc ${version}\n\n${notesOf(changelog, version)}`);
    // The statement comes last, because it contains the commit.
    await writeFile(join(out, 'provenance.json'), await statement(await releasedFiles(), version));
  } catch (error) {
    // Restores the working tree, which was clean at the start.
    git('checkout', '--', '.');
    throw error;
  }
  console.log(`Tagged v${version}. To let others have it (docs/contributing/releasing.md):\n\n  git push --follow-tags\n`);
  console.log(`and add the files of ${out} to the page of the release.`);
}

/** Signs the checksums, and checks the signature with the public key of the repository. */
function sign(key: string, version: string): void {
  const sums = join(out, 'SHA256SUMS');
  // Without a comment, minisign would write the present time.
  run('minisign', '-S', '-s', key, '-m', sums, '-t', `svc ${version}`);
  run('minisign', '-V', '-q', '-p', PUBLIC_KEY, '-m', sums);
}

/** Returns the names of the files that the checksums list. */
async function releasedFiles(): Promise<string[]> {
  const sums = await readFile(join(out, 'SHA256SUMS'), 'utf8');
  return sums
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(66));
}

async function statement(files: readonly string[], version: string): Promise<string> {
  return provenance(out, files, {
    repository: git('config', '--default', 'unknown', '--get', 'remote.origin.url'),
    commit: git('rev-parse', 'HEAD'),
    version,
    nodeVersion: process.versions.node,
    lockfile: await text('package-lock.json'),
    builtAt: new Date().toISOString(),
  });
}

async function confirmed(version: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`To commit and tag it, type ${version}: `);
  terminal.close();
  return answer.trim() === version;
}

function text(name: string): Promise<string> {
  return readFile(join(root, name), 'utf8');
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { cwd: root, stdio: 'inherit' });
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
