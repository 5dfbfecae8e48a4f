import type { CommandSpec } from './spec.ts';

/** A command and the words that lead to it, without `svc`. */
export interface PlacedCommand {
  readonly path: readonly string[];
  readonly spec: CommandSpec;
}

/** Every command of a tree, each before those below it; loads all of them. Hidden ones are left out. */
export async function* walkTree(spec: CommandSpec, path: readonly string[] = []): AsyncGenerator<PlacedCommand> {
  yield { path, spec };
  for (const entry of spec.commands ?? []) {
    if (!entry.hidden) yield* walkTree(await entry.load(), [...path, entry.name]);
  }
}
