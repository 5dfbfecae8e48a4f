import type { Cause } from './life.ts';
import type { Ended } from './process.ts';

/** What can explain an exit code, besides the requests of the process. */
export interface Circumstances {
  /** True if svc had a sign-in or a token when the command began. */
  readonly isSignedIn: boolean;
  /** True if svc had a personal access token, which a delete needs. */
  readonly hasPersonal: boolean;
  /** True if the keychain stopped answering. */
  readonly isFrozen: boolean;
  readonly isInterrupted: boolean;
  /** True if the service or the network has limited the machine before, because svc remembers the limit. */
  readonly wasLimited: boolean;
  /** True if another command ran at the same time, or if an earlier write is open. */
  readonly hasOthers: boolean;
}

const LOST: readonly Cause[] = [
  'refused',
  'lost',
  'unanswered',
  'silent',
  'late',
  'cut',
  'failing',
  'failing after',
  'garbage',
  'led astray',
];

/** Checks that something explains the exit code of a command: an answer, a fate of a request, or the circumstances. Returns one line per error. */
export function judgeExit(argv: readonly string[], { code, causes, stderr }: Ended, around: Circumstances): string[] {
  const saw = (...wanted: readonly Cause[]) => wanted.some((each) => causes.has(each));
  const isLost = saw(...LOST, 500, 502, 503, 504);
  const isStored = argv.includes('--offline') || argv[0] === 'search' || argv[0] === 'sql';
  const reasons: Readonly<Record<number, () => boolean>> = {
    // The account has not seen the record within a day, or there is no complete local database.
    2: () => argv.includes('--if-unchanged') || isStored,
    3: () => saw(404) || argv[0] === 'undo' || isStored,
    4: () =>
      !around.isSignedIn ||
      around.isFrozen ||
      saw(400, 401) ||
      (argv[0] === 'login' && isLost) ||
      (!around.hasPersonal && /delete|undo|outbox/.test(argv.join(' '))),
    5: () => saw(403),
    6: () => saw(409, 412) || around.hasOthers,
    7: () => saw('limited', 429) || around.wasLimited,
    // A rate limit of the authorization server is a failure of the sign-in or sign-out.
    8: () => isLost || around.hasOthers || saw('limited', 429),
    9: () => saw(400, 415, 422),
    10: () => isLost || saw('limited', 409, 412, 429) || around.hasOthers,
    130: () => around.isInterrupted,
  };
  if (code === undefined || code < 2 || reasons[code]?.() === true) return [];
  return [`svc ${argv.join(' ')}: nothing explains exit ${code} (${[...causes].join(', ')}): ${stderr}`];
}
