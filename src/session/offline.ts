import type { Globals } from '../cli/globals.ts';
import type { ApiClient } from '../client/api-client.ts';
import type { Settings } from '../config/settings.ts';
import type { Deps, NetworkRequest } from '../deps.ts';
import { NetworkError, UsageError } from '../errors.ts';
import type { Context, Needs } from './context.ts';
import { isOn } from './environment.ts';
import type { LocalAnswers } from './local-answers.ts';
import { once } from './once.ts';

export type Offline = ReturnType<typeof createOffline>;

export function createOffline(
  { env, network, keychain }: Pick<Deps, 'env' | 'network' | 'keychain'>,
  globals: Globals,
  { settings, context, reads }: { readonly settings: () => Promise<Settings>; readonly context: () => Context; readonly reads: boolean },
) {
  let opened: Promise<LocalAnswers> | undefined;
  let isForgone = false;
  const localAnswers = () => {
    opened ??= import('./local-answers.ts').then(({ createLocalAnswers }) => createLocalAnswers(context()));
    return opened;
  };
  const flags = [globals.offline, globals.maxAge, globals.database].filter((flag) => flag !== undefined);
  const teamDatabase = once(async () => {
    if (flags.length > 0) return globals.database;
    if (!reads) return undefined;
    return (env['SVC_DATABASE'] ?? (await settings().catch((): Settings => ({}))).database) || undefined;
  });
  const find = async () => {
    if (flags.length > 1) throw (await localAnswers()).severalFlags();
    if ((await teamDatabase()) !== undefined) return true;
    if (flags.length > 0) return globals.offline === true;
    return env['SVC_OFFLINE'] ? isOn(env['SVC_OFFLINE']) : (await settings().catch((): Settings => ({}))).offline === 'true';
  };
  const isOffline = once(find);
  return {
    /**
     * True if svc works offline. A team database counts as offline. Precedence: `--offline`, `SVC_OFFLINE`, the setting. `--max-age`
     * overrides the variable and the setting.
     *
     * @throws UsageError for more than one of `--offline`, `--max-age` and `--database`.
     */
    isOn: isOffline,
    /**
     * Returns the team database. Precedence: `--database`; in a command that only reads, `SVC_DATABASE` and the setting. `--offline` and
     * `--max-age` override the variable and the setting.
     */
    teamDatabase,
    localAnswers,
    /** True if the command must not take rows of the local database. */
    isForgone: () => isForgone,
    forgo(): void {
      isForgone = true;
    },
    guarded: {
      network: {
        ...network,
        async request(request: NetworkRequest) {
          if (await isOffline()) throw (await localAnswers()).noRequest(request.method, request.url);
          return network.request(request);
        },
      },
      async keychain() {
        // Only the keychain shows which user of a team database you are.
        if ((await isOffline()) && (await teamDatabase()) === undefined) throw (await localAnswers()).noKeychain();
        return keychain();
      },
    },
    orLocalAnswers(service: ApiClient): ApiClient {
      let hasAnswered = false;
      let localClient: ApiClient | undefined;
      return {
        ...service,
        async send(request) {
          // After its first answer, the local database answers all further reads. A list therefore never mixes two sources.
          if (localClient !== undefined && request.method.toUpperCase() === 'GET') return localClient.send(request);
          try {
            const response = await service.send(request);
            hasAnswered = true;
            return response;
          } catch (error) {
            if (!(error instanceof NetworkError) || isForgone || !reads) throw error;
            const response = await (await localAnswers()).instead(request, error, hasAnswered);
            localClient = (await localAnswers()).client(service.host);
            return response;
          }
        },
      };
    },
    async close(): Promise<void> {
      await (await opened)?.close();
    },
  };
}

export type UsingServiceOnly = 'useServiceOnly' | 'globals' | 'isOffline' | 'teamDatabase';

/**
 * Refuses offline work for a command that syncs. The command would otherwise treat rows of the local database as rows of the service.
 * @param why start of a sentence: `A sync asks the service`.
 * @param takesAge true if `--max-age` has another meaning in the command.
 * @throws UsageError
 */
export async function requireService(
  { useServiceOnly, globals, isOffline, teamDatabase }: Needs<UsingServiceOnly>,
  why: string,
  takesAge = false,
): Promise<void> {
  useServiceOnly();
  const isOn = await isOffline();
  if ((await teamDatabase()) !== undefined)
    throw new UsageError(`${why}, and --database reads the team database.`, {
      hint: `Leave out the flag${globals.database === undefined ? ', or set SVC_DATABASE to an empty value' : ''}.`,
    });
  if (isOn || (globals.maxAge !== undefined && !takesAge))
    throw new UsageError(`${why}, and ${isOn ? '--offline' : '--max-age'} reads the local database.`, {
      hint: `Leave out the flag${isOn ? ', or set SVC_OFFLINE=0' : ''}.`,
    });
}
