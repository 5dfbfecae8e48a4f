import type { ApiClient } from '../client/api.ts';
import type { CredentialSource } from '../credential.ts';
import { ForbiddenError, UsageError } from '../errors.ts';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request that could change something gets no credentials, so svc never sends it. @param why The setting behind it: `SVC_READ_ONLY`. */
export function readingOnly(source: CredentialSource, why: string): CredentialSource {
  return async (request) => {
    if (READING.has(request.method.toUpperCase())) return source(request);
    throw new ForbiddenError(`svc is read-only here (${why}), so nothing was sent.`, {
      hint:
        why === 'SVC_PLAN_ONLY'
          ? 'Add it to a plan, which a person can apply: --plan <file>'
          : 'Add --dry-run to see what would be sent. The person who set it can unset it.',
    });
  };
}

/** Writes get a token that means nothing: if one got past the plan, the service would refuse it. */
export function planningOnly(source: CredentialSource): CredentialSource {
  return async (request) => (READING.has(request.method.toUpperCase()) ? source(request) : { token: 'planned-not-sent', kind: 'oauth' });
}

export function withoutWrites<C extends Pick<ApiClient, 'send'>>(client: C): C {
  return {
    ...client,
    async send(request: Parameters<C['send']>[0]) {
      if (READING.has(request.method.toUpperCase())) return client.send(request);
      throw new UsageError('This command has no --dry-run; svc sent no write.', { hint: 'Leave it out.' });
    },
  };
}
