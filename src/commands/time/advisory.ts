import type { ApiClient } from '../../client/api-client.ts';
import { SvcError } from '../../errors.ts';
import type { Context, Needs } from '../../session/context.ts';

/** The longest that a look which only advises may hold up what it advises on: milliseconds. */
const PATIENCE_MS = 2000;

/** What came of a look: what it found, or why nobody looked. */
export type Advice<T> = { readonly found: T } | { readonly missing: string };

/**
 * Runs `look` with a client whose requests end when it takes too long. What it is for goes ahead without it: a failure of the service, of
 * the network or of a sign-in is a line at most.
 *
 * @param what What is not known then: `whether the day is free`.
 * @throws the reason of an aborted command, and what is no {@link SvcError}.
 */
export async function advisory<T>(
  context: Needs<'client' | 'clock' | 'signal'>,
  what: string,
  look: (client: Context['client']) => Promise<T>,
): Promise<Advice<T>> {
  const late = new AbortController();
  const over = new AbortController();
  const client = async () => endingWith(late.signal, await context.client());
  const tooLong = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () => reject(late.signal.reason), { once: true });
  });
  // Not waited for: it ends with the look, or ends it.
  void context.clock.sleep(PATIENCE_MS, AbortSignal.any([over.signal, context.signal])).then(
    () => late.abort(new SvcError(`The service took longer than ${PATIENCE_MS / 1000} seconds.`, { hint: 'Look yourself: svc week' })),
    () => undefined,
  );
  try {
    return { found: await Promise.race([look(client), tooLong]) };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof SvcError)) throw error;
    return { missing: `Nobody looked ${what}: ${error.message}` };
  } finally {
    over.abort();
  }
}

function endingWith(signal: AbortSignal, client: ApiClient): ApiClient {
  return {
    ...client,
    send: (request) =>
      client.send({ ...request, signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]) }),
  };
}
