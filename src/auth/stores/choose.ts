import { type Env, KeychainUnavailable } from '../../deps.ts';
import { SvcError, UsageError } from '../../errors.ts';
import type { StoreKind, TokenStore } from './token-store.ts';

/** `forced` stands alone. Else svc reads files first: it writes them only while the keychain fails, so they are newer. */
export function chooseStores(
  stores: Readonly<Record<StoreKind, TokenStore>>,
  forced: StoreKind | undefined,
  notify: (line: string) => void,
) {
  return {
    /** In order of precedence; svc takes their locks in this order too. */
    stores: forced === undefined ? [stores.file, stores.keychain] : [stores[forced]],
    async forLogin(): Promise<TokenStore> {
      const first = stores[forced ?? 'keychain'];
      try {
        await first.probe();
        return first;
      } catch (error) {
        // A keychain that exists and does not work is usually locked: its owner unlocks it, and the tokens belong there.
        if (forced !== undefined || !(error instanceof SvcError) || !(error.cause instanceof KeychainUnavailable)) throw error;
        await stores.file.probe();
        notify(`Tokens are kept in files only you can read, in ${stores.file.where}, not in a keychain. ${error.message}`);
        return stores.file;
      }
    },
  };
}

/** `SVC_TOKEN_STORE`; undefined when it is not set. @throws UsageError when it is neither `keychain` nor `file`. */
export function forcedStore(env: Env): StoreKind | undefined {
  const value = env['SVC_TOKEN_STORE'];
  if (value === undefined || value === '') return undefined;
  if (value === 'keychain' || value === 'file') return value;
  throw new UsageError(`SVC_TOKEN_STORE is "${value}".`, { hint: 'Set it to keychain or file, or unset it.' });
}
