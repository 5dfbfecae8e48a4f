/**
 * Makes a release: node scripts/release.ts 0.2.0. Only works for a person at a terminal, and asks before it commits. `--checked` skips the
 * checks that this commit has already passed (docs/contributing/releasing.md).
 *
 * The script checks the working tree, updates the changelog, sets the version and runs every check. It builds the package and the archive
 * for this platform, with checksums and a provenance statement. Then it commits and tags. It neither pushes nor publishes, but prints the
 * commands for this.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { isLater, notesOf, releasedChangelog } from './release/changelog.ts';
import { checksums, provenance } from './release/provenance.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'release');

try {
  const [version = '', checked] = process.argv.slice(2);
  await release(version, checked === '--checked');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function release(version: string, isChecked: boolean): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY || process.env['CI'])
    throw new Error('Run this script yourself at a terminal. Nothing was changed.');
  const manifest: { version: string } = JSON.parse(await text('package.json'));
  if (!isLater(version, manifest.version))
    throw new Error(`Give a version later than ${manifest.version}: node scripts/release.ts <version>. Nothing was changed.`);
  if (git('status', '--porcelain') !== '') throw new Error('The working tree has uncommitted changes. Nothing was changed.');
  const day = new Date().toISOString().slice(0, 10);
  const changelog = releasedChangelog(await text('CHANGELOG.md'), version, day);

  try {
    await writeFile(join(root, 'CHANGELOG.md'), changelog);
    run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
    for (const script of ['completions', 'reference']) run(process.execPath, `scripts/${script}.ts`);
    if (!isChecked) run('npm', 'run', 'check');
    const files = await build(version);
    console.log(`\n${notesOf(changelog, version)}\n\n${files.join('\n')}\n`);
    if (!(await confirmed(version))) throw new Error('Not released.');
    git('commit', '--all', '--message', `Release ${version}`);
    git('tag', '--annotate', `v${version}`, '--message', `svc ${version}\n\n${notesOf(changelog, version)}`);
    // The statement comes last, because it contains the commit.
    await writeFile(join(out, 'provenance.json'), await statement(files, version));
  } catch (error) {
    // Restores the working tree, which was clean at the start.
    git('checkout', '--', '.');
    throw error;
  }
  console.log(`Tagged v${version}. To let others have it (docs/contributing/releasing.md):\n\n  git push --follow-tags\n`);
  console.log(`and add the files of ${out} to the page of the release.`);
}

/** Builds the package, the archive and their checksums. Returns the paths of package and archive. */
async function build(version: string): Promise<string[]> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out);
  run('npm', 'pack', '--silent', '--pack-destination', out);
  const archive = execFileSync(process.execPath, [join(root, 'scripts/archive.ts'), out], { cwd: root, encoding: 'utf8' }).trim();
  const files = [join(out, `svc-cli-${version}.tgz`), archive];
  await writeFile(join(out, 'SHA256SUMS'), await checksums(files));
  return files;
}

async function statement(files: readonly string[], version: string): Promise<string> {
  return provenance(files, {
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
