import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt, findWeakness, isSealed, resolved, strictnessAt, waysDown, weaknessOf } from './guarded.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * A directory into which only the user can put files, so that svc can safely run files from the directory.
 * On Linux, svc keeps the directory open. Reads and writes then reach the checked directory, even if another directory takes its path.
 */
export type OwnDirectory = ReturnType<typeof directoryAt>;

/**
 * Opens a directory after a check of each step of its path (src/launch/guarded.ts). On Windows, svc checks nothing.
 * @param depth number of last path segments that svc creates itself. The directory around these segments must not be shared, even if users
 * can move only their own entries.
 * @param make true to create missing directories, with mode 0700.
 * @throws Error if the directory does not exist, or if other users can change the directory.
 */
export function enterDirectory(path: string, depth: number, make = false): OwnDirectory {
  if (process.getuid === undefined) {
    if (make) mkdirSync(path, { recursive: true, mode: 0o700 });
    return directoryAt(path, () => undefined);
  }
  let base = path;
  for (let step = 0; step < depth; step++) base = dirname(base);
  // Links are allowed only in the user’s own part of the path, not in svc’s directories.
  const way = join(resolved(base), path.slice(base.length));
  return process.platform === 'linux' ? enterByDescriptor(way, depth, make) : enterByPath(way, depth, make);
}

/** Opens each directory through its open parent, starting at the root. Nobody can therefore replace a directory between two checks. */
function enterByDescriptor(way: string, depth: number, make: boolean): OwnDirectory {
  const steps = [...waysDown(way)];
  let descriptor = -1;
  let sealed = false;
  try {
    for (const [at, step] of steps.entries()) {
      const place = at === 0 ? step : within(descriptor, basename(step));
      const next = make && at > 0 ? openOrMake(place) : openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (descriptor >= 0) closeSync(descriptor);
      descriptor = next;
      const found = fstatSync(descriptor);
      const why = weaknessOf(found, strictnessAt(steps.length - 1 - at, sealed, depth));
      if (why !== undefined) throw new Error(`${step}: ${why}`);
      sealed ||= isSealed(found);
    }
  } catch (error) {
    if (descriptor >= 0) closeSync(descriptor);
    throw error;
  }
  return directoryAt(within(descriptor), () => closeSync(descriptor));
}

function openOrMake(place: string): number {
  // The directory can exist already. Otherwise the next open reports the error.
  attempt(() => mkdirSync(place, { mode: 0o700 }));
  return openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/**
 * Opens a directory on a system without paths for descriptors. Nobody else can change any step of the path, so the checked path stays
 * valid.
 */
function enterByPath(way: string, depth: number, make: boolean): OwnDirectory {
  const weakness = findWeakness(way, depth);
  if (weakness !== undefined) throw new Error(`${weakness.path}: ${weakness.why}`);
  if (make) mkdirSync(way, { recursive: true, mode: 0o700 });
  return directoryAt(way, () => undefined);
}

/** Returns the path of an open directory on Linux, or the path of an entry in the directory. */
function within(descriptor: number, ...names: string[]): string {
  return join('/proc/self/fd', String(descriptor), ...names);
}

function directoryAt(place: string, close: () => void) {
  return {
    /** Reads a file, and checks the open file. @throws Error if the file is missing or not regular, or if other users can change the file. */
    read: (name: string): Buffer => readGuarded(join(place, name)),
    /** Writes a file under another name first, then renames the file. A concurrent run therefore reads the whole file or nothing. */
    write(name: string, bytes: Uint8Array, mode: number): void {
      const temporary = join(place, `${name}.${process.pid}`);
      attempt(() => unlinkSync(temporary));
      writeFileSync(temporary, bytes, { mode, flag: 'wx' });
      renameSync(temporary, join(place, name));
    },
    close,
  };
}

function readGuarded(path: string): Buffer {
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    const why = found.isFile() ? weaknessOf(found, { sealed: false, shared: false }) : 'it is not a file';
    if (why !== undefined) throw new Error(`${path}: ${why}`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Loads a native addon from its bytes. The system loads addons only from files, so svc writes the bytes to `directory` unless an identical
 * file exists. No other user must be able to write to the directory.
 * @throws Error without a directory, if svc can’t write the file, or if the addon does not load.
 */
export function loadAddon(name: string, bytes: Buffer, directory: string | undefined): unknown {
  if (directory === undefined) throw new Error('the home directory for its addon is missing');
  const place = enterDirectory(directory, OWN_NAMES, true);
  try {
    if (attempt(() => place.read(name).equals(bytes)) !== true) place.write(name, bytes, 0o700);
  } finally {
    place.close();
  }
  const module = { exports: {} };
  process.dlopen(module, join(directory, name));
  return module.exports;
}

const OWN_NAMES = 2;
