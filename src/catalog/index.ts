import type { Host } from '../values/addresses.ts';
import { AREAS } from './areas.ts';
import type { Resource } from './define.ts';
import { RESOURCE_NAMES, type ResourceName } from './resource-names.ts';

export interface ResourceEntry {
  readonly noun: string;
  readonly singular: string;
  readonly summary: string;
  readonly area: string;
  readonly isDiscovered?: true;
  load(): Promise<Resource>;
}

export interface Catalog {
  readonly nouns: readonly ResourceEntry[];
  readonly find: (word: string) => Promise<Resource | undefined>;
  readonly of: (noun: ResourceName) => Promise<Resource>;
  /** The organisation whose imported API spec the catalog follows. Undefined without an API spec. */
  readonly described?: { readonly host: Host };
  /** Throws an error if svc knows a resource that the organisation’s API spec lacks. */
  readonly checkMissing?: (noun: string) => void;
  readonly all: () => Promise<Resource[]>;
}

/**
 * Creates a catalog.
 *
 * @param missing Creates the error that `of` throws for a missing resource.
 */
export function createCatalog(nouns: readonly ResourceEntry[], missing: (noun: ResourceName) => Error): Catalog {
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
  return createCatalog(builtInResources(), (noun) => new Error(`The catalog has no ${noun}.`));
}

function builtInResources(): ResourceEntry[] {
  return RESOURCE_NAMES.map(([area, title, noun, singular, summary]) => ({
    noun,
    singular,
    summary,
    area: title,
    async load() {
      const { resources } = await AREAS[area]();
      const found = resources.find((resource) => resource.noun === noun);
      if (found === undefined) throw new Error(`No group of resources has ${noun}.`);
      return found;
    },
  }));
}
