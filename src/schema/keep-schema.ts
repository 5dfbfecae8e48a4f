import { createHash } from 'node:crypto';
import type { Paths } from '../config/paths.ts';
import type { Files } from '../deps.ts';
import type { Host } from '../values/addresses.ts';
import type { Compiled } from './compile.ts';
import type { KeptImport, KeptIndex } from './described.ts';
import { indexPath, nounPath, schemaDirectory } from './kept-schema.ts';

/** The place to write imports. */
export interface KeepingPlace {
  readonly paths: Pick<Paths, 'state'>;
  readonly files: Pick<Files, 'list' | 'remove' | 'writeAtomic'>;
}

/** Files to write at once: each waits for a flush. */
const AT_ONCE = 8;

/**
 * Stores an import: first its resources, under new names, and then the index, in one step. Readers, and svc after a crash, find either the
 * old import or the new one, complete. The previous import stays for a comparison; an older one is deleted.
 *
 * @param before the stored import. If you import the same API spec again, its previous import stays too.
 * @returns the stored index.
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
  // Delete only files that the old index named: another svc may be writing its own at this moment.
  const over = before?.previous?.generation;
  if (over !== undefined && over !== generation && over !== previous?.generation) await removeFiles({ paths, files }, host, `${over}-`);
  return kept;
}

/** Deletes everything stored for a host; false if there was nothing. */
export async function forgetSchema(place: KeepingPlace, host: Pick<Host, 'origin'>): Promise<boolean> {
  // The index first: resource files without an index do not count.
  const had = await place.files.remove(indexPath(place.paths, host));
  await removeFiles(place, host, '');
  return had;
}

/** Deletes files; a file that cannot be deleted does no harm. */
async function removeFiles({ paths, files }: KeepingPlace, host: Pick<Host, 'origin'>, beginning: string): Promise<void> {
  const directory = schemaDirectory(paths, host);
  const names = (await files.list(directory).catch(() => [])).filter((name) => name.startsWith(beginning));
  await Promise.all(names.map((name) => files.remove(`${directory}/${name}`).catch(() => false)));
}

function withoutPrevious({ previous: _, ...kept }: KeptIndex): KeptImport {
  return kept;
}
