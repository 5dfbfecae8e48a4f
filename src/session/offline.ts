import type { Globals } from '../cli/globals.ts';
import type { ApiClient } from '../client/api-client.ts';
import type { Settings } from '../config/settings.ts';
import type { Deps, NetworkRequest } from '../deps.ts';
import { NetworkError, UsageError } from '../errors.ts';
import type { Context, Needs } from './context.ts';
import { isOn } from './environment.ts';
import { once } from './once.ts';
import type { OwnCopies } from './own-copies.ts';

export type Offline = ReturnType<typeof createOffline>;

export function createOffline(
  { env, network, keychain }: Pick<Deps, 'env' | 'network' | 'keychain'>,
  globals: Globals,
  { settings, context }: { readonly settings: () => Promise<Settings>; readonly context: () => Context },
) {
  let opened: Promise<OwnCopies> | undefined;
  let isForgone = false;
  const copies = () => {
    opened ??= import('./own-copies.ts').then(({ ownCopies }) => ownCopies(context()));
    return opened;
  };
  const find = async () => {
    if (globals.offline && globals.maxAge !== undefined) throw (await copies()).bothFlags();
    if (globals.offline || globals.maxAge !== undefined) return globals.offline === true;
    return env['SVC_OFFLINE'] ? isOn(env['SVC_OFFLINE']) : (await settings().catch((): Settings => ({}))).offline === 'true';
  };
  const isOffline = once(find);
  return {
    /** `--offline`, before `SVC_OFFLINE`, before the setting; `--max-age` does not count. @throws UsageError for both flags. */
    isOn: isOffline,
    copies,
    forgo(): void {
      isForgone = true;
    },
    world: {
      network: {
        ...network,
        async request(request: NetworkRequest) {
          if (await isOffline()) throw (await copies()).noRequest(request.method, request.url);
          return network.request(request);
        },
      },
      async keychain() {
        if (await isOffline()) throw (await copies()).noKeychain();
        return keychain();
      },
    },
    orCopy(service: ApiClient): ApiClient {
      let hasAnswered = false;
      let copy: ApiClient | undefined;
      return {
        ...service,
        async send(request) {
          // After its first answer the local database answers to the end: half a list from each source would be wrong.
          if (copy !== undefined && request.method.toUpperCase() === 'GET') return copy.send(request);
          try {
            const response = await service.send(request);
            hasAnswered = true;
            return response;
          } catch (error) {
            if (!(error instanceof NetworkError) || isForgone) throw error;
            const response = await (await copies()).instead(request, error, hasAnswered);
            copy = (await copies()).client(service.host);
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

export type AskingAlone = 'forgoCopy' | 'globals' | 'isOffline';

/**
 * A command that syncs must not take rows of the local database for those of the service.
 *
 * @param why The beginning of a sentence: `A sync asks the service`.
 * @throws UsageError
 */
export async function serviceAlone({ forgoCopy, globals, isOffline }: Needs<AskingAlone>, why: string): Promise<void> {
  forgoCopy();
  const isOn = await isOffline();
  if (isOn || globals.maxAge !== undefined)
    throw new UsageError(`${why}, and ${isOn ? '--offline' : '--max-age'} reads the local database.`, {
      hint: `Leave out the flag${isOn ? ', or set SVC_OFFLINE=0' : ''}.`,
    });
}
