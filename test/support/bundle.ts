import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../scripts/bundle.ts';

/** The directory of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    /** A directory with `bin/svc.js` and `dist/`, built from the source at the start of the test run. */
    bundle: string;
  }
}

/**
 * Bundles the source once for the whole test run. The bundle has a separate directory, so that no test finds an old or incomplete `dist`.
 * Creates a temporary directory for the run. At its end, removes the directory with all remaining files.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outer = process.env['TMPDIR'];
  const directory = await mkdtemp(join(outer ?? (await placeForFiles()), 'svc-tests-'));
  process.env['TMPDIR'] = directory;
  project.provide('bundle', await bundleInto(join(directory, 'svc')));
  return async () => {
    if (outer === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = outer;
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}

const GIB = 2 ** 30;

/**
 * Returns /dev/shm if it is large enough and may hold programs. svc flushes each write, so its tests are faster in memory. Otherwise returns
 * the temporary directory of the system.
 */
async function placeForFiles(): Promise<string> {
  const free = await statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  if (Math.min(free, totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) < 8 * GIB) return tmpdir();
  const directory = await mkdtemp('/dev/shm/svc-tests-');
  const program = join(directory, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o700 });
  const mayRun = spawnSync(program).status === 0;
  await rm(directory, { recursive: true });
  return mayRun ? '/dev/shm' : tmpdir();
}

/** Installs svc in a directory as npm does, with a `dist` from the current source. */
export async function bundleInto(directory: string): Promise<string> {
  for (const name of ['bin', 'package.json']) await cp(join(ROOT, name), join(directory, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const chunks = await bundle(join(directory, 'dist'));
  const modules = chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds.map(shortName)]);
  await writeFile(join(directory, 'modules.json'), JSON.stringify(modules));
  return directory;
}

function shortName(id: string): string {
  return id.includes('/node_modules/') ? (id.split('/node_modules/').at(-1) ?? id) : relative(ROOT, id);
}
