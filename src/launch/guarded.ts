import { lstatSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Finds the first unsafe entry on the way to a path, by the rules of ssh (StrictModes). Each directory must belong to the user or the
 * administrator, and must not be writable for others. In some shared directories (`/tmp`), users can move only their own entries. The next
 * entry must then belong to the user or the administrator. Inside a directory that nobody else can enter, mode bits do not matter. svc
 * resolves links first. A missing entry ends the check, because only the directory’s owner can create the entry. Always undefined on
 * Windows, where mode bits have no meaning.
 * @param depth number of names at the end of the path that belong to svc, see {@link Strictness}. Default: none.
 * @returns the path, and `why` for a message: `other users can write to it`.
 */
export function findWeakness(path: string, depth?: number): { readonly path: string; readonly why: string } | undefined {
  if (process.getuid === undefined) return undefined;
  let sealed = false;
  const steps = [...waysDown(resolved(path))];
  for (const [at, step] of steps.entries()) {
    // A later use of an unreachable entry reports the error.
    const found = attempt(() => lstatSync(step, { throwIfNoEntry: false }));
    if (found === undefined) return undefined;
    const why = weaknessOf(found, strictnessAt(steps.length - 1 - at, sealed, depth));
    if (why !== undefined) return { path: step, why };
    sealed ||= isSealed(found);
  }
  return undefined;
}

/** Returns the result of a function. Undefined if the function throws. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

interface Strictness {
  /** True if nobody else can reach the entry, so its mode bits do not count. */
  readonly sealed: boolean;
  /** True if other users can add entries, but can’t change the user’s own entries. */
  readonly shared: boolean;
}

/**
 * Returns the rules for a directory by the number of names that follow in the path.
 * The directory around svc’s own directories must not be shared, even if users can move only their own entries. The mode bits of svc’s last
 * directory always count, because these bits keep other users out.
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

/** Resolves the links in a path, as far as the path exists. */
export function resolved(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolved(parent), basename(path));
  }
}

/**
 * Returns true for a group that contains only the user. Some systems create such a group for each user (umask 002). A group that is not in
 * this machine’s own files counts as shared.
 */
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
