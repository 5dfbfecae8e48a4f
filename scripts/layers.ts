import { realpathSync } from 'node:fs';
import type { CodeSplittingNameFunction } from 'rolldown';

/**
 * What runs together is put in one file, since each file costs a tenth of a millisecond to find, read and compile. A layer
 * is its roots and all that they import, without what an earlier layer has: so files never import each other in a circle,
 * whatever is added. What stands in no layer goes where the bundler sees fit, which is best for what only one command uses.
 */
const LAYERS: readonly (readonly [name: string, ...roots: string[]])[] = [
  // Every command.
  ['core', 'src/run.ts', 'src/system/output.ts', 'src/system/files.ts', 'src/system/network.ts', 'src/system/interrupts.ts'],
  // Every command that is typed right, and all help.
  ['parse', 'src/cli/parse.ts', 'src/cli/help.ts'],
  // Every record that is asked for and printed.
  [
    'records',
    'src/session/print.ts',
    'src/records/read-record.ts',
    'src/output/json-writer.ts',
    'src/client/pages.ts',
    'src/client/cost.ts',
    'src/catalog/define.ts',
    'src/catalog/fields.ts',
  ],
  // Every request.
  [
    'network',
    'src/system/connections.ts',
    'node_modules/undici/lib/core/connect.js',
    'node_modules/undici/lib/dispatcher/agent.js',
    'src/system/exchange.ts',
  ],
  // Every signed-in command.
  ['signed-in', 'src/auth/accounts.ts', 'src/auth/credential-source.ts', 'src/client/api-client.ts'],
  // Every noun.
  ['nouns', 'src/commands/nouns/index.ts', 'src/commands/nouns/create.ts'],
];

/** Loaded by its importer when it is needed: only one of the two is. */
const ALONE = /\/undici\/lib\/llhttp\/llhttp[\w-]*\.js$/;

/** Names the layer of each module. The graph is complete when the first name is asked for. */
export function layers(): CodeSplittingNameFunction {
  let known: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    known ??= assign((module) => graph.getModuleInfo(module)?.importedIds);
    return known.get(id);
  };
}

/** @param importsOf What a module imports at once; undefined for one that is not in the bundle. */
function assign(importsOf: (module: string) => readonly string[] | undefined): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  const visit = (module: string, layer: string): void => {
    if (known.has(module) || ALONE.test(module)) return;
    known.set(module, layer);
    for (const next of importsOf(module) ?? []) visit(next, layer);
  };
  for (const [layer, ...roots] of LAYERS) {
    for (const root of roots) {
      const module = realpathSync(root);
      if (importsOf(module) === undefined) throw new Error(`scripts/layers.ts names ${root}, which svc does not use.`);
      visit(module, layer);
    }
  }
  return known;
}
