import type { ApiClient, ApiResponse } from '../client/api-client.ts';

/**
 * `GET /me`: whose token a client signs with (rule 9.10). Signing in asks it too, so it stands here and not in records/.
 *
 * @param keepProblem Give an answer that is a problem back, with its error, instead of throwing it.
 */
export async function askMe(client: Pick<ApiClient, 'send'>, keepProblem = false): Promise<ApiResponse> {
  return client.send({ method: 'GET', path: '/me', ...(keepProblem && { keepProblem }) });
}
