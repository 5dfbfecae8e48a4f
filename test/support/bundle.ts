import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../scripts/bundle.ts';

/** The project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    /** A directory with `bin/svc.js` and `dist/`, made of the present source at the beginning of the run. */
    bundle: string;
  }
}

/**
 * Before any test: bundles the source once for the whole run, into a directory of its own, so that no test finds a `dist` that is old or
 * half built; and gives the run a temporary directory of its own, which goes with all that tests, or what they started and
 * killed, left in it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outer = process.env['TMPDIR'];
  const directory = await mkdtemp(join(tmpdir(), 'svc-tests-'));
  process.env['TMPDIR'] = directory;
  project.provide('bundle', await bundleInto(join(directory, 'svc')));
  return async () => {
    if (outer === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = outer;
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}

/** Lays svc out in a directory as npm does, its `dist` bundled from the present source. */
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
