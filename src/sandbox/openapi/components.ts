import type { JsonSchema } from '../resources/define.ts';

type Kind = 'schemas' | 'parameters' | 'responses' | 'headers' | 'requestBodies';

/** The parts of a document that are written once and referred to. A part without a reference is left out. */
export interface Components {
  /** A reference to a part, which is made when it is first referred to; a part may refer to itself. */
  ref(kind: Kind, name: string, make: () => JsonSchema): JsonSchema;
  /** All that were made, by kind, in the order of their names. */
  readonly all: { readonly [kind: string]: { readonly [name: string]: JsonSchema } };
}

export function createComponents(): Components {
  const kinds = new Map<Kind, Map<string, JsonSchema>>();
  return {
    ref: (kind, name, make) => {
      const made = kinds.get(kind) ?? new Map<string, JsonSchema>();
      kinds.set(kind, made);
      if (!made.has(name)) {
        made.set(name, {});
        made.set(name, make());
      }
      return { $ref: `#/components/${kind}/${name}` };
    },
    get all() {
      const sorted = [...kinds].map(([kind, made]) => [kind, Object.fromEntries([...made].sort(([a], [b]) => (a < b ? -1 : 1)))]);
      return Object.fromEntries(sorted) as Components['all'];
    },
  };
}
