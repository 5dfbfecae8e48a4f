import { isAbsolute, join, resolve } from 'node:path';

/**
 * The directory for compiled code: below what src/config/paths.ts calls the cache. Undefined where there is no home; svc then runs
 * without. It is never the shared temporary directory, where somebody else could put code for svc to run.
 */
export function codeDirectory(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string | undefined {
  const { SVC_CONFIG_DIR: own, LOCALAPPDATA: local, XDG_CACHE_HOME: xdg, HOME: home } = env;
  if (own) return resolve(own, 'cache', 'code');
  if (platform === 'win32') return local ? join(local, 'svc', 'cache', 'code') : undefined;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'svc', 'code');
  return home ? join(home, '.cache', 'svc', 'code') : undefined;
}
