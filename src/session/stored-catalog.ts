import type { Catalog } from '../catalog/index.ts';
import { openConfigFile } from '../config/config-file.ts';
import { type Paths, resolvePaths } from '../config/paths.ts';
import { resolveHost } from '../config/resolve-host.ts';
import { settingsTable } from '../config/settings.ts';
import { OUTPUT_FORMATS } from '../output/format.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import { describedCatalog, discoveredCatalog } from '../schema/described-catalog.ts';
import { storedDiscovery, storedIndex, storedResource } from '../schema/stored-schema.ts';
import type { Host } from '../values/addresses.ts';
import { hostsOf } from '../values/sign-in-names.ts';
import { tokenInEnvironment } from './environment.ts';
import type { Guarded } from './guard-terminal.ts';

/** Returns the catalog for help. Never fails, because help must work with a broken configuration. */
export async function storedCatalog(deps: Guarded, argv: readonly string[], builtIn: Catalog): Promise<Catalog> {
  const { env, stdio, system } = deps;
  const files = { ...deps.files, ...deps.files.atOnce };
  const paths = resolvePaths(env, system);
  const host = await hostOf({ ...deps, files }, paths, argv).catch(() => undefined);
  if (host === undefined) return builtIn;
  const quiet = argv.includes('--quiet') || argv.includes('-q') || argv[0] === '__complete';
  const notice = async (line: string) => {
    if (!quiet) await stdio.stderr.write(`${neutraliseLine(line)}\n`).catch(() => undefined);
  };
  const place = { paths, files, notice };
  const index = await storedIndex(place, host);
  const discovered = await storedDiscovery(place, host);
  if (index === undefined) return discoveredCatalog(builtIn, host, discovered);
  return describedCatalog(builtIn, host, index.nouns, (noun) => storedResource(place, host, index, noun), discovered);
}

async function hostOf(deps: Guarded, paths: Paths, argv: readonly string[]): Promise<Host> {
  const { env, files, system } = deps;
  const signedIn = async () => {
    const { createAccounts } = await import('../auth/accounts.ts');
    return hostsOf(await createAccounts(deps, paths, () => undefined).names());
  };
  const { host } = await resolveHost({
    flag: hostFlag(argv),
    environment: env['SVC_HOST'],
    tokenInEnvironment: tokenInEnvironment(env) !== undefined,
    system,
    files,
    // Only a command that sends a request prints that svc does not use a `.svc.json`.
    notifyOnce: () => undefined,
    configured: async () => (await openConfigFile(files, paths.config, settingsTable(OUTPUT_FORMATS)).read()).host,
    signedIn,
  });
  return host;
}

function hostFlag(argv: readonly string[]): string | undefined {
  const at = argv.indexOf('--host');
  return at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith('--host='))?.slice('--host='.length);
}
