import type { Host } from '../values/host.ts';
import type { DescribedNoun } from './described.ts';
import { type SchemaPlace, schemaDirectory } from './kept-schema.ts';
import { readNoun } from './read-described.ts';

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
