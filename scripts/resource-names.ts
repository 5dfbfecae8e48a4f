/**
 * Writes src/catalog/resource-names.ts from the catalog’s files, and the list of man pages in package.json. Every command loads
 * resource-names.ts instead of the whole catalog. npm needs each man page by name. With `--check`, lists stale files instead and exits with
 * 1.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { AREAS } from '../src/catalog/areas.ts';

const files = {
  nouns: new URL('../src/catalog/resource-names.ts', import.meta.url),
  manifest: new URL('../package.json', import.meta.url),
};

const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`;

/** Returns the content of src/catalog/resource-names.ts. */
export async function resourceNamesModule(): Promise<string> {
  const areas = await Promise.all(
    Object.entries(AREAS).map(async ([area, load]) => {
      const { title, resources } = await load();
      return resources
        .map(({ noun, singular, summary }) => `  [${[area, title, noun, singular, summary].map(quote).join(', ')}],\n`)
        .join('');
    }),
  );
  return `// Written by scripts/resource-names.ts from the area files; not to be edited.
import type { AreaName } from './areas.ts';

/** The names, singulars, summaries and groups of all resources, one resource per row. */
export const RESOURCE_NAMES = [
${areas.join('')}] as const satisfies readonly (readonly [area: AreaName, title: string, noun: string, singular: string, summary: string])[];

/** The name of a resource, as people type it. */
export type ResourceName = (typeof RESOURCE_NAMES)[number][2];
`;
}

/** Returns package.json with the man pages that scripts/man.ts writes. */
export async function manifestWithPages(): Promise<string> {
  const manifest = JSON.parse(await readFile(files.manifest, 'utf8'));
  const areas = await Promise.all(Object.values(AREAS).map((load) => load()));
  const pages = areas.flatMap(({ resources }) => resources.map(({ noun }) => `svc-${noun}.1`)).sort();
  manifest.man = ['svc.1', ...pages].map((page) => `./man/${page}`);
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

if (import.meta.main) {
  const written = [
    [files.nouns, 'src/catalog/resource-names.ts', await resourceNamesModule()],
    [files.manifest, 'package.json', await manifestWithPages()],
  ] as const;
  for (const [file, name, text] of written) {
    if (!process.argv.includes('--check')) await writeFile(file, text);
    else if ((await readFile(file, 'utf8')) !== text) {
      console.error(`${name} is stale: run node scripts/resource-names.ts`);
      process.exitCode = 1;
    }
  }
}
