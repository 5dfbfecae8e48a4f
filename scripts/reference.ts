/**
 * Writes docs/reference/ (a page per top-level command) and docs/glossary.md. The source is the same command tree that svc runs. With
 * `--check`, lists stale pages instead and exits with 1.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtInCatalog } from '../src/catalog/index.ts';
import { GLOBAL_OPTIONS } from '../src/cli/globals.ts';
import { glossary } from '../src/commands/help-topics.ts';
import { rootOf } from '../src/commands/root.ts';
import { referencePages, topicPage } from './pages/reference-pages.ts';

const ROOT = rootOf(builtInCatalog());

const docs = new URL('../docs/', import.meta.url);
const reference = new URL('reference/', docs);

const pages = new Map([['glossary.md', topicPage('Glossary', glossary)]]);
for (const [name, text] of await referencePages(ROOT, GLOBAL_OPTIONS)) pages.set(`reference/${name}`, text);
const stale: string[] = [];
for (const [name, text] of pages) {
  const before = await readFile(new URL(name, docs), 'utf8').catch(() => undefined);
  if (before !== text) stale.push(name);
}
const left = (await readdir(reference).catch(() => [])).map((name) => `reference/${name}`).filter((name) => !pages.has(name));

if (!process.argv.includes('--check')) {
  await mkdir(reference, { recursive: true });
  for (const name of left) await rm(new URL(name, docs));
  for (const [name, text] of pages) await writeFile(new URL(name, docs), text);
} else if (stale.length + left.length > 0) {
  console.error(`docs/ is stale (${[...stale, ...left].join(', ')}): run node scripts/reference.ts`);
  process.exitCode = 1;
}
