import type { Resource } from '../catalog/define.ts';
import { findResource, listNouns } from '../catalog/index.ts';
import { UsageError } from '../errors.ts';
import { nearest } from '../values/suggest.ts';

/**
 * The resource that a word names, by its noun or singular.
 *
 * @param command what was typed before it, for the suggestion: `open`.
 * @param rest what was typed after it, with a blank before.
 * @throws UsageError with the nearest that there is.
 */
export async function namedResource(word: string, command: string, rest = ''): Promise<Resource> {
  const resource = await findResource(word);
  if (resource !== undefined) return resource;
  const near = nearest(
    word,
    listNouns().flatMap(({ noun, singular }) => [noun, singular]),
  );
  throw new UsageError(`"${word}" is no resource.`, {
    hint: near === undefined ? 'See: svc --help' : `Did you mean: svc ${command} ${near}${rest}`,
  });
}
