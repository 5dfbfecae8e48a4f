/**
 * Writes src/catalog/nouns.ts, the light table of nouns that every command line loads, from the area files, and the list of man pages in
 * package.json, one a noun, since npm takes no directory of them; with `--check` says whether one is stale instead (exit 1).
 */
import { readFile, writeFile } from 'node:fs/promises';
import { AREAS } from '../src/catalog/areas.ts';

const files = { nouns: new URL('../src/catalog/nouns.ts', import.meta.url), manifest: new URL('../package.json', import.meta.url) };

const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`;

/** The table as a module. */
export async function nounsModule(): Promise<string> {
  const areas = await Promise.all(
    Object.entries(AREAS).map(async ([area, load]) => {
      const { title, resources } = await load();
      return resources
        .map(({ noun, singular, summary }) => `  [${[area, title, noun, singular, summary].map(quote).join(', ')}],\n`)
        .join('');
    }),
  );
  return `// Written by scripts/catalog-nouns.ts from the area files; not to be edited.
import type { AreaName } from './areas.ts';

/** The data of a list of resources, one resource a row, without the resources themselves. */
export const NOUNS = [
${areas.join('')}] as const satisfies readonly (readonly [area: AreaName, title: string, noun: string, singular: string, summary: string])[];

/** A resource by the word that people type for it. */
export type NounName = (typeof NOUNS)[number][2];
`;
}

/** package.json with the man pages that scripts/man.ts makes. */
export async function manifestWithPages(): Promise<string> {
  const manifest = JSON.parse(await readFile(files.manifest, 'utf8'));
  const areas = await Promise.all(Object.values(AREAS).map((load) => load()));
  const pages = areas.flatMap(({ resources }) => resources.map(({ noun }) => `svc-${noun}.1`)).sort();
  manifest.man = ['svc.1', ...pages].map((page) => `./man/${page}`);
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

if (import.meta.main) {
  const written = [
    [files.nouns, 'src/catalog/nouns.ts', await nounsModule()],
    [files.manifest, 'package.json', await manifestWithPages()],
  ] as const;
  for (const [file, name, text] of written) {
    if (!process.argv.includes('--check')) await writeFile(file, text);
    else if ((await readFile(file, 'utf8')) !== text) {
      console.error(`${name} is stale: run node scripts/catalog-nouns.ts`);
      process.exitCode = 1;
    }
  }
}
