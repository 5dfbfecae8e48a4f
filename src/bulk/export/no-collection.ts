import type { ApiClient } from '../../client/api-client.ts';
import { SvcError, UnavailableError } from '../../errors.ts';
import { isJsonObject } from '../../values/json.ts';

/**
 * Why something that discovery lists is no collection, told by its answers (rule 18.26): it cannot be read at all, or reads as
 * one record. At most one request more, without the parameters that only a collection takes.
 *
 * @param error What reading it as a collection ended with.
 * @returns undefined where it is a collection, or nothing tells.
 */
export async function noCollection(client: ApiClient, path: string, error: unknown): Promise<string | undefined> {
  if (isNotRead(error)) return NOT_READ;
  if (!(error instanceof SvcError)) return undefined;
  const { status } = error.details;
  const mayBeRecord = status === 400 || (error instanceof UnavailableError && status === 200);
  if (!mayBeRecord) return undefined;
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
