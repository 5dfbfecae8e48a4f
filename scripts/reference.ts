/**
 * Writes docs/reference/: a page for each command at the top, from the same tree that the command line runs and help
 * reads. With `--check` says what is stale instead (exit 1).
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtInCatalog } from '../src/catalog/index.ts';
import { GLOBAL_OPTIONS } from '../src/cli/globals.ts';
import { referencePages } from '../src/cli/reference.ts';
import { rootOf } from '../src/commands/root.ts';

const ROOT = rootOf(builtInCatalog());

const directory = new URL('../docs/reference/', import.meta.url);

const pages = await referencePages(ROOT, GLOBAL_OPTIONS);
const there = new Set(await readdir(directory).catch(() => []));
const stale: string[] = [];
for (const [name, text] of pages) {
  const before = there.has(name) ? await readFile(new URL(name, directory), 'utf8') : undefined;
  if (before !== text) stale.push(name);
  there.delete(name);
}
stale.push(...there);

if (!process.argv.includes('--check')) {
  await mkdir(directory, { recursive: true });
  for (const name of there) await rm(new URL(name, directory));
  for (const [name, text] of pages) await writeFile(new URL(name, directory), text);
} else if (stale.length > 0) {
  console.error(`docs/reference is stale (${stale.join(', ')}): run node scripts/reference.ts`);
  process.exitCode = 1;
}
