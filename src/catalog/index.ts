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
  load(): Promise<Resource>;
}

/** Every noun, in the order in which help lists them. */
export function listNouns(): Noun[] {
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

/** The resource of a noun or its singular; undefined when there is none. */
export async function findResource(word: string): Promise<Resource | undefined> {
  return listNouns()
    .find(({ noun, singular }) => noun === word || singular === word)
    ?.load();
}

/** The resource of a noun that svc itself names. */
export async function resourceOf(noun: NounName): Promise<Resource> {
  const resource = await findResource(noun);
  if (resource === undefined) throw new Error(`The catalog has no ${noun}.`);
  return resource;
}

/** Every resource, nested ones included behind their parents. Loads the whole catalog. */
export async function allResources(): Promise<Resource[]> {
  const areas = await Promise.all(Object.values(AREAS).map((load) => load()));
  return areas.flatMap(({ resources }) => resources.flatMap((resource) => [resource, ...(resource.nested ?? [])]));
}
