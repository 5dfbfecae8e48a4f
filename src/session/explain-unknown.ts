import { shellCommand } from '../cli/shell-word.ts';
import { InterruptedError, NetworkError, SvcError, withMore } from '../errors.ts';
import type { FailedWrite } from '../journal/journaled-client.ts';

/**
 * A failure that leaves open whether the write was done, with what settles it. Every other failure stays as it is.
 *
 * @param command what was typed after `svc`.
 */
export function explainUnknown({ error, entry, key, isKeyed, outcome }: FailedWrite, command: readonly string[]): unknown {
  if (outcome !== 'unknown' || !(error instanceof SvcError)) return error;
  const advice = adviceOf(entry, key, isKeyed);
  // "Try again" is no advice any more; what a service in trouble asks for still is.
  const isReplaced = error instanceof NetworkError || error instanceof InterruptedError || error.hint === undefined;
  const more = withMore(error, {
    ...(entry !== undefined && { resume: shellCommand(command) }),
    ...(isKeyed && { idempotency_key: key }),
  });
  return Object.assign(more, { hint: isReplaced ? advice : `${advice} ${error.hint}` });
}

function adviceOf(entry: number | undefined, key: string, isKeyed: boolean): string {
  if (entry !== undefined)
    return `It may have been done. The same command again settles it${isKeyed ? ', and does it once' : ''}; so does: svc outbox send ${entry}`;
  return isKeyed
    ? `It may have been done. To have it done once, send it again with: --idempotency-key ${key}`
    : 'It may have been done. Look at the record before you send it again.';
}
