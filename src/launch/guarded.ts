import { lstatSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The first weak entry on the way to a path, as ssh looks at it (StrictModes). Each directory must belong to the person or the
 * administrator, and nobody else may write to it. A shared directory where each may move only their own entries (`/tmp`) is not
 * weak in itself. The next entry's owner is checked too. Below a directory that nobody else may enter, mode bits do not matter.
 *
 * Links are resolved first. A missing entry ends the walk: nobody but the directory's owner can create it. Always undefined on
 * Windows, where the bits say nothing.
 *
 * @param depth How many of the last names are svc's own, {@link Strictness}; default none.
 * @returns `why` is for a message: `other users can write to it`.
 */
export function findWeakness(path: string, depth?: number): { readonly path: string; readonly why: string } | undefined {
  if (process.getuid === undefined) return undefined;
  let sealed = false;
  const steps = [...waysDown(resolved(path))];
  for (const [at, step] of steps.entries()) {
    const found = entryAt(step);
    if (found === undefined) return undefined;
    const why = weaknessOf(found, strictnessAt(steps.length - 1 - at, sealed, depth));
    if (why !== undefined) return { path: step, why };
    sealed ||= isSealed(found);
  }
  return undefined;
}

/** Undefined for an entry that is missing or out of reach: its later use reports that. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

interface Strictness {
  /** Nobody else gets there, so its bits do not count. */
  readonly sealed: boolean;
  /** Others may put things beside what is the person's, where they cannot touch it. */
  readonly shared: boolean;
}

/**
 * The rules for an entry with so many names below it. The directory around svc's own directories can’t be shared, even where each
 * may move only their own entries. The last of svc's own is closed by its own mode bits.
 */
export function strictnessAt(below: number, sealed: boolean, depth = -1): Strictness {
  return { sealed: sealed && !(depth > 0 && below === 0), shared: below > depth };
}

export function weaknessOf(found: Stats, { sealed, shared }: Strictness): string | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  if (found.uid !== uid && found.uid !== 0) return 'it belongs to another user';
  if (sealed || (shared && found.isDirectory() && (found.mode & 0o1000) !== 0)) return undefined;
  if ((found.mode & 0o002) !== 0) return 'other users can write to it';
  if ((found.mode & 0o020) !== 0 && !isPrivateGroup(found.gid)) return 'other users of its group can write to it';
  return undefined;
}

export function isSealed(found: Stats): boolean {
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o011) === 0;
}

export function* waysDown(path: string): Generator<string> {
  const parent = dirname(path);
  if (parent !== path) yield* waysDown(parent);
  yield path;
}

/** A path without links, as far as it exists. */
export function resolved(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolved(parent), basename(path));
  }
}

/** Some systems give each person a group of one, and let it write (umask 002). Groups that this machine's own files do not list count as shared. */
function isPrivateGroup(gid: number): boolean {
  if (gid !== process.getgid?.()) return false;
  try {
    const people = fieldsOf('/etc/passwd').filter(([, , , primary]) => Number(primary) === gid);
    const group = fieldsOf('/etc/group').find(([, , number]) => Number(number) === gid);
    const [me] = people.map(([name]) => name);
    return people.length === 1 && group !== undefined && (group[3] ?? '').split(',').every((name) => name === '' || name === me);
  } catch {
    return false;
  }
}

function fieldsOf(file: string): string[][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => line.trim().split(':'));
}
