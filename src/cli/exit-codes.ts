/** What each exit code means, in the words of docs/guides/scripts-and-ci.md; `exitCodeOf` (errors.ts) decides which one it is. */
export const EXIT_CODES: Readonly<Record<string, string>> = {
  '0': 'done',
  '1': 'anything not below; a question answered with no; svc check found something',
  '2': 'wrong use, or input that cannot be sent; nothing was sent',
  '3': 'not found, or not enabled for this organisation',
  '4': 'a sign-in or a personal token is needed, expired, or refused',
  '5': 'not allowed: the token’s scope, your permission, or read-only',
  '6': 'conflict: somebody else changed it, or the move is not legal',
  '7': 'rate limited for longer than --max-wait',
  '8': 'the service or the network failed',
  '9': 'the service refused the input',
  '10': 'some done, some failed',
  '130': 'interrupted (Ctrl-C)',
  '143': 'ended by SIGTERM',
};
