import { builtInCatalog, type Catalog } from '../catalog/index.ts';
import { stateDirectory } from '../config/paths.ts';
import type { Guarded } from './guard-terminal.ts';

/**
 * The catalog of one command line: svc's own, or that of the API spec imported for the line's organisation. Without any API spec, this
 * looks into one directory and reads nothing.
 */
export async function catalogFor(deps: Guarded, argv: readonly string[]): Promise<Catalog> {
  const builtIn = builtInCatalog();
  const kept = await deps.files.atOnce.list(`${stateDirectory(deps.env, deps.system)}/schema`).catch(() => []);
  if (kept.length === 0) return builtIn;
  return (await import('./kept-catalog.ts')).keptCatalog(deps, argv, builtIn);
}
