import type { Keychain } from '../../src/deps.ts';
import { type Life, operation } from './life.ts';

/** The keychain of the machine’s only user. It survives every process. */
export interface UserKeychain {
  readonly entries: Map<string, string>;
  /** True if no call returns. */
  isFrozen: boolean;
  /** The number of calls that never return, by process. */
  readonly unanswered: Map<Life, number>;
}

export function createUserKeychain(): UserKeychain {
  return { entries: new Map(), isFrozen: false, unanswered: new Map() };
}

/** Returns the keychain as a process sees it. */
export function simulatedKeychain(life: Life, userKeychain: UserKeychain): Keychain {
  const key = (service: string, account: string) => `${service}\n${account}`;
  async function call<T>(what: string, act: () => T): Promise<T> {
    if (userKeychain.isFrozen) {
      await operation(life, `keychain ${what}, frozen`, 0, () => undefined);
      userKeychain.unanswered.set(life, (userKeychain.unanswered.get(life) ?? 0) + 1);
      return new Promise(() => undefined);
    }
    return operation(life, `keychain ${what}`, 1 + 4 * life.scenario.random.next(), act);
  }
  return {
    name: 'Secret Service keyring',
    maxBytes: undefined,
    get: (service, account) => call(`get ${account}`, () => userKeychain.entries.get(key(service, account))),
    set: (service, account, secret) => call(`set ${account}`, () => void userKeychain.entries.set(key(service, account), secret)),
    delete: (service, account) => call(`delete ${account}`, () => userKeychain.entries.delete(key(service, account))),
  };
}
