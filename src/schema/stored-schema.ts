import type { Paths } from '../config/paths.ts';
import type { Files } from '../deps.ts';
import type { Host } from '../values/addresses.ts';
import { isPlainObject, parsedJson } from '../values/json.ts';
import type { DescribedResource, StoredImport, StoredIndex } from './described.ts';
import { readDescribedResource, readIndex } from './read-described.ts';

/**
 * The location of imported API specs: `<state>/schema/<origin>/index.json`. The same directory has a file for each resource, whose name
 * starts with the generation from the index. An import writes the index last, so a crash leaves the old import complete.
 */
export interface SchemaPlace {
  readonly paths: Pick<Paths, 'state'>;
  readonly files: Pick<Files, 'readText' | 'rename'>;
  /** Receives one message about an import that svc can’t read, with the reason. */
  readonly notice: (line: string) => Promise<void>;
}

/** The most characters of a stored file. A larger file counts as damaged, because svc writes far smaller files. */
const MOST = 16 * 1024 * 1024;

/**
 * Reads the index of an organisation. Returns undefined for a missing or damaged index, and for the index of a newer svc. svc renames a
 * damaged index to `index.damaged.json`, so that svc reports the damage only once. The index of a newer svc stays unchanged.
 */
export async function storedIndex(place: SchemaPlace, host: Pick<Host, 'name' | 'origin'>): Promise<StoredIndex | undefined> {
  const path = indexPath(place.paths, host);
  const text = await place.files.readText(path).catch(() => undefined);
  if (text === undefined) return undefined;
  const value = text.length > MOST ? undefined : parsedJson(text);
  if (isPlainObject(value) && Number(value['form']) > 1) {
    await place.notice(`A newer svc stored the imported API spec of ${host.name}. This svc ignores the spec. Use the newer svc.`);
    return undefined;
  }
  const index = readIndex(value);
  if (index === undefined) await putAside(place, path, `of ${host.name}`);
  return index;
}

/**
 * Reads one resource of an import. Returns undefined if the import lacks the resource, or if its file is missing or damaged. svc reports
 * damage once. A child resource is in the file of its parent.
 *
 * @param index result of {@link storedIndex}, or its `previous`.
 */
export async function storedResource(
  place: SchemaPlace,
  host: Pick<Host, 'name' | 'origin'>,
  index: StoredImport,
  noun: string,
): Promise<DescribedResource | undefined> {
  if (!index.nouns.some((entry) => entry.noun === noun)) return undefined;
  const path = resourcePath(place.paths, host, index.generation, noun);
  const text = await place.files.readText(path).catch(() => undefined);
  if (text === undefined) return undefined;
  const found = text.length > MOST ? undefined : readDescribedResource(parsedJson(text));
  if (found?.noun === noun) return found;
  await putAside(place, path, `of ${noun} at ${host.name}`);
  return undefined;
}

/** Reads all resources of an import. Leaves out damaged and missing files, and reports each damaged file. */
export async function storedResources(
  place: SchemaPlace,
  host: Pick<Host, 'name' | 'origin'>,
  index: StoredImport,
): Promise<DescribedResource[]> {
  const found = await Promise.all(index.nouns.map(({ noun }) => storedResource(place, host, index, noun)));
  return found.filter((noun) => noun !== undefined);
}

/**
 * Returns the directory of an organisation. Its name is the origin in small letters, digits, dots and dashes. Other characters become `%`
 * with a hexadecimal number.
 */
export function schemaDirectory(paths: Pick<Paths, 'state'>, { origin }: Pick<Host, 'origin'>): string {
  // Windows removes a dot at the end of a file name.
  const name = origin.replace(/[^a-z0-9.-]|\.$/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `${paths.state}/schema/${name}`;
}

export function indexPath(paths: Pick<Paths, 'state'>, host: Pick<Host, 'origin'>): string {
  return `${schemaDirectory(paths, host)}/index.json`;
}

/**
 * Returns the path of a resource’s file. The name of the file has only small letters, digits and dashes (`isSafeWord`). The name starts
 * with the generation, so it can’t be a Windows device name.
 */
export function resourcePath(paths: Pick<Paths, 'state'>, host: Pick<Host, 'origin'>, generation: string, noun: string): string {
  return `${schemaDirectory(paths, host)}/${generation}-${noun}.json`;
}

async function putAside({ files, notice }: SchemaPlace, path: string, whose: string): Promise<void> {
  await files.rename(path, path.replace(/\.json$/, '.damaged.json')).catch(() => undefined);
  await notice(`The imported API spec ${whose} is damaged. svc ignores the spec. Import the spec again: svc schema import <file>`);
}

/** Returns the path of the file with the resources that discovery lists. */
function discoveryPath(place: Pick<SchemaPlace, 'paths'>, host: Pick<Host, 'origin'>): string {
  return `${schemaDirectory(place.paths, host)}/discovered.json`;
}

/** Reads the stored resources of discovery. Leaves out damaged resources. Returns an empty list if the file is missing or damaged. */
export async function storedDiscovery(
  place: Pick<SchemaPlace, 'paths' | 'files'>,
  host: Pick<Host, 'origin'>,
): Promise<readonly DescribedResource[]> {
  const nouns = parsedJson((await place.files.readText(discoveryPath(place, host)).catch(() => undefined)) ?? '');
  return Array.isArray(nouns) ? nouns.flatMap((noun) => readDescribedResource(noun) ?? []) : [];
}

/** Stores the resources of discovery. An empty list deletes the file. @throws the error of `place.files`. */
export async function storeDiscovery(
  place: Pick<SchemaPlace, 'paths'> & {
    readonly files: { writeAtomic(path: string, text: string): Promise<void>; remove(path: string): Promise<boolean> };
  },
  host: Pick<Host, 'origin'>,
  nouns: readonly DescribedResource[],
): Promise<void> {
  const path = discoveryPath(place, host);
  if (nouns.length === 0) await place.files.remove(path);
  else await place.files.writeAtomic(path, JSON.stringify(nouns));
}
