import type { ApiRequest, ApiResponse } from '../client/api-client.ts';
import { NetworkError, withHint } from '../errors.ts';
import type { Asking, Needs } from './context.ts';
import { type Copying, type OwnCopy, openOwnCopy } from './copy-client.ts';

/** The answer to the question whether to use the local database; asked once. */
export interface Instead {
  copy?: Promise<OwnCopy | undefined>;
}

/**
 * Answers a read from the local database when there is no connection and the person at the terminal agrees. A script gets a hint how to
 * query the local database.
 *
 * @param hasAnswered Whether the service has answered something: the rest must come from it too.
 * @param onOpen Called with the local database once it answers.
 * @throws The failure, without a local database, or when nobody agreed.
 */
export async function answerInstead(
  context: Needs<Asking | Copying | 'account'>,
  instead: Instead,
  request: ApiRequest,
  failure: unknown,
  hasAnswered: boolean,
  onOpen: (copy: OwnCopy) => void,
): Promise<ApiResponse> {
  const isRead = request.method.toUpperCase() === 'GET';
  if (!(failure instanceof NetworkError) || failure.ran !== 'no' || !isRead || hasAnswered) throw failure;
  instead.copy ??= agreed(context, failure).then((copy) => {
    if (copy !== undefined) onOpen(copy);
    return copy;
  });
  const copy = await instead.copy;
  if (copy === undefined) throw failure;
  return copy.answer(request);
}

async function agreed(context: Needs<Asking | Copying | 'account'>, failure: NetworkError): Promise<OwnCopy | undefined> {
  const copy = await openOwnCopy(context, await context.account()).catch(() => undefined);
  if (copy === undefined) return undefined;
  if (!context.interactive) {
    copy.close();
    throw withHint(failure, `${failure.hint ?? ''} Your copy as of ${copy.asOf} answers with --offline.`.trim());
  }
  await context.notice(failure.message);
  if (await context.prompts.confirm(`Answer from your copy as of ${copy.asOf}?`, context.signal)) return copy;
  copy.close();
  return undefined;
}
