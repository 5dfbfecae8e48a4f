import type { Account } from '../auth/record.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../client/api-client.ts';
import type { CredentialSource } from '../credential.ts';
import { DatabaseError } from '../database/database-error.ts';
import { KeychainUnavailable } from '../deps.ts';
import { NetworkError, UsageError, withHint } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import type { AccountDatabase } from './account-database.ts';
import type { Asking, Context, Needs } from './context.ts';
import {
  freshClient,
  localTime,
  type OpeningDatabase,
  offlineClient,
  openAccountDatabase,
  openAccountDatabaseOrFail,
  sendsNothing,
} from './offline-client.ts';

export type LocalAnswers = ReturnType<typeof createLocalAnswers>;

export function createLocalAnswers(context: Context) {
  const { globals, settings } = context;
  let opened: Promise<AccountDatabase | undefined> | undefined;
  const open = (how: () => Promise<AccountDatabase | undefined>) => {
    opened ??= how();
    return opened;
  };
  const own = () => open(() => openAccountDatabaseOrFail(context)) as Promise<AccountDatabase>;
  let agreedTo: Promise<AccountDatabase | undefined> | undefined;
  const openIfUsable = async () => {
    try {
      return await openAccountDatabase(context, await context.account());
    } catch (error) {
      // If the local database is damaged, locked or from a newer svc, svc can read from the service instead.
      if (!(error instanceof DatabaseError)) throw error;
      await context.notice(`${error.message} svc reads from the service instead.`);
      return undefined;
    }
  };
  return {
    /** Returns the database that answers this command. @throws as {@link openAccountDatabaseOrFail} */
    database: own,
    async account(): Promise<Account | undefined> {
      // A command without a local database reports the missing database at its first query.
      const database = await own().catch(() => undefined);
      return database === undefined && (await context.teamDatabase()) !== undefined ? context.storedAccount() : database?.account;
    },
    /**
     * Returns credentials that refuse every request. For a POST with the setting `outbox` at `offline`, the error makes svc store the write
     * for later.
     */
    credentials: (): CredentialSource => async (wanted) => {
      const error = sendsNothing(globals, wanted.method);
      if (wanted.method !== 'POST' || (await settings()).outbox !== 'offline') throw error;
      throw new NetworkError(error.message, { ran: 'no', kind: 'other', hint: error.hint });
    },
    client: (host: Host): ApiClient => offlineClient(host, globals, own),
    /** Returns a client that uses tables of the local database younger than `--max-age`, and `service` for all other requests. */
    freshClient: (host: Host, youngerMs: number, service: () => Promise<ApiClient>): ApiClient =>
      freshClient(host, () => open(openIfUsable), youngerMs, service),
    /**
     * Answers a read from the local database if svc cannot reach the service and the user agrees.
     *
     * @param hasAnswered true if the service has answered an earlier request.
     * @throws the failure if `hasAnswered`, for a write, for a request that possibly ran, or without agreement.
     */
    async instead(request: ApiRequest, failure: NetworkError, hasAnswered: boolean): Promise<ApiResponse> {
      if (failure.ran !== 'no' || request.method.toUpperCase() !== 'GET' || hasAnswered) throw failure;
      agreedTo ??= agreed(context, failure);
      const database = await agreedTo;
      if (database === undefined) throw failure;
      opened = Promise.resolve(database);
      return database.answer(request);
    },
    noRequest: (method: string, url: string) => sendsNothing(globals, `${method} to ${new URL(url).origin}`),
    noKeychain: () => new KeychainUnavailable('With --offline, svc does not open the keychain.'),
    severalFlags: () =>
      new UsageError('--offline, --max-age and --database each choose where svc reads.', { hint: 'Use one of the flags.' }),
    async close(): Promise<void> {
      const database = await opened?.catch(() => undefined);
      await database?.printAge();
      await database?.close();
    },
  };
}

async function agreed(context: Needs<Asking | OpeningDatabase | 'account'>, failure: NetworkError): Promise<AccountDatabase | undefined> {
  const database = await openAccountDatabase(context, await context.account()).catch(() => undefined);
  if (database === undefined) return undefined;
  const completeAt = await localTime(context, database.oldestCompleteAt);
  if (!context.interactive) {
    await database.close();
    throw withHint(failure, `${failure.hint ?? ''} To answer from the local database, complete at ${completeAt}: --offline`.trim());
  }
  await context.notice(failure.message);
  if (await context.prompts.confirm(`Answer from the local database, complete at ${completeAt}?`, context.signal)) return database;
  await database.close();
  return undefined;
}
