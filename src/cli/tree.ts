import type { CommandSpec } from './spec.ts';

/** A command and the words that lead to it, without `svc`. */
export interface Place {
  readonly path: readonly string[];
  readonly spec: CommandSpec;
}

/** Every command of a tree, each before those below it; loads all of them. Hidden ones are left out. */
export async function* walkTree(spec: CommandSpec, path: readonly string[] = []): AsyncGenerator<Place> {
  yield { path, spec };
  for (const entry of spec.commands ?? []) {
    if (!entry.hidden) yield* walkTree(await entry.load(), [...path, entry.name]);
  }
}
