import type { Files } from '../deps.ts';
import { SvcError } from '../errors.ts';

/** Others of this machine may change what svc would go by. */
export class UnguardedError extends SvcError {}

/**
 * Makes sure that nobody but the person and the administrator can have changed a file, or put another one in its place.
 *
 * @param what For the message: `the settings`.
 * @throws UnguardedError
 */
export async function assertGuarded(files: Pick<Files, 'weakness'>, path: string, what: string): Promise<void> {
  const weak = await files.weakness(path);
  if (weak === undefined) return;
  const { path: entry, why } = weak;
  throw new UnguardedError(`svc does not go by ${what} in ${path}, which others on this machine may have changed: of ${entry}, ${why}.`, {
    hint: why.includes('write')
      ? `Look at what is in it, then: chmod go-w ${entry}`
      : `Take it over (chown), or keep svc's files elsewhere with SVC_CONFIG_DIR.`,
  });
}
