import type { ApiClient } from '../../client/api-client.ts';
import { ForbiddenError, NotFoundError, RefusedError, SvcError, UnavailableError } from '../../errors.ts';
import { isJsonObject } from '../../values/json.ts';

/**
 * Finds out by its answers whether an entry of discovery is a list (rule 18.26). It sends at most one request, without the parameters of
 * lists.
 *
 * @param error the error of reading the entry as a list.
 * @returns why the entry is no list; undefined if it is one, or the answers do not show it.
 */
export async function noCollection(client: ApiClient, path: string, error: unknown): Promise<string | undefined> {
  if (isNotRead(error)) return NOT_READ;
  if (!(error instanceof SvcError)) return undefined;
  const { status } = error.details;
  const mayBeRecord = status === 400 || (error instanceof UnavailableError && status === 200);
  if (!mayBeRecord) return undefined;
  return whyNoCollection(client, path);
}

/** Asks for a path without parameters. @returns why it is no list; undefined if it is one, or the answer does not show it. */
export async function whyNoCollection(client: ApiClient, path: string): Promise<string | undefined> {
  try {
    const body = (await client.send({ method: 'GET', path })).body();
    const isPage = Array.isArray(body) || (isJsonObject(body) && Array.isArray(body['data']));
    return isPage ? undefined : 'It answers with one record.';
  } catch (again) {
    if (isNotRead(again)) return NOT_READ;
    if (again instanceof SvcError) return undefined;
    throw again;
  }
}

const NOT_READ = 'It has no GET.';

function isNotRead(error: unknown): boolean {
  return error instanceof SvcError && error.details.status === 405;
}

/** Whether the service refused one resource: not found, forbidden or invalid. Other resources may still answer. */
export function isDeclined(error: unknown): error is ForbiddenError | NotFoundError | RefusedError {
  return error instanceof ForbiddenError || error instanceof NotFoundError || error instanceof RefusedError;
}
