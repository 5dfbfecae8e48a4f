/** Bundles src into dist or the given directory. */
import { rename, rm } from 'node:fs/promises';
import { bundle } from './bundle.ts';

const [directory = 'dist'] = process.argv.slice(2);

// The script builds into another directory first. If the build fails, the old dist still works.
const fresh = `${directory}.${process.pid}`;
try {
  await bundle(fresh);
  await rm(directory, { recursive: true, force: true });
  await rename(fresh, directory);
} finally {
  await rm(fresh, { recursive: true, force: true });
}
