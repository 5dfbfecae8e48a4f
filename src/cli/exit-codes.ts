/** What each exit code means, in the words of docs/guides/scripts-and-ci.md; `exitCodeOf` (errors.ts) decides which one it is. */
export const EXIT_CODES: Readonly<Record<string, string>> = {
  '0': 'done',
  '1': 'any other failure; you answered no; svc check found something',
  '2': 'wrong use, or input that svc cannot send; svc sent nothing',
  '3': 'not found, or not enabled for this organisation',
  '4': 'a sign-in or a personal access token is needed, expired or refused',
  '5': 'not allowed: the token’s scope, your permission, or read-only',
  '6': 'conflict: somebody else changed the record, or the workflow does not allow the transition',
  '7': 'rate limited for longer than --max-wait',
  '8': 'the service or the network failed',
  '9': 'the service refused the input',
  '10': 'some writes succeeded, some failed',
  '130': 'interrupted (Ctrl-C)',
  '143': 'stopped by SIGTERM',
};
