import { join } from 'node:path';
import { enterDirectory, type OwnDirectory } from './own-directory.ts';

/**
 * Loads a native addon from its bytes. The system loads addons from files only. So svc puts the bytes into `directory`, unless the
 * very same file is there. The directory must be the person's alone.
 *
 * @throws Error when no place can take it, or when it does not load.
 */
export function loadAddon(name: string, bytes: Buffer, directory: string | undefined): unknown {
  if (directory === undefined) throw new Error('there is no home directory to put its addon in');
  const place = enterDirectory(directory, OWN_NAMES, true);
  try {
    if (!holds(place, name, bytes)) place.write(name, bytes, 0o700);
  } finally {
    place.close();
  }
  const module = { exports: {} };
  process.dlopen(module, join(directory, name));
  return module.exports;
}

/** `svc` and `addon`. */
const OWN_NAMES = 2;

function holds(place: OwnDirectory, name: string, bytes: Buffer): boolean {
  try {
    return place.read(name).equals(bytes);
  } catch {
    return false;
  }
}
