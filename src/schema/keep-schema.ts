import { createHash } from 'node:crypto';
import type { Paths } from '../config/paths.ts';
import type { Files } from '../deps.ts';
import type { Host } from '../values/host.ts';
import type { Compiled } from './compile.ts';
import type { KeptImport, KeptIndex } from './kept.ts';
import { indexPath, nounPath, schemaDirectory } from './kept-schema.ts';

/** Where imports are written. */
export interface KeepingPlace {
  readonly paths: Pick<Paths, 'state'>;
  readonly files: Pick<Files, 'list' | 'remove' | 'writeAtomic'>;
}

/** Files that are written at once: each is flushed, which is a wait. */
const AT_ONCE = 8;

/**
 * Keeps an import: its nouns first, under a name of their own, and then the index, in one step. Whoever reads meanwhile, or after a crash,
 * finds the old import whole, or the new one. The import before it is kept for a comparison, and what was kept before that goes.
 *
 * @param before What is kept now; what was imported of the same description again leaves the import before it in its place.
 * @returns The index as it is kept.
 */
export async function keepSchema(
  { paths, files }: KeepingPlace,
  host: Pick<Host, 'name' | 'origin'>,
  { index, nouns }: Compiled,
  before: KeptIndex | undefined,
): Promise<KeptIndex> {
  const generation = createHash('sha256').update(JSON.stringify(nouns)).digest('hex').slice(0, 16);
  for (let at = 0; at < nouns.length; at += AT_ONCE) {
    const some = nouns.slice(at, at + AT_ONCE);
    await Promise.all(some.map((noun) => files.writeAtomic(nounPath(paths, host, generation, noun.noun), JSON.stringify(noun))));
  }
  const previous = before === undefined ? undefined : before.generation === generation ? before.previous : withoutPrevious(before);
  const kept: KeptIndex = { ...index, generation, ...(previous !== undefined && { previous }) };
  await files.writeAtomic(indexPath(paths, host), JSON.stringify(kept));
  // Only what the index of before named: another svc may be writing its own at this moment.
  const over = before?.previous?.generation;
  if (over !== undefined && over !== generation && over !== previous?.generation) await removeFiles({ paths, files }, host, `${over}-`);
  return kept;
}

/** Forgets all that is kept of a host; false when there was nothing. */
export async function forgetSchema(place: KeepingPlace, host: Pick<Host, 'origin'>): Promise<boolean> {
  // The index first: a noun without one is nothing.
  const had = await place.files.remove(indexPath(place.paths, host));
  await removeFiles(place, host, '');
  return had;
}

/** What is left behind by failing here is in nobody's way. */
async function removeFiles({ paths, files }: KeepingPlace, host: Pick<Host, 'origin'>, beginning: string): Promise<void> {
  const directory = schemaDirectory(paths, host);
  const names = (await files.list(directory).catch(() => [])).filter((name) => name.startsWith(beginning));
  await Promise.all(names.map((name) => files.remove(`${directory}/${name}`).catch(() => false)));
}

function withoutPrevious({ previous: _, ...kept }: KeptIndex): KeptImport {
  return kept;
}
