import type { Host } from '../values/addresses.ts';
import { AREAS } from './areas.ts';
import type { Resource } from './define.ts';
import { NOUNS, type NounName } from './nouns.ts';

/** A resource, as a list of resources shows it; the rest is loaded on demand. */
export interface Noun {
  readonly noun: string;
  readonly singular: string;
  readonly summary: string;
  /** The title of its area: `Work items`. */
  readonly area: string;
  /** Whether only discovery lists it. */
  readonly isDiscovered?: true;
  load(): Promise<Resource>;
}

/** The resources that svc can use: made once for a command line, and passed on. */
export interface Catalog {
  /** Every resource, in the order of help. */
  readonly nouns: readonly Noun[];
  /** The resource with this name or singular; undefined when there is none. */
  readonly find: (word: string) => Promise<Resource | undefined>;
  /** A resource that svc itself has code for. */
  readonly of: (noun: NounName) => Promise<Resource>;
  /** The organisation whose imported API spec it follows; undefined where there is none. */
  readonly described?: { readonly host: Host };
  /** Throws for a resource that svc knows and the organisation's API spec does not have. */
  readonly checkMissing?: (noun: string) => void;
  /** Every resource, child collections included after their parents. Loads the whole catalog. */
  readonly all: () => Promise<Resource[]>;
}

/**
 * A catalog of these resources.
 *
 * @param missing The error that `of` throws for a resource that is not among them.
 */
export function createCatalog(nouns: readonly Noun[], missing: (noun: NounName) => Error): Catalog {
  const find = async (word: string) => nouns.find(({ noun, singular }) => noun === word || singular === word)?.load();
  return {
    nouns,
    find,
    async of(noun) {
      const resource = await find(noun);
      if (resource === undefined) throw missing(noun);
      return resource;
    },
    async all() {
      const resources = await Promise.all(nouns.map(({ load }) => load()));
      return resources.flatMap((resource) => [resource, ...(resource.nested ?? [])]);
    },
  };
}

/** The catalog of the documented service. */
export function builtInCatalog(): Catalog {
  return createCatalog(builtInNouns(), (noun) => new Error(`The catalog has no ${noun}.`));
}

function builtInNouns(): Noun[] {
  return NOUNS.map(([area, title, noun, singular, summary]) => ({
    noun,
    singular,
    summary,
    area: title,
    async load() {
      const { resources } = await AREAS[area]();
      const found = resources.find((resource) => resource.noun === noun);
      if (found === undefined) throw new Error(`The table of nouns is stale: it has ${noun}, and its area does not.`);
      return found;
    },
  }));
}
