import type { Paths } from '../config/paths.ts';
import type { Files } from '../deps.ts';
import type { Host } from '../values/addresses.ts';
import type { DescribedNoun, KeptImport, KeptIndex } from './described.ts';
import { readIndex, readNoun } from './read-described.ts';

export type { KeptImport, KeptIndex } from './described.ts';

/**
 * The place of an imported API spec: `<state>/schema/<origin>/index.json`. Beside it each resource has a file with a name that begins with
 * the generation in the index. An import writes the files of a new generation first and the index last. A crash therefore leaves the old
 * import complete.
 */
export interface SchemaPlace {
  readonly paths: Pick<Paths, 'state'>;
  readonly files: Pick<Files, 'readText' | 'rename'>;
  /** Receives one report of an import that svc cannot read, and the reason. */
  readonly notice: (line: string) => Promise<void>;
}

/** The most characters of a stored file; the files that svc writes are far smaller. */
const MOST = 16 * 1024 * 1024;

/**
 * Reads the index of a host; undefined without an import. A damaged index, or one in another version’s form, counts as absent. svc renames
 * it to `index.damaged.json`, so that it reports the damage once.
 */
export async function keptIndex(place: SchemaPlace, host: Pick<Host, 'name' | 'origin'>): Promise<KeptIndex | undefined> {
  const path = indexPath(place.paths, host);
  const text = await place.files.readText(path).catch(() => undefined);
  if (text === undefined) return undefined;
  const index = text.length > MOST ? undefined : readIndex(parsed(text));
  if (index === undefined) await putAside(place, path, `of ${host.name}`);
  return index;
}

/**
 * Reads a resource of an import, by its name in the index; for a child resource, read its parent. Undefined if the import does not have it,
 * or its file is damaged or missing. Damage is reported once.
 *
 * @param index the result of {@link keptIndex}, or the `previous` in it.
 */
export async function keptNoun(
  place: SchemaPlace,
  host: Pick<Host, 'name' | 'origin'>,
  index: KeptImport,
  noun: string,
): Promise<DescribedNoun | undefined> {
  return index.nouns.some((entry) => entry.noun === noun) ? readKept(place, host, index, noun) : undefined;
}

/** Reads every resource of an import. It leaves out damaged and missing ones, and reports damage once. */
export async function keptNouns(place: SchemaPlace, host: Pick<Host, 'name' | 'origin'>, index: KeptImport): Promise<DescribedNoun[]> {
  const found = await Promise.all(index.nouns.map(({ noun }) => readKept(place, host, index, noun)));
  return found.filter((noun) => noun !== undefined);
}

/** Reads the file of a resource in the index. */
async function readKept(
  place: SchemaPlace,
  host: Pick<Host, 'name' | 'origin'>,
  index: KeptImport,
  noun: string,
): Promise<DescribedNoun | undefined> {
  const path = nounPath(place.paths, host, index.generation, noun);
  const text = await place.files.readText(path).catch(() => undefined);
  if (text === undefined) return undefined;
  const found = text.length > MOST ? undefined : readNoun(parsed(text));
  if (found?.noun === noun) return found;
  await putAside(place, path, `of ${noun} at ${host.name}`);
  return undefined;
}

/** Returns the directory of a host: its origin in small letters, digits, dots and dashes. Other characters become numbers. */
export function schemaDirectory(paths: Pick<Paths, 'state'>, { origin }: Pick<Host, 'origin'>): string {
  // Windows removes a dot at the end of a name.
  const name = origin.replace(/[^a-z0-9.-]|\.$/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `${paths.state}/schema/${name}`;
}

export function indexPath(paths: Pick<Paths, 'state'>, host: Pick<Host, 'origin'>): string {
  return `${schemaDirectory(paths, host)}/index.json`;
}

/**
 * Returns the file of a resource, in small letters, digits and dashes (`isSafeWord`). It begins with the generation, so it is no device
 * name.
 */
export function nounPath(paths: Pick<Paths, 'state'>, host: Pick<Host, 'origin'>, generation: string, noun: string): string {
  return `${schemaDirectory(paths, host)}/${generation}-${noun}.json`;
}

async function putAside({ files, notice }: SchemaPlace, path: string, whose: string): Promise<void> {
  await files.rename(path, path.replace(/\.json$/, '.damaged.json')).catch(() => undefined);
  await notice(
    `The imported description ${whose} is damaged, or another svc kept it, and does not count. Import it again: svc schema import <file>`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the file with the resources of discovery, beside an imported API spec. */
function discoveryPath(place: Pick<SchemaPlace, 'paths'>, host: Pick<Host, 'origin'>): string {
  return `${schemaDirectory(place.paths, host)}/discovered.json`;
}

/** Returns the stored resources of discovery; none if nobody has run it, or the file is damaged. */
export async function keptDiscovery(
  place: Pick<SchemaPlace, 'paths' | 'files'>,
  host: Pick<Host, 'origin'>,
): Promise<readonly DescribedNoun[]> {
  const text = await place.files.readText(discoveryPath(place, host)).catch(() => undefined);
  if (text === undefined) return [];
  try {
    const nouns: unknown = JSON.parse(text);
    return Array.isArray(nouns) ? nouns.flatMap((noun) => readNoun(noun) ?? []) : [];
  } catch {
    return [];
  }
}

/** Stores the resources of discovery; an empty list deletes the file. */
export async function keepDiscovery(
  place: Pick<SchemaPlace, 'paths'> & {
    readonly files: { writeAtomic(path: string, text: string): Promise<void>; remove(path: string): Promise<boolean> };
  },
  host: Pick<Host, 'origin'>,
  nouns: readonly DescribedNoun[],
): Promise<void> {
  const path = discoveryPath(place, host);
  if (nouns.length === 0) await place.files.remove(path);
  else await place.files.writeAtomic(path, JSON.stringify(nouns));
}
