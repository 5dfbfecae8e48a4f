/** The start of a Windows path: `C:\…`, `\\server\share`, `\…`. */
const OF_WINDOWS = /^(?:[a-z]:)?\\/i;

/**
 * Returns a path below a directory: `C:\Users\x\svc\config.json`, `/home/x/.config/svc/config.json`. It uses the directory’s own separator,
 * so that a path never mixes two. A relative directory, or one with slashes, gets slashes, which every system takes.
 */
export function pathIn(directory: string, ...names: readonly string[]): string {
  const separator = OF_WINDOWS.test(directory) ? '\\' : '/';
  return [directory.replace(separator === '/' ? /\/+$/ : /[\\/]+$/, ''), ...names].join(separator);
}

/** Shortens a path in the home directory: `~/.config/svc/tokens`. */
export function homePath(path: string, home: string): string {
  const rest = path.slice(home.length);
  return home !== '' && path.startsWith(home) && /^[/\\]/.test(rest) ? `~${rest}` : path;
}
