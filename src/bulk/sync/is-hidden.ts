import { rows } from '../../client/pages.ts';
import { ForbiddenError, NotFoundError } from '../../errors.ts';
import { chooseCollections } from '../export/collections.ts';
import type { SyncRun } from './run.ts';

/**
 * Returns true if the service refuses because this user can’t see the record at all. A refusal because of the token’s scope does not count.
 */
export function isHidden(error: unknown): error is ForbiddenError | NotFoundError {
  return error instanceof NotFoundError || (error instanceof ForbiddenError && error.details.type === 'insufficient-permission');
}

/**
 * Returns true if the user can’t see any record of a resource. Only the plain list proves this fact, because other refusals can concern a
 * filter, the trash or one record. A 404 counts only if a new discovery no longer lists the resource (rule 1.19). While the API is off for
 * the organisation, the service answers every request with 404 (rule 1.22).
 *
 * @throws any other failure of the requests.
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
