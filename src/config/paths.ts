import type { Env, System } from '../deps.ts';
import { pathIn } from '../values/paths.ts';

export interface Paths {
  /** `config.json`: settings that the user may edit, no secret. */
  readonly config: string;
  /** Answers that Cache-Control lets svc keep; you can delete them at any time. */
  readonly cache: string;
  /** State that svc cannot fetch again, such as the journal of writes. One directory of mode 0700. */
  readonly state: string;
  /** The file store: a file of mode 0600 for each host, in a directory of mode 0700. Only without a keychain. */
  readonly tokens: string;
  /**
   * Files that belong to the OS user’s keychain, for every `HOME` and `SVC_CONFIG_DIR`: its locks, and the index of its hosts. Two shells
   * with different configuration directories share one keychain, so they must share these files.
   */
  readonly keychain: string;
}

/** Returns {@link Paths.state} without looking up the OS account. */
export function stateDirectory(env: Env, system: Pick<System, 'platform' | 'home'>): string {
  const windows = system.platform === 'win32';
  const own = env['SVC_CONFIG_DIR'];
  if (own) return [own, 'state'].join(windows ? '\\' : '/');
  if (windows) return [env['LOCALAPPDATA'] || [system.home, 'AppData', 'Local'].join('\\'), 'svc', 'state'].join('\\');
  return `${absolute(env['XDG_STATE_HOME']) ?? `${system.home}/.local/state`}/svc`;
}

/** Returns the directories for this environment: XDG on Unix, `%APPDATA%` on Windows; `SVC_CONFIG_DIR` takes precedence over both. */
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

/** Returns the file of `svc policy set`, beside the settings. */
export function policyPath({ config }: Pick<Paths, 'config'>): string {
  return pathIn(config, 'policy.json');
}

/** The XDG specification says to ignore relative paths. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') ? path : undefined;
}
