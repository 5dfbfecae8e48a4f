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

/** The copy, as one command meets it: opened at the first question to it, and not before. */
export interface OwnCopies {
  /** Who is signed in, as the copy has it; nobody's keychain is opened for it. */
  account(): Promise<Account | undefined>;
  /** Fails for each write that is not kept for later. */
  credentials(): CredentialSource;
  /** A client that answers from the copy alone. */
  client(host: Host): ApiClient;
  /** The same where the copy is young enough, as `--max-age` says, and `service` for the rest. */
  freshClient(host: Host, youngerMs: number, service: () => Promise<ApiClient>): ApiClient;
  /** Answers a request for which there is no connection, where a person agrees. @throws the failure else. */
  instead(request: ApiRequest, failure: unknown, hasAnswered: boolean): Promise<ApiResponse>;
  /** What is thrown in place of a request. */
  noRequest(method: string, url: string): UsageError;
  noKeychain(): KeychainUnavailable;
  /** For a line with both flags. */
  bothFlags(): UsageError;
  /** Says how old what was answered is, and lets go of it. */
  close(): Promise<void>;
}

/** Builds it; nothing is opened yet. */
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
      // The service can be asked: a copy that is damaged, held or of a newer svc is no reason not to.
      if (!(error instanceof MirrorError)) throw error;
      await context.notice(`${error.message} The service is asked instead.`);
      return undefined;
    }
  };
  return {
    async account() {
      // A command without a copy is told so when it asks for something.
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
