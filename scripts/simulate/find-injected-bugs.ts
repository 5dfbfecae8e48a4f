import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INJECTED_BUGS, type InjectedBug } from './injected-bugs.ts';
import { from, runSeeds } from './run-seeds.ts';

export interface FindOptions {
  /** The highest number of scenarios per injected bug. */
  readonly most: number;
  /** Selects only injected bugs whose description contains this text. */
  readonly only?: string | undefined;
}

/**
 * Injects each known bug into a copy of the source, and plays scenarios until one of them shows the bug. Returns the exit code: 1 if fewer
 * than 19 of 20 bugs are found.
 */
export async function findInjectedBugs(root: string, { most, only }: FindOptions): Promise<number> {
  const wanted = INJECTED_BUGS.filter(({ what }) => only === undefined || what.includes(only));
  for (const bug of wanted) await withMistake(root, bug);
  let found = 0;
  for (const bug of wanted) {
    const copy = await inject(root, bug);
    let scenarios = 0;
    let how: string | undefined;
    const began = performance.now();
    try {
      await runSeeds({
        root: copy,
        seeds: from(bug.from ?? 1, most),
        onPlayed({ seed, wrong }) {
          scenarios += 1;
          // A failure of the simulation itself does not count as finding the bug.
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
    console.log(`${how === undefined ? 'NOT FOUND in' : 'found after'} ${scenarios} scenarios, ${seconds} s: ${bug.what}`);
    if (how !== undefined) console.log(`    ${how.split('\n', 1)[0]?.slice(0, 160)}`);
  }
  console.log(`${found} of ${wanted.length} injected bugs found.`);
  return found * 20 < wanted.length * 19 ? 1 : 0;
}

/** Copies the files that the simulation needs, and injects a bug. Returns the directory. */
async function inject(root: string, bug: InjectedBug): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'svc-planted-'));
  for (const part of ['src', 'scripts/simulate', 'package.json']) await cp(join(root, part), join(copy, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  await writeFile(join(copy, 'src', bug.file), await withMistake(root, bug));
  return copy;
}

/** Returns the text of a file with an injected bug. @throws RangeError if the text to replace does not occur exactly once. */
async function withMistake(root: string, { file, find, put }: InjectedBug): Promise<string> {
  const parts = (await readFile(join(root, 'src', file), 'utf8')).split(find);
  if (parts.length !== 2) throw new RangeError(`src/${file} has this ${parts.length - 1} times, not once: ${find}`);
  return parts.join(put);
}
