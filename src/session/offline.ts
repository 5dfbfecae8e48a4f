import type { Globals } from '../cli/globals.ts';
import type { ApiClient } from '../client/api-client.ts';
import type { Settings } from '../config/settings.ts';
import type { Deps } from '../deps.ts';
import { NetworkError } from '../errors.ts';
import type { Context } from './context.ts';
import { isOn } from './environment.ts';
import type { OwnCopies } from './own-copies.ts';

/** The local database of the account, for one command. A command that uses the service alone loads nothing of it. */
export interface Offline {
  /**
   * Whether svc sends nothing: `--offline`, before `SVC_OFFLINE`, before the setting; `--max-age` does not count. @throws UsageError for
   * both flags.
   */
  isOn(): Promise<boolean>;
  copies(): Promise<OwnCopies>;
  /** Prevents answers from the local database from now on, even with a person who would agree. */
  forgo(): void;
  /** A network that sends nothing, and a keychain that stays closed, while svc is offline. */
  readonly world: Pick<Deps, 'network' | 'keychain'>;
  /** A client of the service; without a connection it offers a person the local database. */
  orCopy(service: ApiClient): ApiClient;
  close(): Promise<void>;
}

/** Creates the part; nothing is opened yet. */
export function createOffline(
  { env, network, keychain }: Pick<Deps, 'env' | 'network' | 'keychain'>,
  globals: Globals,
  { settings, context }: { readonly settings: () => Promise<Settings>; readonly context: () => Context },
): Offline {
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
  let found: Promise<boolean> | undefined;
  const isOffline = () => {
    found ??= find();
    return found;
  };
  return {
    isOn: isOffline,
    copies,
    forgo() {
      isForgone = true;
    },
    world: {
      network: {
        warm: (...origin) => network.warm(...origin),
        close: () => network.close(),
        async request(request) {
          if (await isOffline()) throw (await copies()).noRequest(request.method, request.url);
          return network.request(request);
        },
      },
      async keychain() {
        if (await isOffline()) throw (await copies()).noKeychain();
        return keychain();
      },
    },
    orCopy(service) {
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
    async close() {
      await (await opened)?.close();
    },
  };
}
