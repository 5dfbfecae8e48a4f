import { createHash } from 'node:crypto';
import type { Paths } from '../config/paths.ts';
import type { Files } from '../deps.ts';
import type { Host } from '../values/addresses.ts';
import type { Compiled } from './compile.ts';
import type { StoredImport, StoredIndex } from './described.ts';
import { indexPath, resourcePath, schemaDirectory } from './stored-schema.ts';

/** The directory for imports, and the functions for its files. */
export interface StoringPlace {
  readonly paths: Pick<Paths, 'state'>;
  readonly files: Pick<Files, 'list' | 'remove' | 'writeAtomic'>;
}

/** The most files that svc writes in parallel, because each write waits for a flush. */
const AT_ONCE = 8;

/**
 * Stores an import of an API spec. svc first writes the resources under new names, then replaces the index in one step. Readers always find
 * a complete import, even after a crash. svc keeps the previous import for a comparison, and deletes older imports.
 *
 * @param before stored import. Undefined without a stored import. If you import the same API spec again, the previous import stays too.
 * @returns the new index.
 * @throws Node’s error if svc can’t write a file.
 */
export async function storeSchema(
  { paths, files }: StoringPlace,
  host: Pick<Host, 'name' | 'origin'>,
  { index, nouns }: Compiled,
  before: StoredIndex | undefined,
): Promise<StoredIndex> {
  const generation = createHash('sha256').update(JSON.stringify(nouns)).digest('hex').slice(0, 16);
  for (let at = 0; at < nouns.length; at += AT_ONCE) {
    const some = nouns.slice(at, at + AT_ONCE);
    await Promise.all(some.map((noun) => files.writeAtomic(resourcePath(paths, host, generation, noun.noun), JSON.stringify(noun))));
  }
  const previous = before === undefined ? undefined : before.generation === generation ? before.previous : withoutPrevious(before);
  const stored: StoredIndex = { ...index, generation, ...(previous !== undefined && { previous }) };
  await files.writeAtomic(indexPath(paths, host), JSON.stringify(stored));
  // svc deletes only the files of an index that svc has read. Another svc process may be writing other files.
  const over = before?.previous?.generation;
  if (over !== undefined && over !== generation && over !== previous?.generation) await removeFiles({ paths, files }, host, `${over}-`);
  return stored;
}

/** Deletes the imports and the stored resources of discovery for an organisation. Returns false if there was no import. */
export async function forgetSchema(place: StoringPlace, host: Pick<Host, 'origin'>): Promise<boolean> {
  // svc deletes the index first, because svc ignores resource files without an index.
  const had = await place.files.remove(indexPath(place.paths, host));
  await removeFiles(place, host, '');
  return had;
}

/** Deletes the files whose names start with `beginning`. Ignores files that svc can’t delete. */
async function removeFiles({ paths, files }: StoringPlace, host: Pick<Host, 'origin'>, beginning: string): Promise<void> {
  const directory = schemaDirectory(paths, host);
  const names = (await files.list(directory).catch(() => [])).filter((name) => name.startsWith(beginning));
  await Promise.all(names.map((name) => files.remove(`${directory}/${name}`).catch(() => false)));
}

function withoutPrevious({ previous: _, ...stored }: StoredIndex): StoredImport {
  return stored;
}
