import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findWeakness, isSealed, resolved, strictnessAt, waysDown, weaknessOf } from './guarded.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * A directory that nobody but the person can put files into, so that files in it are safe to run. On Linux it is kept open: reads
 * and writes reach the directory that was checked, even if another one replaces it.
 */
export interface OwnDirectory {
  /** @throws Error for a link, for a file that others may write, for a missing one. svc checks the open file. */
  read(name: string): Buffer;
  /** Under another name first, so that a run beside this one reads all of it or nothing. */
  write(name: string, bytes: Uint8Array, mode: number): void;
  close(): void;
}

/**
 * Enters a directory, after a check of each step of the way (src/launch/guarded.ts).
 *
 * @param depth The number of last path segments that svc creates itself. The directory around them must be closed to others too, even where each
 * may move only their own entries: a cache in a shared place is none.
 * @param make Makes missing directories, with mode 0700.
 * @throws Error when it is not there, or not the person's alone.
 */
export function enterDirectory(path: string, depth: number, make = false): OwnDirectory {
  if (process.getuid === undefined) {
    if (make) mkdirSync(path, { recursive: true, mode: 0o700 });
    return directoryAt(path, () => undefined);
  }
  let base = path;
  for (let step = 0; step < depth; step++) base = dirname(base);
  // Links are for the person's own part of the way; below it there are none.
  const way = join(resolved(base), path.slice(base.length));
  return process.platform === 'linux' ? enterByDescriptor(way, depth, make) : enterByPath(way, depth, make);
}

/** Opens each directory from the one before, beginning at the root. So none can be replaced between two checks. */
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
  try {
    mkdirSync(place, { mode: 0o700 });
  } catch {
    // It is there, or opening it says why not.
  }
  return openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/** For a system without paths from a descriptor: nobody else may change any step of the way, so it stays as it was. */
function enterByPath(way: string, depth: number, make: boolean): OwnDirectory {
  const weakness = findWeakness(way, depth);
  if (weakness !== undefined) throw new Error(`${weakness.path}: ${weakness.why}`);
  if (make) mkdirSync(way, { recursive: true, mode: 0o700 });
  return directoryAt(way, () => undefined);
}

/** The path of an open directory on Linux, or of an entry of it. */
function within(descriptor: number, ...names: string[]): string {
  return join('/proc/self/fd', String(descriptor), ...names);
}

function directoryAt(place: string, close: () => void): OwnDirectory {
  return {
    read: (name) => readGuarded(join(place, name)),
    write(name, bytes, mode) {
      const temporary = join(place, `${name}.${process.pid}`);
      try {
        unlinkSync(temporary);
      } catch {}
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

const OWN_NAMES = 2;

function holds(place: OwnDirectory, name: string, bytes: Buffer): boolean {
  try {
    return place.read(name).equals(bytes);
  } catch {
    return false;
  }
}
