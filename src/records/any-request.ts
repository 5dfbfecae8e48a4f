import type { ApiRequest, ApiResponse } from '../client/api-client.ts';
import { type Page, pages } from '../client/pages.ts';
import type { Needs } from '../session/context.ts';

/** Sends whatever somebody typed, files among it; an answer that is a problem is an answer too, with its error beside it. */
export async function sendAny(context: Needs<'client'>, request: ApiRequest): Promise<ApiResponse> {
  const client = await context.client();
  return client.send({ ...request, transfer: true, keepProblem: true, asTyped: true });
}

/** Every page from where somebody typed on. */
export async function* pagesOfAny(context: Needs<'client'>, request: ApiRequest): AsyncGenerator<Page> {
  yield* pages(await context.client(), request);
}
