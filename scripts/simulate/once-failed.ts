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
  { seed: 96, was: 'On a full disk, svc did not read the write of a killed process. The repeated command ran twice.' },
  { seed: 168, was: 'Without a sign-in, svc worklogs add --later stored an entry where no command found it.' },
  { seed: 817, was: 'The disk became full during a renewal, and svc lost the new tokens.' },
  { seed: 917, was: 'svc worklogs delete accepted a proxy’s page (200, HTML) as the answer, and reported success.' },
  { seed: 1000014, was: 'A power cut undid the end of an export. The next export resumed it, and left out later changes.' },
  {
    seed: 1000301,
    was: 'On a full disk, svc outbox send sent a change without recording it. The next run sent it again over a newer change.',
  },
  { seed: 1003226, was: 'After the sign-in expired, svc outbox send treated the 401 as a refusal, and dropped waiting writes.' },
  { seed: 3001749, was: 'A power cut restored the token file of a sign-in that svc logout had ended.' },
  {
    seed: 10012270,
    was: 'A full disk prevented svc from recording a refusal. svc outbox send sent the write again without a warning.',
  },
  {
    seed: 10147494,
    was: 'A process was killed after the keychain stored renewed tokens, and before svc removed the parked older tokens. The older tokens counted.',
  },
  { seed: 10013982, was: 'A power cut undid the record of a refusal. svc outbox send sent the write again.' },
];
