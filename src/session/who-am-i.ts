import type { ApiClient, ApiResponse } from '../client/api-client.ts';

/**
 * `GET /me`: the owner of a client's token (rule 9.10). Signing in sends it too, so it is here and not in records/.
 *
 * @param keepProblem Returns an answer that is a problem, with its error, instead of throwing it.
 */
export async function askMe(client: Pick<ApiClient, 'send'>, keepProblem = false): Promise<ApiResponse> {
  return client.send({ method: 'GET', path: '/me', ...(keepProblem && { keepProblem }) });
}
