import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLANTED, type Planted } from './planted.ts';
import { from, runSeeds } from './run-seeds.ts';

export interface FindOptions {
  /** So many worlds are tried. */
  readonly most: number;
  /** Only those whose words have this. */
  readonly only?: string | undefined;
}

/** Makes each planted mistake in a copy of the source, and plays worlds until one shows it. Gives the exit code: 1 where fewer than 19 of 20 are found. */
export async function findPlanted(root: string, { most, only }: FindOptions): Promise<number> {
  const wanted = PLANTED.filter(({ what }) => only === undefined || what.includes(only));
  for (const planted of wanted) await withMistake(root, planted);
  let found = 0;
  for (const planted of wanted) {
    const copy = await plant(root, planted);
    let worlds = 0;
    let how: string | undefined;
    const began = performance.now();
    try {
      await runSeeds({
        root: copy,
        seeds: from(planted.from ?? 1, most),
        onPlayed({ seed, wrong }) {
          worlds += 1;
          // That the simulation does not get on with it shows no more than that.
          const shown = wrong.find((each) => !each.startsWith('the simulation itself failed'));
          how = shown && `seed ${seed}: ${shown}`;
          return how !== undefined;
        },
      });
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    if (how !== undefined) found += 1;
    console.log(`${how === undefined ? 'NOT FOUND in' : 'found after'} ${worlds} worlds, ${seconds} s: ${planted.what}`);
    if (how !== undefined) console.log(`    ${how.split('\n', 1)[0]?.slice(0, 160)}`);
  }
  console.log(`${found} of ${wanted.length} planted mistakes found.`);
  return found * 20 < wanted.length * 19 ? 1 : 0;
}

/** A copy of what the simulation needs, with the mistake in it. */
async function plant(root: string, planted: Planted): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'svc-planted-'));
  for (const part of ['src', 'scripts/simulate', 'package.json']) await cp(join(root, part), join(copy, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  await writeFile(join(copy, 'src', planted.file), await withMistake(root, planted));
  return copy;
}

/** The text of the file with the mistake in it. @throws RangeError where what it replaces stands there other than once. */
async function withMistake(root: string, { file, find, put }: Planted): Promise<string> {
  const parts = (await readFile(join(root, 'src', file), 'utf8')).split(find);
  if (parts.length !== 2) throw new RangeError(`src/${file} has this ${parts.length - 1} times, not once: ${find}`);
  return parts.join(put);
}
