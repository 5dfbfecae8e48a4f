import type { Host } from '../values/addresses.ts';
import { AREAS } from './areas.ts';
import type { Resource } from './define.ts';
import { NOUNS, type NounName } from './nouns.ts';

export interface Noun {
  readonly noun: string;
  readonly singular: string;
  readonly summary: string;
  readonly area: string;
  readonly isDiscovered?: true;
  load(): Promise<Resource>;
}

/** The resources that svc can use. svc creates one catalog for each command line. */
export interface Catalog {
  readonly nouns: readonly Noun[];
  readonly find: (word: string) => Promise<Resource | undefined>;
  readonly of: (noun: NounName) => Promise<Resource>;
  /** The organisation whose imported API spec the catalog follows. Undefined without an API spec. */
  readonly described?: { readonly host: Host };
  /** Throws an error if svc knows a resource but the organisation’s API spec lacks it. */
  readonly checkMissing?: (noun: string) => void;
  readonly all: () => Promise<Resource[]>;
}

/** @param missing creates the error that `of` throws for a resource that is missing. */
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
