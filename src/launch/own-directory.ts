import { statSync } from 'node:fs';

/**
 * Whether nobody but the person can put files into a directory, so that what lies there may be run. Windows has no such bits,
 * and its cache is the person's own anyway.
 */
export function isOwnDirectory(path: string): boolean {
  try {
    const found = statSync(path);
    if (!found.isDirectory()) return false;
    return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
  } catch {
    // Not there, or somewhere that may not be looked at.
    return false;
  }
}
