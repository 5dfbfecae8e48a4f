import type { ApiClient } from '../client/api.ts';
import type { CredentialSource } from '../credential.ts';
import { ForbiddenError, UsageError } from '../errors.ts';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns credentials for reading alone: a request that could change something gets none, so svc never sends it. For a program or an agent
 * that must only look; after `svc login --read-only` the service refuses such a request too.
 *
 * @param why The setting that turned it on, for the message: `SVC_READ_ONLY`.
 */
export function readingOnly(source: CredentialSource, why: string): CredentialSource {
  return async (request) => {
    if (READING.has(request.method.toUpperCase())) return source(request);
    throw new ForbiddenError(`svc is read-only here (${why}), so nothing was sent.`, {
      hint:
        why === 'SVC_PLAN_ONLY'
          ? 'Add it to a plan, which a person can apply: --plan <file>'
          : 'To see the request, add --dry-run. Ask the person who set read-only.',
    });
  };
}

/**
 * Returns credentials for a command that plans its writes: svc never sends them, so they get a token that means nothing. If one got past
 * the plan, the service would refuse it.
 */
export function planningOnly(source: CredentialSource): CredentialSource {
  return async (request) => (READING.has(request.method.toUpperCase()) ? source(request) : { token: 'planned-not-sent', kind: 'oauth' });
}

/** Returns a client for `--dry-run`: a command that cannot show a write instead of sending it must not send the write. */
export function withoutWrites<C extends Pick<ApiClient, 'send'>>(client: C): C {
  return {
    ...client,
    async send(request: Parameters<C['send']>[0]) {
      if (READING.has(request.method.toUpperCase())) return client.send(request);
      throw new UsageError('This command has no --dry-run, so svc sent no write.', { hint: 'Leave out --dry-run.' });
    },
  };
}
