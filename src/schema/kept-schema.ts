import type { Paths } from '../config/paths.ts';
import type { Files } from '../deps.ts';
import type { Host } from '../values/host.ts';
import type { DescribedNoun } from './described.ts';
import type { KeptImport, KeptIndex } from './kept.ts';
import { readIndex, readNoun } from './read-described.ts';

export type { KeptImport, KeptIndex } from './kept.ts';

/**
 * Where an imported description is kept, and how it is read back: `<state>/schema/<origin>/index.json`, and beside it a
 * file a noun, whose name begins with the generation that the index names. An import writes the nouns of a new generation first and the
 * index last, so that a crash leaves the old import whole.
 */
export interface SchemaPlace {
  readonly paths: Pick<Paths, 'state'>;
  readonly files: Pick<Files, 'readText' | 'rename'>;
  /** Told once that what is kept cannot be read, and why nothing of it counts. */
  readonly notice: (line: string) => Promise<void>;
}

/** The most characters of a file that is read back; what svc writes is far smaller. */
const MOST = 16 * 1024 * 1024;

/**
 * What was imported for a host; undefined where nothing was. One that is damaged, or was written by an svc that keeps it otherwise, is as
 * if absent: it is put aside as `index.damaged.json`, so that it is told once.
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
 * A noun of an import, by its name in the index; of a noun below another one, read the upper one. Undefined where the import has none, or
 * its file is damaged or gone, which is told once.
 *
 * @param index What {@link keptIndex} gave, or the `previous` in it.
 */
export async function keptNoun(
  place: SchemaPlace,
  host: Pick<Host, 'name' | 'origin'>,
  index: KeptImport,
  noun: string,
): Promise<DescribedNoun | undefined> {
  return index.nouns.some((entry) => entry.noun === noun) ? readKept(place, host, index, noun) : undefined;
}

/** Every noun of an import; what is damaged or gone is left out, and told of once. */
export async function keptNouns(place: SchemaPlace, host: Pick<Host, 'name' | 'origin'>, index: KeptImport): Promise<DescribedNoun[]> {
  const found = await Promise.all(index.nouns.map(({ noun }) => readKept(place, host, index, noun)));
  return found.filter((noun) => noun !== undefined);
}

/** @param noun One that the index has. */
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

/** The directory of a host: its origin in small letters, digits, dots and dashes, whatever else it has written as numbers. */
export function schemaDirectory(paths: Pick<Paths, 'state'>, { origin }: Pick<Host, 'origin'>): string {
  // Windows takes a dot off the end of a name.
  const name = origin.replace(/[^a-z0-9.-]|\.$/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `${paths.state}/schema/${name}`;
}

export function indexPath(paths: Pick<Paths, 'state'>, host: Pick<Host, 'origin'>): string {
  return `${schemaDirectory(paths, host)}/index.json`;
}

/** The file of a noun: of small letters, digits and dashes (`isSafeWord`), and no name of a device, since it begins with the generation. */
export function nounPath(paths: Pick<Paths, 'state'>, host: Pick<Host, 'origin'>, generation: string, noun: string): string {
  return `${schemaDirectory(paths, host)}/${generation}-${noun}.json`;
}

async function putAside({ files, notice }: SchemaPlace, path: string, whose: string): Promise<void> {
  await files.rename(path, path.replace(/\.json$/, '.damaged.json')).catch(() => undefined);
  await notice(
    `The imported description ${whose} is damaged, or another svc kept it, and does not count. Import it again: svc schema import`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
