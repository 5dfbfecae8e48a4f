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
      hint: 'Add --dry-run to see what would be sent; whoever set it can unset it.',
    });
  };
}
