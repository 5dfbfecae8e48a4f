/** `C:\…`, `\\server\share`, `\…`: where Windows says where things are. */
const OF_WINDOWS = /^(?:[a-z]:)?\\/i;

/**
 * The path of something below a directory, by names: `C:\Users\x\svc\config.json`, `/home/x/.config/svc/config.json`. The separator is the
 * directory's own, so that nobody is shown a path of both kinds; a relative directory, and one that was written with slashes, gets slashes,
 * which every system takes.
 */
export function pathIn(directory: string, ...names: readonly string[]): string {
  const separator = OF_WINDOWS.test(directory) ? '\\' : '/';
  return [directory.replace(separator === '/' ? /\/+$/ : /[\\/]+$/, ''), ...names].join(separator);
}
