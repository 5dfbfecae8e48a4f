import type { Env, System } from '../deps.ts';

/** Where svc keeps files. None of them is created before it is needed. */
export interface Paths {
  /** `config.json`: settings a person may edit, no secret. */
  readonly config: string;
  /** What Cache-Control lets svc keep; may be deleted at any time. */
  readonly cache: string;
  /** What svc remembers from run to run and cannot fetch again: the journal of writes. One directory of mode 0700. */
  readonly state: string;
  /** The file store: one file of mode 0600 a host, in a directory of mode 0700. Only where there is no keychain. */
  readonly tokens: string;
  /**
   * What belongs to the OS user's keychain, whatever `HOME` or `SVC_CONFIG_DIR` say: its locks, and the index of which
   * hosts are in it. Two shells with different configuration directories share one keychain, so they must share these.
   */
  readonly keychain: string;
}

/** Where {@link Paths.state} is, without asking whose account it is. */
export function stateDirectory(env: Env, system: Pick<System, 'platform' | 'home'>): string {
  const windows = system.platform === 'win32';
  const own = env['SVC_CONFIG_DIR'];
  if (own) return [own, 'state'].join(windows ? '\\' : '/');
  if (windows) return [env['LOCALAPPDATA'] || [system.home, 'AppData', 'Local'].join('\\'), 'svc', 'state'].join('\\');
  return `${absolute(env['XDG_STATE_HOME']) ?? `${system.home}/.local/state`}/svc`;
}

/** The directories for this environment: XDG on Unix, `%APPDATA%` on Windows, `SVC_CONFIG_DIR` over both. */
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
    // The account is looked up where somebody wants to know.
    get keychain() {
      return join(system.accountHome, ...(windows ? ['AppData', 'Local'] : ['.local', 'state']), 'svc', 'keychain');
    },
  };
}

/** The XDG specification has relative paths ignored. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') ? path : undefined;
}
