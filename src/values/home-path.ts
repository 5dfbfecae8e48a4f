/** Shortens a path in the home directory: `~/.config/svc/tokens`. */
export function homePath(path: string, home: string): string {
  const rest = path.slice(home.length);
  return home !== '' && path.startsWith(home) && /^[/\\]/.test(rest) ? `~${rest}` : path;
}
