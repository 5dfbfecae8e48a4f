import type { Globals } from '../cli/globals.ts';
import type { ApiClient } from '../client/api-client.ts';
import type { Settings } from '../config/settings.ts';
import type { Deps } from '../deps.ts';
import { NetworkError } from '../errors.ts';
import type { Context } from './context.ts';
import { isOn } from './environment.ts';
import type { OwnCopies } from './own-copies.ts';

/** What a command has to do with the copy of its account. Whoever asks the service alone loads nothing of it. */
export interface Offline {
  /** Nothing may be sent: `--offline`, over `SVC_OFFLINE`, over the setting; `--max-age` is neither. @throws UsageError for both flags. */
  isOn(): Promise<boolean>;
  copies(): Promise<OwnCopies>;
  /** From now on no copy answers in the service's place, whoever would agree to it. */
  forgo(): void;
  /** A network that nothing goes over, and a keychain that is not opened, while svc is offline. */
  readonly world: Pick<Deps, 'network' | 'keychain'>;
  /** A client of the service; without a connection, a person is offered the copy. */
  orCopy(service: ApiClient): ApiClient;
  close(): Promise<void>;
}

/** Builds it; nothing is opened yet. */
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
          // Once the copy has answered, so it does to the end: half of a list from each would be neither.
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
