/** A scenario that shows a bug that svc once had. Runs of several seeds always include these seeds. */
export interface OnceFailed {
  readonly seed: number;
  readonly was: string;
}

/**
 * The seeds that showed bugs when they were recorded, if the bug was injected again (`--planted`). Changes of svc, the simulation or the
 * sandbox’s data change the scenarios, so a seed that no longer shows its bug is replaced or removed.
 */
export const ONCE_FAILED: readonly OnceFailed[] = [
  { seed: 64, was: 'Without a sign-in, svc worklogs add --later stored an entry where no command found it.' },
];
