import { type Catalog, createCatalog, type ResourceEntry } from '../catalog/index.ts';
import { GLOBAL_OPTIONS } from '../cli/globals.ts';
import { spellingsOf } from '../cli/resolve.ts';
import { NotFoundError, SvcError } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import { type Describing, describe } from './describe.ts';
import type { DescribedEntry, DescribedResource } from './described.ts';

/** The help section for resources that the built-in catalog does not have. */
const ALSO_HERE = 'Also here';

/**
 * Returns the catalog for an organisation with an imported API spec. The catalog has the resources of the spec, and the resources that only
 * discovery lists. Resources of the built-in catalog come first, in its order.
 *
 * @param read reads one resource of the spec. Returns undefined if the stored file is missing or damaged. The `load` of an entry that is
 * not built-in then rejects with an `SvcError`.
 */
export function describedCatalog(
  builtIn: Catalog,
  host: Host,
  entries: readonly DescribedEntry[],
  read: (noun: string) => Promise<DescribedResource | undefined>,
  discovered: readonly DescribedResource[],
): Catalog {
  const names = new Set(entries.map(({ noun }) => noun));
  const describing = { host: host.name, taken: takenFlags(), has: (noun: string) => names.has(noun) };
  const load = async (noun: string, known: ResourceEntry | undefined) => {
    const [resource, described] = await Promise.all([known?.load(), read(noun)]);
    if (described !== undefined) return describe(resource, described, describing);
    // svc has already reported the damaged file, and uses the built-in entry instead.
    if (resource !== undefined) return resource;
    throw new SvcError(`The stored API spec of ${noun} is damaged.`, { hint: 'Import the API spec again: svc schema import <file>' });
  };
  const known = builtIn.nouns.filter(({ noun }) => names.has(noun)).map((noun) => ({ ...noun, load: () => load(noun.noun, noun) }));
  const own = entries
    .filter(({ noun }) => !builtIn.nouns.some((one) => one.noun === noun))
    .map(({ noun, singular, summary }) => ({ noun, singular, summary, area: ALSO_HERE, load: () => load(noun, undefined) }));
  const also = discovered
    .filter(({ noun }) => !names.has(noun) && !builtIn.nouns.some((one) => one.noun === noun))
    .map((noun) => alsoHere(noun, describing));
  const missing = (noun: string) =>
    new NotFoundError(`The imported API spec of ${host.name} has no ${noun.replaceAll('-', ' ')}.`, {
      hint: 'To see what the spec has: svc schema show. To use svc’s built-in knowledge again: svc schema forget',
    });
  const checkMissing = (noun: string) => {
    if (!names.has(noun) && builtIn.nouns.some((one) => one.noun === noun)) throw missing(noun);
  };
  return { ...createCatalog([...known, ...own, ...also], missing), described: { host }, checkMissing };
}

/** Returns the built-in catalog together with the resources that only discovery lists. Without an API spec, svc removes no resource. */
export function discoveredCatalog(builtIn: Catalog, host: Host, discovered: readonly DescribedResource[]): Catalog {
  const has = (noun: string) => builtIn.nouns.some((one) => one.noun === noun);
  const also = discovered.filter(({ noun }) => !has(noun)).map((noun) => alsoHere(noun, { host: host.name, taken: takenFlags(), has }));
  if (also.length === 0) return builtIn;
  return createCatalog([...builtIn.nouns, ...also], (noun) => new Error(`The catalog has no ${noun}.`));
}

function alsoHere(described: DescribedResource, describing: Describing): ResourceEntry {
  const { noun, singular, summary } = described;
  return {
    noun,
    singular,
    summary,
    area: ALSO_HERE,
    isDiscovered: true,
    load: async () => describe(undefined, described, { ...describing, open: true }),
  };
}

/** Flags of write commands that no field of an API spec can have, including the flags for logging hours. */
const OF_WRITES = [
  'field',
  'raw-field',
  'data',
  'view',
  'idempotency-key',
  'if-match',
  'if-unchanged',
  'html',
  'where',
  'max-changes',
  'include',
  'help',
  'version',
  'repeat',
  'from',
  'to',
  'like',
  'later',
  'no-check',
  'no-context',
];

/** Returns all flags that already have another meaning, without dashes. */
export function takenFlags(): ReadonlySet<string> {
  const everywhere = Object.values(GLOBAL_OPTIONS).flatMap(({ flags }) => spellingsOf(flags));
  return new Set([...everywhere.map((flag) => flag.replace(/^--?/, '')), ...OF_WRITES]);
}
