import type { CredentialSource } from '../credential.ts';
import { ForbiddenError } from '../errors.ts';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The same credentials for reading alone: a request that could change something gets none, so it is never sent. For a
 * program or an agent that is to look and not to touch; a sign-in with `--read-only` has the service refuse it too.
 *
 * @param why What turned it on, for the message: `SVC_READ_ONLY`.
 */
export function readingOnly(source: CredentialSource, why: string): CredentialSource {
  return async (request) => {
    if (READING.has(request.method.toUpperCase())) return source(request);
    throw new ForbiddenError(`svc is read-only here (${why}), so nothing was sent.`, {
      hint:
        why === 'SVC_PLAN_ONLY'
          ? 'Add it to a plan, which a person can apply: --plan <file>'
          : 'Add --dry-run to see what would be sent; whoever set it can unset it.',
    });
  };
}

/**
 * The same credentials for a command that plans its writes: they are never sent, so what stands for a credential is none. Should one
 * get past the plan, the service refuses it.
 */
export function planningOnly(source: CredentialSource): CredentialSource {
  return async (request) => (READING.has(request.method.toUpperCase()) ? source(request) : { token: 'planned-not-sent', kind: 'oauth' });
}
