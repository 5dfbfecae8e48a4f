import type { Account } from '../auth/record.ts';
import type { Globals } from '../cli/globals.ts';
import type { ApiClient } from '../client/api-client.ts';
import type { Settings } from '../config/settings.ts';
import type { CredentialSource } from '../credential.ts';
import { type Deps, KeychainUnavailable } from '../deps.ts';
import { UsageError } from '../errors.ts';
import type { Host } from '../values/host.ts';
import type { Context } from './context.ts';
import type { OwnCopy } from './copy-client.ts';
import { isOn } from './environment.ts';
import type { Instead } from './unreachable.ts';

/** The copy, as one command meets it: opened at the first question to it, and not before. */
export interface Offline {
  /** Nothing may be sent: `--offline`, over `SVC_OFFLINE`, over the setting; `--fresh` is neither. @throws UsageError for both flags. */
  isOn(): Promise<boolean>;
  /** Who is signed in, as the copy has it; nobody's keychain is opened for it. */
  account(): Promise<Account | undefined>;
  /** Fails for each write that is not kept for later. */
  credentials(): Promise<CredentialSource>;
  /** A client that answers from the copy alone. */
  client(host: Host): Promise<ApiClient>;
  /** The same where the copy is young enough, as `--fresh` says, and `service` for the rest. */
  freshClient(host: Host, youngerMs: number, service: () => Promise<ApiClient>): Promise<ApiClient>;
  /** A client of the service, but that a person without a connection is offered the copy. */
  orCopy(client: ApiClient): ApiClient;
  /** Says how old what was answered is, and lets go of it. */
  close(): Promise<void>;
}

/** Builds it; nothing is opened yet. */
export function createOffline(
  context: () => Context,
  { env, globals, settings }: Pick<Deps, 'env'> & { readonly globals: Globals; readonly settings: () => Promise<Settings> },
): Offline {
  let on: Promise<boolean> | undefined;
  const find = async () => {
    if (globals.offline && globals.fresh !== undefined)
      throw new UsageError('--offline asks your copy alone, and --fresh the service too.', { hint: 'Use one of them.' });
    if (globals.offline || globals.fresh !== undefined) return globals.offline === true;
    const given = env['SVC_OFFLINE'];
    if (given !== undefined && given !== '') return isOn(given);
    return (await settings().catch((): Settings => ({}))).offline === 'true';
  };
  const isOffline = () => {
    on ??= find();
    return on;
  };
  const load = () => import('./copy-client.ts');
  let opened: Promise<OwnCopy | undefined> | undefined;
  const open = (how: () => Promise<OwnCopy | undefined>) => {
    opened ??= how();
    return opened;
  };
  const own = async () => open(async () => (await load()).openOwnCopyOrFail(context())) as Promise<OwnCopy>;
  return {
    isOn: isOffline,
    async account() {
      // A command without a copy is told so when it asks for something.
      return (await own().catch(() => undefined))?.account;
    },
    async credentials() {
      const { sendsNothing } = await load();
      return async ({ method }) => {
        const error = sendsNothing(method);
        if (method !== 'POST' || (await settings()).outbox !== 'offline') throw error;
        const { NetworkError } = await import('../errors.ts');
        throw new NetworkError(error.message, { ran: 'no', kind: 'other', hint: error.hint });
      };
    },
    client: async (host) => (await load()).copyClient(host, own),
    async freshClient(host, youngerMs, service) {
      const { freshClient, openOwnCopy } = await load();
      return freshClient(host, () => open(async () => openOwnCopy(context(), await context().account())), youngerMs, service);
    },
    orCopy(client) {
      const instead: Instead = { answered: false };
      return {
        ...client,
        async send(request) {
          try {
            const response = await client.send(request);
            instead.answered = true;
            return response;
          } catch (error) {
            const { answerInstead } = await import('./unreachable.ts');
            return answerInstead(context(), instead, request, error, (copy) => {
              opened = Promise.resolve(copy);
            });
          }
        },
      };
    },
    async close() {
      const copy = await opened?.catch(() => undefined);
      await copy?.tellAge();
      copy?.close();
    },
  };
}

/** A network that nothing goes over, and a keychain that is not opened, while svc is offline. */
export function offlineWorld({ network, keychain }: Deps, isOffline: () => Promise<boolean>): Pick<Deps, 'network' | 'keychain'> {
  return {
    network: {
      warm: (...origin) => network.warm(...origin),
      close: () => network.close(),
      async request(request) {
        if (await isOffline()) throw (await import('./copy-client.ts')).sendsNothing(`${request.method} ${new URL(request.url).origin}`);
        return network.request(request);
      },
    },
    async keychain() {
      if (await isOffline()) throw new KeychainUnavailable('--offline opens no keychain.');
      return keychain();
    },
  };
}
