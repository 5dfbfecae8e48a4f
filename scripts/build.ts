/** Bundles src into dist, or the directory given. */
import { rename, rm } from 'node:fs/promises';
import { bundle } from './bundle.ts';

const [directory = 'dist'] = process.argv.slice(2);

// Beside it first, so that a build that fails, or whoever runs svc meanwhile, has something that works.
const fresh = `${directory}.${process.pid}`;
try {
  await bundle(fresh);
  await rm(directory, { recursive: true, force: true });
  await rename(fresh, directory);
} finally {
  await rm(fresh, { recursive: true, force: true });
}
