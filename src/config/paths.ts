import type { Env, System } from '../deps.ts';
import { pathIn } from '../values/paths.ts';

export interface Paths {
  /** The directory of `config.json`: settings that the user can edit, without secrets. */
  readonly config: string;
  /** The directory of files that svc can make again, such as stored answers. You can delete the files at any time. */
  readonly cache: string;
  /** The directory, with mode 0700, of state that svc cannot request again, such as the journal of writes. */
  readonly state: string;
  /**
   * The directory of the file store, for machines without a keychain. The directory has mode 0700, and a file of mode 0600 for each host.
   */
  readonly tokens: string;
  /**
   * The directory for the locks and the host index of the OS user’s keychain. The directory does not depend on `HOME` or `SVC_CONFIG_DIR`,
   * because shells with different configuration directories share one keychain.
   */
  readonly keychain: string;
}

/** Returns {@link Paths.state}. Does not look up the OS account. */
export function stateDirectory(env: Env, system: Pick<System, 'platform' | 'home'>): string {
  const windows = system.platform === 'win32';
  const own = env['SVC_CONFIG_DIR'];
  if (own) return [own, 'state'].join(windows ? '\\' : '/');
  if (windows) return [env['LOCALAPPDATA'] || [system.home, 'AppData', 'Local'].join('\\'), 'svc', 'state'].join('\\');
  return `${absolute(env['XDG_STATE_HOME']) ?? `${system.home}/.local/state`}/svc`;
}

/**
 * Returns the directories: XDG on Unix; on Windows `%APPDATA%`, and `%LOCALAPPDATA%` for the cache and the state. `SVC_CONFIG_DIR` takes
 * precedence, except for `keychain`.
 */
export function resolvePaths(env: Env, system: Pick<System, 'platform' | 'home' | 'accountHome'>): Paths {
  const windows = system.platform === 'win32';
  const join = (...parts: string[]) => parts.join(windows ? '\\' : '/');
  const roaming = env['APPDATA'] || join(system.home, 'AppData', 'Roaming');
  const local = env['LOCALAPPDATA'] || join(system.home, 'AppData', 'Local');
  const own = env['SVC_CONFIG_DIR'];
  const config = own || (windows ? join(roaming, 'svc') : join(absolute(env['XDG_CONFIG_HOME']) ?? join(system.home, '.config'), 'svc'));
  const cache = windows ? join(local, 'svc', 'cache') : join(absolute(env['XDG_CACHE_HOME']) ?? join(system.home, '.cache'), 'svc');
  return {
    config,
    cache: own ? join(own, 'cache') : cache,
    state: stateDirectory(env, system),
    tokens: join(config, 'tokens'),
    // A getter, so that svc looks up the OS account only when needed.
    get keychain() {
      return join(system.accountHome, ...(windows ? ['AppData', 'Local'] : ['.local', 'state']), 'svc', 'keychain');
    },
  };
}

/** Returns the path of the policy file (`svc policy set`), next to the settings. */
export function policyPath({ config }: Pick<Paths, 'config'>): string {
  return pathIn(config, 'policy.json');
}

/** Returns an absolute path unchanged. Returns undefined for a relative path, because the XDG specification ignores such a path. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') ? path : undefined;
}
