import { type Env, KeychainUnavailable } from '../../deps.ts';
import { SvcError, UsageError } from '../../errors.ts';
import type { StoreKind, TokenStore } from './token-store.ts';

/**
 * Chooses the stores for sign-in records. If `SVC_TOKEN_STORE` names a store, svc uses only this store. Otherwise the file store takes
 * precedence: svc writes files only while the keychain fails, so files are newer.
 */
export function chooseStores(
  stores: Readonly<Record<StoreKind, TokenStore>>,
  forced: StoreKind | undefined,
  notify: (line: string) => void,
) {
  return {
    /** The stores in order of precedence. svc locks the stores in the same order. */
    stores: forced === undefined ? [stores.file, stores.keychain] : [stores[forced]],
    async forLogin(): Promise<TokenStore> {
      const first = stores[forced ?? 'keychain'];
      try {
        await first.probe();
        return first;
      } catch (error) {
        // A keychain that exists but fails is usually locked. The user can unlock the keychain, so svc stores no tokens in a file.
        if (forced !== undefined || !(error instanceof SvcError) || !(error.cause instanceof KeychainUnavailable)) throw error;
        await stores.file.probe();
        notify(`svc keeps the tokens in files that only you can read, in ${stores.file.where}, and not in a keychain. ${error.message}`);
        return stores.file;
      }
    },
  };
}

/**
 * Reads `SVC_TOKEN_STORE`. Returns undefined if the variable is not set or empty.
 *
 * @throws UsageError for any value except `keychain` and `file`.
 */
export function forcedStore(env: Env): StoreKind | undefined {
  const value = env['SVC_TOKEN_STORE'];
  if (value === undefined || value === '') return undefined;
  if (value === 'keychain' || value === 'file') return value;
  throw new UsageError(`SVC_TOKEN_STORE is "${value}", which is neither keychain nor file.`, {
    hint: 'Set the variable to keychain or file, or unset the variable.',
  });
}
