import { join } from 'node:path';
import type { Files } from '../../deps.ts';

/** The hosts of the keychain that one configuration directory has signed in to. */
export interface ProfileHosts {
  hosts(): Promise<readonly string[]>;
  add(host: string): Promise<void>;
}

/**
 * A list in `directory`, without any secret. The keychain belongs to the whole account, so its index names what every configuration signed in
 * to; one that never knew a host must not choose it, nor sign out of it with the rest. What was signed out of may stay in the list: it
 * only says what counts of the index.
 *
 * @param named Hosts that the configuration names anyway.
 */
export function createProfileHosts(files: Files, directory: string, named: () => Promise<readonly string[]>): ProfileHosts {
  const path = join(directory, 'keychain-hosts.json');

  async function read(): Promise<readonly string[]> {
    const text = await files.readText(path);
    try {
      const value: unknown = JSON.parse(text ?? '[]');
      return Array.isArray(value) ? value.filter((host): host is string => typeof host === 'string') : [];
    } catch {
      // Made anew with the next sign-in; until then each is there for whoever names it.
      return [];
    }
  }

  return {
    hosts: async () => [...(await read()), ...(await named())],
    async add(host) {
      const known = await read();
      if (!known.includes(host)) await files.writeAtomic(path, `${JSON.stringify([...known, host].sort())}\n`);
    },
  };
}
