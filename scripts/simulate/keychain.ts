import type { Keychain } from '../../src/deps.ts';
import { type Life, operation } from './life.ts';

/** The keychain of the machine's one user; it outlives every process. */
export interface Vault {
  readonly entries: Map<string, string>;
  /** No call comes back. */
  isFrozen: boolean;
  /** Calls that never come back, by the process that made them. */
  readonly unanswered: Map<Life, number>;
}

export function createVault(): Vault {
  return { entries: new Map(), isFrozen: false, unanswered: new Map() };
}

/** What a process sees of it. */
export function simulatedKeychain(life: Life, vault: Vault): Keychain {
  const key = (service: string, account: string) => `${service}\n${account}`;
  async function call<T>(what: string, act: () => T): Promise<T> {
    if (vault.isFrozen) {
      await operation(life, `keychain ${what}, frozen`, 0, () => undefined);
      vault.unanswered.set(life, (vault.unanswered.get(life) ?? 0) + 1);
      return new Promise(() => undefined);
    }
    return operation(life, `keychain ${what}`, 1 + 4 * life.universe.random.next(), act);
  }
  return {
    name: 'Secret Service keyring',
    maxBytes: undefined,
    get: (service, account) => call(`get ${account}`, () => vault.entries.get(key(service, account))),
    set: (service, account, secret) => call(`set ${account}`, () => void vault.entries.set(key(service, account), secret)),
    delete: (service, account) => call(`delete ${account}`, () => vault.entries.delete(key(service, account))),
  };
}
