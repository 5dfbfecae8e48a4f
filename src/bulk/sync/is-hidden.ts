import { rows } from '../../client/pages.ts';
import { ForbiddenError, NotFoundError } from '../../errors.ts';
import { chooseCollections } from '../export/collections.ts';
import type { SyncRun } from './run.ts';

/** Whether an answer says that there is nothing for this person to see: a narrower token alone is another matter. */
export function isHidden(error: unknown): error is ForbiddenError | NotFoundError {
  return error instanceof NotFoundError || (error instanceof ForbiddenError && error.details.type === 'insufficient-permission');
}

/**
 * Whether a whole collection is out of this person's sight. Its plain list says so: an answer to anything more may be about a filter, the
 * trash or one record. A 404 says it only if a new discovery no longer lists it (rule 1.19): while the API is off for the whole
 * organisation, everything is answered so (rule 1.22).
 */
export async function isOutOfSight({ client, context }: Pick<SyncRun, 'client' | 'context'>, path: string): Promise<boolean> {
  const { signal } = context;
  try {
    await client.send({ method: 'GET', path, query: [['per_page', '1']], signal });
    return false;
  } catch (error) {
    if (!isHidden(error)) throw error;
    if (error instanceof ForbiddenError) return true;
  }
  const entries = await Array.fromAsync(rows(client, { method: 'GET', path: '/', signal }));
  return !chooseCollections(entries, [], []).collections.some((each) => each.path === path);
}
