import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './bundle.ts';

const run = promisify(execFile);

/**
 * Installs the packages of a folder in test/tools by its lockfile, and returns the directory with node_modules. Only proofs use these
 * packages, so `npm ci` of the project does not install them. A later call finds the packages of the first, until the lockfile changes.
 *
 * @throws Error if npm can’t install the packages.
 */
export async function installTools(name: string): Promise<string> {
  const folder = join(ROOT, 'test/tools', name);
  const digest = createHash('sha256')
    .update(await readFile(join(folder, 'package-lock.json')))
    .digest('hex');
  const place = join(ROOT, 'node_modules/.cache/svc-tools', `${name}-${digest.slice(0, 16)}`);
  if (await isDirectory(place)) return place;
  await mkdir(dirname(place), { recursive: true });
  const work = await mkdtemp(`${place}-`);
  try {
    for (const file of ['package.json', 'package-lock.json']) await copyFile(join(folder, file), join(work, file));
    await run('npm', ['ci', '--ignore-scripts', '--silent', '--no-audit', '--no-fund'], { cwd: work });
    await rename(work, place).catch(async (error: unknown) => {
      // Another process installed the same packages first.
      if (!(await isDirectory(place))) throw error;
    });
    return place;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Loads a module of a package of a folder in test/tools. @throws Error if npm can’t install the package. */
export async function loadTool<Module>(name: string, specifier: string): Promise<Module> {
  return createRequire(join(await installTools(name), 'package.json'))(specifier) as Module;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
