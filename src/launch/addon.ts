import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnDirectory } from './own-directory.ts';

/**
 * Loads a native addon from its bytes. The system loads addons from files only, so it is put into `directory`, which must be
 * the person's alone, unless the very same is there already.
 *
 * @throws Error when it can be put nowhere, or does not load.
 */
export function loadAddon(name: string, bytes: Buffer, directory: string | undefined): unknown {
  if (directory === undefined) throw new Error('there is no home directory to put its addon in');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!isOwnDirectory(directory)) throw new Error(`others may write to ${directory}`);
  const path = join(directory, name);
  if (!holds(path, bytes)) {
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, bytes, { mode: 0o700 });
    renameSync(temporary, path);
  }
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}

function holds(path: string, bytes: Buffer): boolean {
  try {
    return readFileSync(path).equals(bytes);
  } catch {
    return false;
  }
}
