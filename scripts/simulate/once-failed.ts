/** A world that shows a mistake that svc once made, and what it was. Each is played again whenever many are. */
export interface OnceFailed {
  readonly seed: number;
  readonly was: string;
}

/**
 * What happens in a world depends on svc and on the simulation, so these are worlds in which each mistake, made once more
 * (`--planted`), shows today.
 */
export const ONCE_FAILED: readonly OnceFailed[] = [
  { seed: 96, was: 'On a full disk svc did not read what a killed svc had been sending: the same command again was done twice.' },
  { seed: 168, was: 'svc worklogs add --later kept an entry while nobody was signed in, where nobody looked for it.' },
  { seed: 817, was: 'A disk that became full while a sign-in was renewed took the new pair.' },
  { seed: 917, was: 'svc worklogs delete took a page of somebody on the way (200, HTML) for the answer, and said that it was done.' },
];
