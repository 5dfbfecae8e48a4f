import type { DescribedNoun } from '../../schema/described.ts';
import { type KeptImport, keptNoun, type SchemaPlace } from '../../schema/kept-schema.ts';
import type { Host } from '../../values/host.ts';

/** Every noun of an import; what is damaged or gone is left out, and told of once. */
export async function keptNouns(place: SchemaPlace, host: Host, index: KeptImport): Promise<DescribedNoun[]> {
  const found = await Promise.all(index.nouns.map(({ noun }) => keptNoun(place, host, index, noun)));
  return found.filter((noun) => noun !== undefined);
}
