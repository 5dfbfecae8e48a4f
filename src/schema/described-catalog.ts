import { type Catalog, createCatalog, type Noun } from '../catalog/index.ts';
import { GLOBAL_OPTIONS } from '../cli/globals.ts';
import { spellingsOf } from '../cli/resolve.ts';
import { NotFoundError, SvcError } from '../errors.ts';
import type { Host } from '../values/host.ts';
import { type Describing, describe } from './describe.ts';
import type { DescribedEntry, DescribedNoun } from './described.ts';

/** Where help lists what an organisation has and svc itself does not know. */
const ALSO_HERE = 'Also here';

/**
 * The catalog of an organisation whose description was imported: its nouns and no others, in svc's own order, then those that svc does not
 * know.
 *
 * @param read Reads one noun of the description; undefined where what is kept of it is damaged.
 */
export function describedCatalog(
  builtIn: Catalog,
  host: Host,
  entries: readonly DescribedEntry[],
  read: (noun: string) => Promise<DescribedNoun | undefined>,
  discovered: readonly DescribedNoun[],
): Catalog {
  const names = new Set(entries.map(({ noun }) => noun));
  const describing = { host: host.name, taken: takenFlags(), has: (noun: string) => names.has(noun) };
  const load = async (noun: string, known: Noun | undefined) => {
    const [resource, described] = await Promise.all([known?.load(), read(noun)]);
    if (described !== undefined) return describe(resource, described, describing);
    // What svc itself knows is better than nothing; that the description is damaged was told.
    if (resource !== undefined) return resource;
    throw new SvcError(`What was kept of ${noun} is damaged.`, { hint: 'Import the description again: svc schema import' });
  };
  const known = builtIn.nouns.filter(({ noun }) => names.has(noun)).map((noun) => ({ ...noun, load: () => load(noun.noun, noun) }));
  const own = entries
    .filter(({ noun }) => !builtIn.nouns.some((one) => one.noun === noun))
    .map(({ noun, singular, summary }) => ({ noun, singular, summary, area: ALSO_HERE, load: () => load(noun, undefined) }));
  const also = discovered
    .filter(({ noun }) => !names.has(noun) && !builtIn.nouns.some((one) => one.noun === noun))
    .map((noun) => alsoHere(noun, describing));
  const missing = (noun: string) =>
    new NotFoundError(`${host.name} has no ${noun.replaceAll('-', ' ')}, as its imported description says.`, {
      hint: 'What it has: svc schema show. Where that has changed: svc schema import',
    });
  const checkMissing = (noun: string) => {
    if (!names.has(noun) && builtIn.nouns.some((one) => one.noun === noun)) throw missing(noun);
  };
  return { ...createCatalog([...known, ...own, ...also], missing), described: { host }, checkMissing };
}

/** The built-in catalog, and what discovery listed besides: nothing is described, so nothing of svc's own is taken away. */
export function discoveredCatalog(builtIn: Catalog, host: Host, discovered: readonly DescribedNoun[]): Catalog {
  const has = (noun: string) => builtIn.nouns.some((one) => one.noun === noun);
  const also = discovered.filter(({ noun }) => !has(noun)).map((noun) => alsoHere(noun, { host: host.name, taken: takenFlags(), has }));
  if (also.length === 0) return builtIn;
  return createCatalog([...builtIn.nouns, ...also], (noun) => new Error(`The catalog has no ${noun}.`));
}

function alsoHere(described: DescribedNoun, describing: Describing): Noun {
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

/** Flags of writes that no field of a description may have; those of svc's own way to log hours among them. */
const OF_WRITES = [
  'field',
  'raw-field',
  'data',
  'view',
  'idempotency-key',
  'if-match',
  'if-unchanged',
  'html',
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

/** Every flag that means something else already, without dashes. */
export function takenFlags(): ReadonlySet<string> {
  const everywhere = Object.values(GLOBAL_OPTIONS).flatMap(({ flags }) => spellingsOf(flags));
  return new Set([...everywhere.map((flag) => flag.replace(/^--?/, '')), ...OF_WRITES]);
}
