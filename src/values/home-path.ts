/** A path as people write it: `~/.config/svc/tokens` for what lies in their home. */
export function homePath(path: string, home: string): string {
  const rest = path.slice(home.length);
  return home !== '' && path.startsWith(home) && /^[/\\]/.test(rest) ? `~${rest}` : path;
}
