/** Matches the start of a Windows path: `C:\…`, `\\server\share`, `\…`. */
const OF_WINDOWS = /^(?:[a-z]:)?\\/i;

/**
 * Returns a path in a directory: `C:\Users\x\svc\config.json`, `/home/x/.config/svc/config.json`. The path has the directory’s own
 * separator, so that a path never mixes two separators. A relative directory, or a directory with slashes, gets slashes, which every system
 * accepts.
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
