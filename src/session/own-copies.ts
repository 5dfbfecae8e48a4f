import type { Account } from '../auth/record.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../client/api-client.ts';
import type { CredentialSource } from '../credential.ts';
import { KeychainUnavailable } from '../deps.ts';
import { NetworkError, UsageError, withHint } from '../errors.ts';
import { MirrorError } from '../mirror/mirror-error.ts';
import type { Host } from '../values/addresses.ts';
import type { Asking, Context, Needs } from './context.ts';
import { type Copying, copyClient, freshClient, type OwnCopy, openOwnCopy, openOwnCopyOrFail, sendsNothing } from './copy-client.ts';

export type OwnCopies = ReturnType<typeof ownCopies>;

export function ownCopies(context: Context) {
  const { settings } = context;
  let opened: Promise<OwnCopy | undefined> | undefined;
  const open = (how: () => Promise<OwnCopy | undefined>) => {
    opened ??= how();
    return opened;
  };
  const own = () => open(() => openOwnCopyOrFail(context)) as Promise<OwnCopy>;
  let agreedTo: Promise<OwnCopy | undefined> | undefined;
  const openIfUsable = async () => {
    try {
      return await openOwnCopy(context, await context.account());
    } catch (error) {
      // svc can ask the service instead of a local database that is damaged, locked or of a newer svc.
      if (!(error instanceof MirrorError)) throw error;
      await context.notice(`${error.message} svc reads from the service instead.`);
      return undefined;
    }
  };
  return {
    async account(): Promise<Account | undefined> {
      // A command without a local database fails at its first query.
      return (await own().catch(() => undefined))?.account;
    },
    /** Fails for each write that is not kept for later. */
    credentials: (): CredentialSource => async (wanted) => {
      const error = sendsNothing(wanted.method);
      if (wanted.method !== 'POST' || (await settings()).outbox !== 'offline') throw error;
      throw new NetworkError(error.message, { ran: 'no', kind: 'other', hint: error.hint });
    },
    client: (host: Host): ApiClient => copyClient(host, own),
    /** The same where the local database is young enough, as `--max-age` says, and `service` for the rest. */
    freshClient: (host: Host, youngerMs: number, service: () => Promise<ApiClient>): ApiClient =>
      freshClient(host, () => open(openIfUsable), youngerMs, service),
    /** Without a connection, if the person agrees. @param hasAnswered The service answered something: the rest must come from it too. */
    async instead(request: ApiRequest, failure: NetworkError, hasAnswered: boolean): Promise<ApiResponse> {
      if (failure.ran !== 'no' || request.method.toUpperCase() !== 'GET' || hasAnswered) throw failure;
      agreedTo ??= agreed(context, failure);
      const copy = await agreedTo;
      if (copy === undefined) throw failure;
      opened = Promise.resolve(copy);
      return copy.answer(request);
    },
    noRequest: (method: string, url: string) => sendsNothing(`${method} to ${new URL(url).origin}`),
    noKeychain: () => new KeychainUnavailable('With --offline, svc does not open the keychain.'),
    bothFlags: () =>
      new UsageError('--offline reads only the local database, and --max-age also reads from the service.', { hint: 'Use one of them.' }),
    async close(): Promise<void> {
      const copy = await opened?.catch(() => undefined);
      await copy?.tellAge();
      copy?.close();
    },
  };
}

async function agreed(context: Needs<Asking | Copying | 'account'>, failure: NetworkError): Promise<OwnCopy | undefined> {
  const copy = await openOwnCopy(context, await context.account()).catch(() => undefined);
  if (copy === undefined) return undefined;
  if (!context.interactive) {
    copy.close();
    throw withHint(failure, `${failure.hint ?? ''} To answer from the local database, checked at ${copy.asOf}: --offline`.trim());
  }
  await context.notice(failure.message);
  if (await context.prompts.confirm(`Answer from the local database, checked at ${copy.asOf}?`, context.signal)) return copy;
  copy.close();
  return undefined;
}
