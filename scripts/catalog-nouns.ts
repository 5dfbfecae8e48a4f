/**
 * Writes src/catalog/nouns.ts, the light table of nouns that every command line loads, from the area files; with
 * `--check` says whether it is stale instead (exit 1).
 */
import { readFile, writeFile } from 'node:fs/promises';
import { AREAS } from '../src/catalog/areas.ts';

const file = new URL('../src/catalog/nouns.ts', import.meta.url);

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

/** What a list of nouns needs, a resource a row, without the resources themselves. */
export const NOUNS = [
${areas.join('')}] as const satisfies readonly (readonly [area: AreaName, title: string, noun: string, singular: string, summary: string])[];

/** A resource by the word that people type for it. */
export type NounName = (typeof NOUNS)[number][2];
`;
}

if (import.meta.main) {
  const text = await nounsModule();
  if (!process.argv.includes('--check')) await writeFile(file, text);
  else if ((await readFile(file, 'utf8')) !== text) {
    console.error('src/catalog/nouns.ts is stale: run node scripts/catalog-nouns.ts');
    process.exitCode = 1;
  }
}
