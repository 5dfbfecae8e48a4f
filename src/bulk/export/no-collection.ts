import type { ApiClient } from '../../client/api-client.ts';
import { ForbiddenError, NotFoundError, RefusedError, SvcError } from '../../errors.ts';
import { isJsonObject } from '../../values/json.ts';

/**
 * Finds out why an entry of discovery is not a list (rule 18.26), with at most one request. Returns undefined if the answers do not show
 * the reason.
 */
export async function noCollection(client: ApiClient, path: string, error: unknown): Promise<string | undefined> {
  if (isNotRead(error)) return NOT_READ;
  if (!(error instanceof SvcError)) return undefined;
  const { status } = error.details;
  // One record can refuse the parameters of a list, or return no page.
  return status === 400 || status === 200 ? whyNoCollection(client, path) : undefined;
}

/** Returns the reason why a path is not a list. Returns undefined if the path is a list, or if the answer does not show the reason. */
export async function whyNoCollection(client: ApiClient, path: string): Promise<string | undefined> {
  try {
    const body = (await client.send({ method: 'GET', path })).body();
    const isPage = Array.isArray(body) || (isJsonObject(body) && Array.isArray(body['data']));
    return isPage ? undefined : 'The path returns one record, not a list.';
  } catch (again) {
    if (isNotRead(again)) return NOT_READ;
    if (again instanceof SvcError) return undefined;
    throw again;
  }
}

const NOT_READ = 'The path has no GET operation.';

function isNotRead(error: unknown): boolean {
  return error instanceof SvcError && error.details.status === 405;
}

/** Returns true if the service refused one resource as not found, forbidden or invalid. Other resources are possibly still readable. */
export function isDeclined(error: unknown): error is ForbiddenError | NotFoundError | RefusedError {
  return error instanceof ForbiddenError || error instanceof NotFoundError || error instanceof RefusedError;
}
