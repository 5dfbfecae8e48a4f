/** A scenario that shows a bug that svc once had. Runs of several seeds always include these seeds. */
export interface OnceFailed {
  readonly seed: number;
  readonly was: string;
}

/**
 * The seeds that showed bugs when they were recorded, if the bug was injected again (`--planted`). Changes of svc, the simulation or the
 * sandbox’s data change the scenarios. docs/contributing/tests.md lists seeds that no longer show their bug.
 */
export const ONCE_FAILED: readonly OnceFailed[] = [
  { seed: 96, was: 'On a full disk svc did not read what a killed svc had been sending: the same command again was done twice.' },
  { seed: 168, was: 'svc worklogs add --later kept an entry while nobody was signed in, where nobody looked for it.' },
  { seed: 817, was: 'A disk that became full while a sign-in was renewed took the new pair.' },
  { seed: 917, was: 'svc worklogs delete took a page of somebody on the way (200, HTML) for the answer, and said that it was done.' },
  { seed: 1000014, was: 'A power cut undid the end of an export: the next one went on with it, and left out what had changed since.' },
  {
    seed: 1000301,
    was: 'svc outbox send on a full disk sent a change that it could not note, and the next one sent it again over a newer one.',
  },
  { seed: 1003226, was: 'svc outbox send after the sign-in was over took the 401 for a refusal: what had waited was given up.' },
  { seed: 3001749, was: 'A power cut brought back the token file of a sign-in that svc logout had ended.' },
  {
    seed: 10012270,
    was: 'A refusal that a full disk kept from being noted: svc outbox send sent the write again, and nothing had said so.',
  },
  {
    seed: 10147494,
    was: 'A svc was killed after the keychain had taken a renewed pair, and before it removed the older one that was parked: that one counted.',
  },
  { seed: 10013982, was: 'A power cut undid that a write was refused: svc outbox send sent it again.' },
];
