import type { Account } from '../auth/record.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../client/api-client.ts';
import type { CredentialSource } from '../credential.ts';
import { KeychainUnavailable } from '../deps.ts';
import { NetworkError, UsageError } from '../errors.ts';
import { MirrorError } from '../mirror/mirror-error.ts';
import type { Host } from '../values/host.ts';
import type { Context } from './context.ts';
import { copyClient, freshClient, type OwnCopy, openOwnCopy, openOwnCopyOrFail, sendsNothing } from './copy-client.ts';
import { answerInstead, type Instead } from './unreachable.ts';

/** The local database, for one command: opened at the first query, and not before. */
export interface OwnCopies {
  /** The person who is signed in, according to the local database; svc opens no keychain for this. */
  account(): Promise<Account | undefined>;
  /** Fails for each write that is not kept for later. */
  credentials(): CredentialSource;
  /** A client that answers from the local database alone. */
  client(host: Host): ApiClient;
  /** The same where the local database is young enough, as `--max-age` says, and `service` for the rest. */
  freshClient(host: Host, youngerMs: number, service: () => Promise<ApiClient>): ApiClient;
  /** Answers a request without a connection, where a person agrees. @throws The failure otherwise. */
  instead(request: ApiRequest, failure: unknown, hasAnswered: boolean): Promise<ApiResponse>;
  /** The error instead of a request. */
  noRequest(method: string, url: string): UsageError;
  noKeychain(): KeychainUnavailable;
  /** The error for a line with both flags. */
  bothFlags(): UsageError;
  /** Reports the age of the answers, and closes the local database. */
  close(): Promise<void>;
}

/** Creates the part; nothing is opened yet. */
export function ownCopies(context: Context): OwnCopies {
  const { settings } = context;
  let opened: Promise<OwnCopy | undefined> | undefined;
  const open = (how: () => Promise<OwnCopy | undefined>) => {
    opened ??= how();
    return opened;
  };
  const own = () => open(() => openOwnCopyOrFail(context)) as Promise<OwnCopy>;
  const instead: Instead = {};
  const openIfUsable = async () => {
    try {
      return await openOwnCopy(context, await context.account());
    } catch (error) {
      // svc can ask the service instead of a local database that is damaged, locked or of a newer svc.
      if (!(error instanceof MirrorError)) throw error;
      await context.notice(`${error.message} The service is asked instead.`);
      return undefined;
    }
  };
  return {
    async account() {
      // A command without a local database fails at its first query.
      return (await own().catch(() => undefined))?.account;
    },
    credentials: () => async (wanted) => {
      const error = sendsNothing(wanted.method);
      if (wanted.method !== 'POST' || (await settings()).outbox !== 'offline') throw error;
      throw new NetworkError(error.message, { ran: 'no', kind: 'other', hint: error.hint });
    },
    client: (host) => copyClient(host, own),
    freshClient: (host, youngerMs, service) => freshClient(host, () => open(openIfUsable), youngerMs, service),
    instead: (request, failure, hasAnswered) =>
      answerInstead(context, instead, request, failure, hasAnswered, (copy) => {
        opened = Promise.resolve(copy);
      }),
    noRequest: (method, url) => sendsNothing(`${method} to ${new URL(url).origin}`),
    noKeychain: () => new KeychainUnavailable('--offline opens no keychain.'),
    bothFlags: () => new UsageError('--offline asks your copy alone, and --max-age the service too.', { hint: 'Use one of them.' }),
    async close() {
      const copy = await opened?.catch(() => undefined);
      await copy?.tellAge();
      copy?.close();
    },
  };
}
