import { join } from 'node:path';
import { enterDirectory, type OwnDirectory } from './own-directory.ts';

/**
 * Loads a native addon from its bytes. The system loads addons from files only, so it is put into `directory`, which must be
 * the person's alone, unless the very same is there already.
 *
 * @throws Error when it can be put nowhere, or does not load.
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
