import type { Resource } from '../catalog/define.ts';
import type { Catalog } from '../catalog/index.ts';
import { UsageError } from '../errors.ts';
import { nearest } from '../values/suggest.ts';

/**
 * The resource that a word names, by its noun or singular.
 *
 * @param command what was typed before it, for the suggestion: `open`.
 * @param rest what was typed after it, with a blank before.
 * @throws UsageError with the nearest that there is.
 */
export async function namedResource(catalog: Catalog, word: string, command: string, rest = ''): Promise<Resource> {
  const resource = await catalog.find(word);
  if (resource !== undefined) return resource;
  const near = nearest(
    word,
    catalog.nouns.flatMap(({ noun, singular }) => [noun, singular]),
  );
  throw new UsageError(`"${word}" is no resource.`, {
    hint: near === undefined ? 'See: svc --help' : `Did you mean: svc ${command} ${near}${rest}`,
  });
}
