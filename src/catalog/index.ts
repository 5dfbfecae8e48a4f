import type { Host } from '../values/host.ts';
import { AREAS } from './areas.ts';
import type { Resource } from './define.ts';
import { NOUNS, type NounName } from './nouns.ts';

/** A resource as a list of nouns shows it; the rest is loaded when it is wanted. */
export interface Noun {
  readonly noun: string;
  readonly singular: string;
  readonly summary: string;
  /** The title of its area: `Work items`. */
  readonly area: string;
  /** Nothing but discovery tells of it. */
  readonly isDiscovered?: true;
  load(): Promise<Resource>;
}

/** What there is to work with: made once for a command line, and passed on. */
export interface Catalog {
  /** Every noun, in the order in which help lists them. */
  readonly nouns: readonly Noun[];
  /** The resource of a noun or its singular; undefined when there is none. */
  readonly find: (word: string) => Promise<Resource | undefined>;
  /** The resource of a noun that svc itself names. */
  readonly of: (noun: NounName) => Promise<Resource>;
  /** Whose imported description it follows; undefined where there is none. */
  readonly described?: { readonly host: Host };
  /** Throws for a noun that svc knows and the organisation's description has not. */
  readonly checkMissing?: (noun: string) => void;
  /** Every resource, nested ones included behind their parents. Loads the whole catalog. */
  readonly all: () => Promise<Resource[]>;
}

/**
 * A catalog of these nouns.
 *
 * @param missing What `of` throws for a noun that is not among them.
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

/** What svc itself knows of the service. */
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
